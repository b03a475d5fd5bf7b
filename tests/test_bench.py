"""The benchmarks can be started: nothing that they import has moved away."""

import importlib
import pkgutil

import pytest

import bench

MODULES = [module.name for module in pkgutil.walk_packages(bench.__path__, "bench.")]


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_imports(name: str) -> None:
    importlib.import_module(name)
