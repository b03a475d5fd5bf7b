"""What every refusal of a request has to keep to."""

import re
from typing import Any

from google.protobuf import any_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status

# C5 and S9 name rules too; as rules they stand in brackets.
RULE = re.compile(r"\((?:[A-Z]\d{1,2}(?:, )?)+\)")
CARD = re.compile(
    r"\b[CDHS](?:[2-9TJQKA]|10)\b|[♠♥♦♣]|CARD_[A-Z]+_|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of\b",
    re.IGNORECASE,
)


def assert_names_no_card(text: str) -> None:
    assert CARD.findall(RULE.sub("", text)) == [], text


def details(error: Any) -> tuple[error_details_pb2.ErrorInfo, error_details_pb2.BadRequest]:
    """The details of a failed call."""
    status = rpc_status.from_call(error)
    assert status is not None
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    detail: any_pb2.Any
    for detail in status.details:
        detail.Unpack(info) or detail.Unpack(bad)
    return info, bad
