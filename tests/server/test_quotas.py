"""Quotas a caller: the bucket by itself, and callers who share one or do not."""

from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from hypothesis import given
from hypothesis import strategies as st

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.server import quotas
from tarneeb_service.server.quotas import SECOND, Quotas, caller_of
from tests.server.http2 import open_calls
from tests.server.support import Answer, Service, detail, failure, reason, wait_for

LIST = pb.ListRuleSetsRequest()
TOKENS = ("a-token-of-the-lobby", "a-token-of-the-club")


class Clock:
    """Nanoseconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 5 * SECOND

    def __call__(self) -> int:
        return self.now


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def test_a_second_s_worth_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    rule = Quotas(4, clock)
    assert [rule.take("a") for _ in range(6)] == [True] * 4 + [False] * 2
    # What was refused cost nothing.
    clock.now += SECOND // 4 - 1
    assert not rule.take("a")
    clock.now += 1
    assert [rule.take("a"), rule.take("a")] == [True, False]
    # However long he was away, he has no more than a second's worth.
    clock.now += 100 * SECOND
    assert [rule.take("a") for _ in range(6)] == [True] * 4 + [False] * 2


def test_callers_do_not_share() -> None:
    rule = Quotas(1, Clock())
    assert [rule.take("a"), rule.take("a"), rule.take("b"), rule.take("a")] == [True, False, True, False]


def test_only_the_latest_callers_are_remembered() -> None:
    rule = Quotas(1, Clock(), most_callers=3)
    assert all(rule.take(name) for name in "abc")
    # Refused, and yet one of the latest.
    assert not rule.take("a")
    assert rule.take("d")
    assert not rule.take("a")
    assert rule.take("b")
    assert len(rule._full) == 3


@given(rate=st.integers(1, 50), pauses=st.lists(st.integers(0, SECOND), max_size=200))
def test_no_span_of_time_has_more_than_the_rate_and_a_second_s_worth(rate: int, pauses: list[int]) -> None:
    clock = Clock()
    rule, taken, seen = Quotas(rate, clock), [], []
    for pause in pauses:
        clock.now += pause
        good = rule.take("a")
        seen.append((clock.now, good))
        if good:
            taken.append(clock.now)
    for first, begin in enumerate(taken):
        for count, end in enumerate(taken[first:], start=1):
            # The rate is a whole number of nanoseconds between two calls, so it may be a little more.
            assert count <= rate + (end - begin) // (SECOND // rate)
    # And nobody is refused who had no second's worth in the last second.
    for now, good in seen:
        if not good:
            assert sum(now - SECOND <= moment for moment in taken) >= rate


@given(rate=st.integers(1, 1_000), calls=st.integers(1, 300))
def test_who_keeps_to_the_rate_is_never_refused(rate: int, calls: int) -> None:
    clock = Clock()
    rule = Quotas(rate, clock)
    for _ in range(calls):
        assert rule.take("a")
        clock.now += -(-SECOND // rate)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ipv4:10.0.0.1:5000", "ipv4:10.0.0.1:6000", True),
        ("ipv4:10.0.0.1:5000", "ipv4:10.0.0.2:5000", False),
        ("ipv6:%5B2001:db8:1:2::3%5D:5000", "ipv6:%5B2001:db8:1:2:ffff::4%5D:6000", True),
        ("ipv6:[2001:db8:1:2::3]:5000", "ipv6:%5B2001:db8:1:2::3%5D:5000", True),
        ("ipv6:%5B2001:db8:1:2::3%5D:5000", "ipv6:%5B2001:db8:1:3::3%5D:5000", False),
        ("ipv6:%5B::ffff:10.0.0.1%5D:5000", "ipv4:10.0.0.1:5000", True),
        ("ipv6:%5B::ffff:10.0.0.1%5D:5000", "ipv6:%5B::ffff:10.0.0.2%5D:5000", False),
        ("ipv6:%5Bfe80::1%25eth0%5D:5000", "ipv6:%5Bfe80::2%25eth0%5D:5000", True),
        ("unix:/run/one", "unix:/run/other", False),
        ("", "ipv4:10.0.0.1:5000", False),
        ("ipv4:nonsense", "ipv4:10.0.0.1:5000", False),
    ],
)
def test_who_counts_as_one_caller(one: str, other: str, same: bool) -> None:
    assert (caller_of(one) == caller_of(other)) is same


def still(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Stop the quotas' clock."""
    clock = Clock()
    monkeypatch.setattr(quotas.Quotas.__init__, "__defaults__", (clock, quotas.MOST_CALLERS))
    return clock


