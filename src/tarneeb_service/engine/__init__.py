"""The rules of the Tarneeb family: pure, standard library only, usable alone."""
