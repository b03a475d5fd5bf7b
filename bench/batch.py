"""ValidateMoves against unary ValidateMove: moves a second, and the server's CPU time a move, in one run."""

import argparse
import sys
from statistics import median

import grpc

from bench.bursts import IN_FLIGHT, Cost, burst, caller, ratio, warm_up
from bench.unary import SERVICE, payloads
from harness.serving import port_of, started_apart
from tarneeb.v1 import tarneeb_service_pb2 as pb

SIZE = 100
GOAL = 5.0


def batches() -> list[bytes]:
    """Batches of the moves that the unary calls ask about."""
    items = [pb.ValidateMoveRequest.FromString(data) for data in payloads()]
    return [
        pb.ValidateMovesRequest(
            items=[items[(start + number) % len(items)] for number in range(SIZE)]
        ).SerializeToString()
        for start in range(4)
    ]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--moves", type=int, default=1_600, help="moves a burst")
    options = parser.parse_args(arguments)
    with (
        started_apart([sys.executable, "-m", "bench.echo_server"]) as server,
        grpc.insecure_channel(f"127.0.0.1:{port_of(server)}") as channel,
    ):
        unary = caller(channel, server.pid, f"/{SERVICE}/ValidateMove", payloads())
        batch = caller(channel, server.pid, f"/{SERVICE}/ValidateMoves", batches())
        warm_up((unary, batch), 40)
        costs: dict[str, list[Cost]] = {"unary": [], "batch": []}
        for _ in range(options.rounds):
            costs["unary"].append(burst(unary, options.moves))
            clock, cpu = burst(batch, options.moves // SIZE)
            costs["batch"].append(Cost(clock / SIZE, cpu / SIZE))
    print(
        f"batch: ValidateMoves of {SIZE} against unary, {IN_FLIGHT} in flight, "
        f"{options.rounds} bursts of {options.moves} moves"
    )
    for name, bursts in costs.items():
        rate = 1e6 / median(clock for clock, _ in bursts)
        print(f"  {name:6} {rate:7.0f} moves/s  {median(cpu for _, cpu in bursts):6.1f} µs CPU a move")
    by_clock = ratio([clock for clock, _ in costs["unary"]], [clock for clock, _ in costs["batch"]])
    by_cpu = ratio([cpu for _, cpu in costs["unary"]], [cpu for _, cpu in costs["batch"]])
    print(f"  batch / unary: moves/s {by_clock}, moves per CPU second {by_cpu}; goal {GOAL:.0f}")


if __name__ == "__main__":
    main()