def test_a_token_has_a_quota_wherever_it_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, path = still(monkeypatch), tmp_path / "tokens"
    path.write_text("\n".join(TOKENS))
    one, other = map(bearer, TOKENS)
    settings: dict[str, Any] = {
        "calls_per_second_per_caller": 3,
        "tokens_file": str(path),
        "retry_after_ms": 250,
    }
    with Service(**settings) as service, grpc.insecure_channel(service.address) as second:
        # Without a good token nobody's quota is used.
        for _ in range(5):
            failure(lambda: service.stub.ListRuleSets(LIST, metadata=bearer("a-token-of-nobody")))
        for stub in (service.stub, service.stub, TarneebServiceStub(second)):
            assert stub.ListRuleSets(LIST, metadata=one).rule_sets
        error = failure(lambda: TarneebServiceStub(second).ListRuleSets(LIST, metadata=one))
        assert (error.code(), reason(error)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
        assert detail(error, error_details_pb2.RetryInfo).retry_delay.nanos == 250_000_000
        assert service.stub.ListRuleSets(LIST, metadata=other).rule_sets
        clock.now += SECOND
        assert service.stub.ListRuleSets(LIST, metadata=one).rule_sets
        assert service.sample("tarneeb_shed_calls_total", reason="quota") == 1
        assert all(token not in service.raw() for token in TOKENS)


def test_without_tokens_an_address_has_a_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = still(monkeypatch)
    with Service(calls_per_second_per_caller=2) as service, grpc.insecure_channel(service.address) as second:
        for stub in (service.stub, TarneebServiceStub(second)):
            assert stub.ListRuleSets(LIST).rule_sets
        errors = [failure(lambda: service.stub.ListRuleSets(LIST)) for _ in range(7)]
        for error in errors:
            assert (error.code(), reason(error)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
            assert detail(error, error_details_pb2.RetryInfo)
            assert dict(error.trailing_metadata())["x-request-id"]
        # They are told of like others who are turned away, and let go.
        lines = [line for line in service.lines() if "refused" in line]
        assert len(lines) == 7
        assert {(line["refused"], line["code"], line["level"]) for line in lines} == {
            ("quota", "ResourceExhausted", "warning")
        }
        assert all(line["peer"] and "game_id" not in line for line in lines)
        assert service.pending == 0
        assert service.sample("tarneeb_shed_calls_total", reason="quota") == 7
        assert service.sample("grpc_server_handled_total", grpc_code="ResourceExhausted") == 7
        # Neither health nor reflection is counted, nor refused.
        assert service.status() == Answer.SERVING
        reflect: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        assert list(reflect.ServerReflectionInfo(iter([request])))
        clock.now += SECOND // 2
        assert service.stub.ListRuleSets(LIST).rule_sets
        failure(lambda: service.stub.ListRuleSets(LIST))


def test_two_addresses_do_not_share(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch)
    with Service(calls_per_second_per_caller=1) as service:
        # Turned away before their messages are there.
        with open_calls(service, 6, source="127.0.0.2"):
            wait_for(lambda: service.sample("tarneeb_shed_calls_total", reason="quota") == 5)
        assert service.stub.ListRuleSets(LIST).rule_sets
        assert reason(failure(lambda: service.stub.ListRuleSets(LIST))) == "QUOTA_EXCEEDED"
        refused = [
            line["peer"].partition(":")[2].rpartition(":")[0] for line in service.lines() if "refused" in line
        ]
        assert sorted(refused) == ["127.0.0.1", *["127.0.0.2"] * 5]


def test_by_default_nobody_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Quotas, "take", lambda *_: pytest.fail("asked"))
    with Service() as service:
        for _ in range(20):
            assert service.stub.ListRuleSets(LIST).rule_sets
        assert service.server.admission._quotas is None
        assert service.sample("tarneeb_shed_calls_total", reason="quota") == 0
