"""The service in a process of its own, started as an operator starts it: for tests, benchmarks and tools alike."""
