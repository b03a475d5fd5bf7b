"""Seeds as they may stand in a file, and what of them must be in no message."""

import uuid
from base64 import b64encode, urlsafe_b64encode

from hypothesis import strategies as st

SEED = bytes.fromhex("65224a58c0ffee11deadbeef5b1652cd")


def spellings(seed: bytes) -> list[str]:
    """A seed in hex, in base64, and in the shape of a UUID."""
    return [
        seed.hex(),
        seed.hex().upper(),
        str(uuid.UUID(bytes=seed[:16])),
        b64encode(seed).decode(),
        urlsafe_b64encode(seed).decode(),
    ]


def pieces_in(text: str, seed: str) -> list[str]:
    """The pieces of a spelled seed that a text holds."""
    return [piece for start in range(len(seed) - 5) if (piece := seed[start : start + 6]) in text]


spelled = st.binary(min_size=16, max_size=64).flatmap(lambda seed: st.sampled_from(spellings(seed)))
# What people and programs write around one.
_edges = st.sampled_from(
    ["", " ", "\n", "0x", "seed ", "seed=", ":", ",", ".", "…", "O", "|", "/", '"', "W:", "#"]
)
around = st.tuples(_edges, _edges)
