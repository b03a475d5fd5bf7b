"""Random hands by `Line` and by other engines, each in an environment of its own: `python -m bench.peers`."""
