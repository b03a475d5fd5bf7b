"""Bearer tokens from a file, for clusters without a mesh."""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from tarneeb_service.server.file_watch import Watched
from tarneeb_service.server.settings import SettingsError
from tarneeb_service.telemetry.log import Log
from tarneeb_service.telemetry.metrics import Metrics

SHORTEST = 16


class Tokens:
    """The tokens that are good now. The file is read again when it changes."""

    def __init__(self, path: str, log: Log, metrics: Metrics) -> None:
        """Read the tokens.

        Raises:
            SettingsError: There are none, or one is no good.
        """
        self._path, self._log, self._metrics = path, log, metrics
        self._files = Watched(path)
        self._digests = read_tokens(path)

    def digest(self, metadata: Iterable[Any]) -> bytes | None:
        """Return the digest of a good token in a call's metadata, in a time that tells nothing of the tokens."""
        if self._files.changed():
            self._reload()
        for key, value in metadata:
            if key == "authorization" and isinstance(value, str):
                scheme, _, token = value.partition(" ")
                if scheme.lower() != "bearer":
                    return None
                digest = sha256(token.strip().encode()).digest()
                good = False
                for known in self._digests:
                    good |= hmac.compare_digest(digest, known)
                return digest if good else None
        return None

    def _reload(self) -> None:
        try:
            self._digests = read_tokens(self._path)
        except SettingsError as error:
            self._files.again()
            self._metrics.reload_failures["tokens"].inc()
            self._log.event("error", "tokens not reloaded, the old ones hold", problem=str(error))
        else:
            self._log.event("info", "tokens reloaded", count=len(self._digests))


def read_tokens(path: str) -> list[bytes]:
    """Return the digests of a file's tokens: one a line; empty lines and lines from ``#`` on do not count.

    Raises:
        SettingsError: There are none, or one is no good.
    """
    try:
        lines = Path(path).read_text("ascii").splitlines()
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"TARNEEB_TOKENS_FILE can't be read as ASCII: {type(error).__name__}") from None
    digests = []
    for number, line in enumerate(lines, start=1):
        token = line.strip()
        if not token or token.startswith("#"):
            continue
        if len(token) < SHORTEST or not token.isprintable() or " " in token:
            raise SettingsError(
                f"TARNEEB_TOKENS_FILE, line {number}: a token has {SHORTEST} characters or more, and no spaces"
            )
        digests.append(sha256(token.encode()).digest())
    if not digests:
        raise SettingsError("TARNEEB_TOKENS_FILE holds no token")
    return digests
