"""All the benchmarks, one after the other, in about two minutes: `python -m bench`."""

from bench import batch, core, hands, unary


def main() -> None:
    for benchmark in (core.main, hands.main, unary.main, batch.main):
        benchmark()
        print(flush=True)


if __name__ == "__main__":
    main()
