"""Positions to look at, all reached by records: those in records/, and the worked example of docs/records.md."""

from pathlib import Path

from tarneeb.v1 import records_pb2
from tarneeb_record import parse_record
from tarneeb_service.cli.seen.table import Seen, seen_by
from tarneeb_service.engine.state import State
from tarneeb_service.rpc import replay
from tests.pages import blocks

NORTH, WEST, SOUTH, EAST, SPECTATOR = range(5)
RECORDS = Path(__file__).parent / "records"
# A hand that fails, a void one, one dealt from a seed.
EXAMPLE = blocks("docs/records.md", "text")[0]
SEED = parse_record(EXAMPLE).hands[2].deal.seeded.seed
END = (1000, 0)
# Record, the last hand and move of it that is made, and who looks; none is whoever has the record.
POSITIONS: dict[str, tuple[str, tuple[int, int], int | None]] = {
    "before": ("naming", (0, 0), None),
    "dealt": ("naming", (1, 0), SOUTH),
    "naming": ("naming", END, None),
    "auction": ("doubled", (1, 9), EAST),
    "doubled": ("doubled", END, None),
    "trick": ("example", (1, 18), None),
    "spectator": ("example", (1, 18), SPECTATOR),
    "scored": ("example", (1, 99), None),
    "scored_north": ("example", (1, 99), NORTH),
    "individual": ("individual", END, EAST),
    "void": ("void", END, None),
    "revealed": ("revealed", END, WEST),
    "forfeited": ("forfeited", END, None),
    "over": ("over", END, None),
}


def record_of(name: str) -> records_pb2.GameRecord:
    return parse_record(EXAMPLE if name == "example" else (RECORDS / f"{name}.txt").read_text("utf-8"))


def empty_record(preset: str, game_id: str = "g-1") -> records_pb2.GameRecord:
    """A record before its first deal."""
    record = parse_record(f'tarneeb-record 1\nid "g"\nrules {preset}\ndealer North\n')
    record.id = game_id
    return record


def state_of(record: records_pb2.GameRecord, upto: tuple[int, int] = END) -> State:
    """The state that a record without a wrong move reaches."""
    state: State = replay.start(record)
    for reached in replay.play(record, replay.start(record)):
        assert isinstance(reached, replay.Reached)
        if (reached.step.hand_number, reached.step.move_number) > upto:
            break
        state = reached.state
    return state


def middle_of_a_hand() -> State:
    return state_of(record_of("example"), (1, 18))


def seen(name: str) -> Seen:
    record, upto, viewer = POSITIONS[name]
    return seen_by(state_of(record_of(record), upto), viewer)
