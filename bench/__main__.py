import importlib
import sys

from bench.effort import chosen

for n in sys.argv[1:]:
    m = importlib.import_module("bench." + n)
    print("\n".join(m.lines(m.measure(chosen()))))
