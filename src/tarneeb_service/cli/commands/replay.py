"""``replay``: a record step by step, up to the first wrong move."""

import sys
from dataclasses import dataclass

from tarneeb.v1 import records_pb2
from tarneeb_service.cli.exit_codes import DONE, WRONG
from tarneeb_service.cli.files.positions import start_of
from tarneeb_service.cli.files.read import UnreadableError, kind_of, read
from tarneeb_service.cli.seen import words
from tarneeb_service.cli.seen.refusals import refusal_lines
from tarneeb_service.cli.seen.table import seen_by
from tarneeb_service.cli.terminal.screen import Screen
from tarneeb_service.cli.terminal.table import draw_table
from tarneeb_service.engine.events import HandEnded
from tarneeb_service.engine.state import State
from tarneeb_service.rpc import replay as records

ACCEPTED, REFUSED = 0, 1
_SOURCES = {"seeded": "a seed", "deck": "a deck", "hands": "hands"}


@dataclass(frozen=True, slots=True)
class Options:
    """What a replay shows: the steps of one hand or of all, or none; whether it waits at each; and in ASCII.

    ``check_revisions`` has moves refused that name another revision than the one they are replayed at.
    """

    hand: int | None = None
    quiet: bool = False
    step: bool = False
    plain: bool = False
    check_revisions: bool = False


def replay(file: str, form: str | None, options: Options) -> int:
    """Step through a record and return the exit code.

    Raises:
        UnreadableError: The file can't be read, holds no record, or not the hand asked for; or the options
            exclude each other.
        WrongError: The record can't start.
    """
    if options.quiet and (options.hand is not None or options.step):
        raise UnreadableError("--quiet shows no steps: it goes with neither --hand nor --step")
    record = read(file, form)
    if not isinstance(record, records_pb2.GameRecord):
        raise UnreadableError(f"holds {kind_of(record)}, not a record: look at it with 'show'")
    if options.hand is not None and not 1 <= options.hand <= len(record.hands):
        raise UnreadableError(
            f"has {words.plural(len(record.hands), 'hand')}: there is no hand {options.hand}"
        )
    screen = Screen(plain=options.plain)
    if options.step and not (sys.stdin.isatty() and screen.is_terminal):
        raise UnreadableError("--step waits for keys: it needs a terminal for input and output")
    return _Replay(record, options, screen).run()


class _Replay:
    """One run through one record."""

    def __init__(self, record: records_pb2.GameRecord, options: Options, screen: Screen) -> None:
        self.record, self.options, self.screen = record, options, screen
        self.waits = options.step
        # The hand up to whose end keys are not asked for.
        self.skip_to = 0
        self.drawn = False

    def run(self) -> int:
        screen, signs = self.screen, self.screen.signs
        start = start_of(self.record)
        header = start.header
        total = records.step_count(self.record)
        what = [
            header.id,
            header.preset_id,
            f"to {header.rules.target}",
            words.plural(len(self.record.hands), "hand"),
        ]
        screen.say(f" {signs.dot} ".join([*what, words.plural(total, "step")]), "bold")
        state: State = start
        for step in records.play(self.record, start, check_revisions=self.options.check_revisions):
            if isinstance(step, records.Refusal):
                screen.say("")
                draw_table(screen, seen_by(state, None))
                screen.say("")
                screen.say_refusal(refusal_lines(step, signs))
                return WRONG
            state = step.state
            self.show(step)
        if not self.drawn:
            self.end(state)
        screen.say(f"Accepted: all {words.plural(total, 'step')}", "bold green")
        return DONE

    def end(self, state: State) -> None:
        """Say where the record leads, unless the last table did."""
        seen, screen = seen_by(state, None), self.screen
        if not self.options.quiet and self.options.hand is None:
            screen.say("")
            draw_table(screen, seen)
            screen.say("")
            return
        named = zip(words.score_names(seen.view, screen.signs), seen.view.scores, strict=True)
        screen.say("Scores: " + ", ".join(f"{name} {score}" for name, score in named))
        screen.say(words.status(seen, screen.signs))

    def show(self, reached: records.Reached) -> None:
        """Write a step, and the table where a hand ends."""
        step, screen = reached.step, self.screen
        self.drawn = False
        if self.options.quiet or self.options.hand not in (None, step.hand_number):
            return
        said = [text for event in reached.events if (text := words.event_words(event, screen.signs))]
        if step.move is None:
            source = self.record.hands[step.hand_number - 1].deal.WhichOneof("source")
            said[0] += f", from {_SOURCES[source]}" if source in _SOURCES else ""
        place = f"{step.hand_number}.{step.move_number}"
        screen.say(f"{place:>8}  {said[0]:<20}{'   '.join(['', *said[1:]])}".rstrip())
        over = any(isinstance(event, HandEnded) for event in reached.events)
        if over or self.asks(step):
            self.drawn = True
            screen.say("")
            draw_table(screen, seen_by(reached.state, None))
            screen.say("")
        if self.asks(step):
            self.wait(step)

    def asks(self, step: records.Step) -> bool:
        return self.waits and step.hand_number > self.skip_to

    def wait(self, step: records.Step) -> None:
        try:
            answer = (
                self.screen.console.input("Enter: next step, h: next hand, r: run to the end > ")
                .strip()
                .lower()
            )
        except EOFError:
            answer = "r"
        if answer == "h":
            self.skip_to = step.hand_number
        elif answer == "r":
            self.waits = False
