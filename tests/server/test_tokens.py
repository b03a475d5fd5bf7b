from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.server import file_watch as files
from tarneeb_service.server.settings import SettingsError
from tarneeb_service.server.tokens import read_tokens
from tests.server.support import Answer, Service, failure, reason, wait_for

GOOD, NEW = "a-token-of-the-lobby", "a-token-of-tomorrow"
LIST = pb.ListRuleSetsRequest()


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    path.write_text(f"# of the lobby\n{GOOD}\n\n")
    return path


def test_only_good_tokens_get_in(tokens: Path) -> None:
    with Service(tokens_file=str(tokens)) as service:
        assert service.stub.ListRuleSets(LIST, metadata=bearer(GOOD)).rule_sets
        assert service.stub.ListRuleSets(LIST, metadata=(("authorization", f"bearer {GOOD}"),)).rule_sets
        bad = [(), bearer(GOOD[:-1]), bearer(""), bearer(GOOD + "x"), (("authorization", GOOD),), bearer("#")]
        for metadata in bad:
            error = failure(lambda: service.stub.ListRuleSets(LIST, metadata=metadata))  # noqa: B023
            assert error.code() is grpc.StatusCode.UNAUTHENTICATED
            assert reason(error) == "UNAUTHENTICATED"
        assert service.sample("tarneeb_shed_calls_total", reason="unauthenticated") == len(bad)
        assert [line["refused"] for line in service.lines() if "refused" in line] == [
            "unauthenticated"
        ] * len(bad)
        assert GOOD not in service.raw()


def test_health_needs_no_token_and_all_else_does(tokens: Path) -> None:
    with Service(tokens_file=str(tokens)) as service:
        assert service.status("liveness") == Answer.SERVING
        reflect: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        error = failure(lambda: list(reflect.ServerReflectionInfo(iter([request]))))
        assert error.code() is grpc.StatusCode.UNAUTHENTICATED
        assert list(reflect.ServerReflectionInfo(iter([request]), metadata=bearer(GOOD)))
        unknown: Any = service.channel.unary_unary("/x.Y/Z")
        assert failure(lambda: unknown(b"")).code() is grpc.StatusCode.UNAUTHENTICATED


def test_tokens_are_read_again_when_the_file_changes(tokens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "INTERVAL", 0.0)
    with Service(tokens_file=str(tokens)) as service:
        failure(lambda: service.stub.ListRuleSets(LIST, metadata=bearer(NEW)))
        tokens.write_text(f"{NEW}\n")
        assert service.stub.ListRuleSets(LIST, metadata=bearer(NEW)).rule_sets
        failure(lambda: service.stub.ListRuleSets(LIST, metadata=bearer(GOOD)))
        # A file that is no good leaves the old ones in force, and is looked at again.
        tokens.write_text("short\n")
        assert service.stub.ListRuleSets(LIST, metadata=bearer(NEW)).rule_sets
        assert service.sample("tarneeb_reload_failures_total", files="tokens") >= 1
        wait_for(lambda: service.lines("tokens not reloaded, the old ones hold"))
        tokens.unlink()
        # It counts on while the file is gone, so that an alert does too.
        before = service.sample("tarneeb_reload_failures_total", files="tokens")
        for _ in range(3):
            assert service.stub.ListRuleSets(LIST, metadata=bearer(NEW)).rule_sets
        assert service.sample("tarneeb_reload_failures_total", files="tokens") >= before + 3
        tokens.write_text(f"{GOOD}\n")
        assert service.stub.ListRuleSets(LIST, metadata=bearer(GOOD)).rule_sets
        assert NEW not in service.raw()


@pytest.mark.parametrize("text", ["", "# nothing\n", "short\n", "two words in a line\n", "é" * 20])
def test_a_file_without_good_tokens_is_no_setting(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(SettingsError, match="TARNEEB_TOKENS_FILE") as error:
        read_tokens(str(path))
    assert "short" not in str(error.value)
    with pytest.raises(SettingsError):
        Service(tokens_file=str(path))
