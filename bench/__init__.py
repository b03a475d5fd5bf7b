"""Benchmarks: how fast the service is, as ratios within one run. README.md says how to read them."""
