"""Play the games of clients/PROGRAM.md, print the transcript and its hash, and run the vectors."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from program import attempts, table, text, vectors
from program.game import Backend, Game, digest
from program.store import Store
from program.waiting import WaitingClient
from program.words import Words
from tarneeb.v1 import cards_pb2, game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_client import Client, Options, TarneebError, Tls, fair_deals

# By this one the ten games show every refusal there is.
NUMBER = 21
# For a call; long, since all languages are tried at once on a machine that does other things too.
SECONDS = 30


class Transcript:
    """Lines, hashed as they are written."""

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("w", encoding="utf-8", newline="\n") if path else None
        self._hash = sha256()

    def tell(self, line: str) -> None:
        self._hash.update(f"{line}\n".encode())
        print(line, file=self._file)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()[:16]

    def close(self) -> None:
        if self._file:
            self._file.close()


def whole_game(backend: Backend, preset_id: str) -> None:
    game_id = f"{preset_id}-{NUMBER}"
    seed = digest(f"dealer {game_id}")
    request = pb.CreateGameRequest(id=game_id, first_dealer_seed=seed)
    request.rule_set.preset_id = preset_id
    commit = pb.CommitDealRequest(game_id=game_id, hand_number=0, seed=seed)
    shown = backend.client.commit_deal(commit).commitment
    game = Game(backend, request)
    fair = shown == fair_deals.commitment(seed, game_id, 0)
    fair = fair and game.record.first_dealer == fair_deals.first_dealer(seed, game_id)
    game.tell(f"dealer {shown.hex()} {backend.checked(good=fair)}")
    while game.seats.public.phase != game_pb2.PHASE_GAME_OVER:
        if game.seats.public.phase == game_pb2.PHASE_AWAITING_DEAL:
            game.deal()
        else:
            game.turn()
    game.attempt([attempts.passing(cards_pb2.SEAT_NORTH)])
    game.replay()
    end = game.seats.public
    scores = text.joined(end.scores)
    game.tell(f"over {game_id} {text.TEAMS[end.outcome.winner]} {end.hand_number} {scores}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="program", description=__doc__)
    parser.add_argument("--target", default="localhost:50051", help="HOST:PORT of the service")
    parser.add_argument(
        "--words", type=Path, default=Path("clients/words/ar.json"), help="table of sentences"
    )
    parser.add_argument("--transcript", type=Path, help="file for the transcript; standard output")
    parser.add_argument("--views", type=Path, help="file for every view, a line each")
    parser.add_argument("--vectors", type=Path, help="folder of vectors.jsonl")
    parser.add_argument("--ca", type=Path, help="roots for TLS, in PEM")
    parser.add_argument("--token-file", type=Path, help="file with a bearer token")
    parser.add_argument("--asyncio", action="store_true", help="by the client for asyncio")
    return parser.parse_args()


@contextlib.contextmanager
def view_log(path: Path | None) -> Iterator[Callable[[str], None]]:
    if path is None:
        yield lambda _: None
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda line: print(line, file=file)


def run(options: argparse.Namespace, client: Client) -> int:
    transcript = Transcript(options.transcript)
    with contextlib.closing(transcript), view_log(options.views) as log:
        backend = Backend(client, Store(), Words(options.words), transcript.tell, log)
        transcript.tell("tarneeb transcript 1")
        table.play(backend)
        presets = client.list_rule_sets(pb.ListRuleSetsRequest()).rule_sets
        for preset in presets:
            whole_game(backend, preset.preset_id)
    summary = f"{len(presets)} games, transcript {transcript.digest}"
    if options.vectors:
        count = vectors.run(client, options.vectors)
        summary += f", {count.passed}/{count.total} vectors"
        backend.checked(good=count.passed == count.total)
    print(f"{'python-asyncio' if options.asyncio else 'python'}: {summary}")
    return 0 if backend.sound else 1


def main() -> int:
    options = arguments()
    token = options.token_file.read_text("utf-8").strip() if options.token_file else None
    tls = Tls(options.ca.read_bytes()) if options.ca else None
    kind: Any = WaitingClient if options.asyncio else Client
    try:
        with kind(options.target, Options(deadline=SECONDS, tls=tls, token=token)) as client:
            return run(options, client)
    except TarneebError as error:
        print(f"{options.target}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
