"""Checks of deploy/: what is rendered, what is alerted on and drawn, and that it all works when started."""
