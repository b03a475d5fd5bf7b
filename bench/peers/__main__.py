"""Random hands a CPU second: `Line`, OpenSpiel's and RLCard's bridge, boardgame.io's client and server, by turns.

All do the same: deal 52 cards, play them, each any legal one with the same chance, and know who took which trick.
"""

import argparse

from bench.peers.compare import measure, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    for line in table(measure(options.rounds)):
        print(line)


if __name__ == "__main__":
    main()
