"""Conformance vectors and the runner that is an example for others."""
