"""TLS with certificates that openssl makes."""

import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.server import file_watch as files
from tarneeb_service.server.settings import SettingsError
from tests.server.support import Service, failure

Monkey = pytest.MonkeyPatch
LIST = pb.ListRuleSetsRequest()


def openssl(*arguments: object) -> None:
    if not shutil.which("openssl"):
        pytest.fail("openssl makes the certificates of this test: apt-get install openssl")
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=60)


class Authority:
    """Signs certificates."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.cert, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        new = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        openssl(*new, "-days", 2, "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.cert)

    def sign(self, name: str, days: int = 2) -> tuple[Path, Path]:
        """Make a key, and a certificate for localhost."""
        cert, key, request = (self.folder / f"{name}{end}" for end in (".crt", ".key", ".csr"))
        extensions = self.folder / "extensions"
        extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        new = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        openssl(*new, "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        signed_by = ("-CA", self.cert, "-CAkey", self.key, "-CAcreateserial", "-extfile", extensions)
        openssl("x509", "-req", "-in", request, "-days", days, "-out", cert, *signed_by)
        return cert, key


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"), "authority")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stranger"), "stranger")


@pytest.fixture
def pair(authority: Authority, tmp_path: Path) -> tuple[Path, Path]:
    """Certificate and key where the service finds them."""
    cert, key = authority.sign("server")
    return Path(shutil.copy(cert, tmp_path / "tls.crt")), Path(shutil.copy(key, tmp_path / "tls.key"))


def trusting(authority: Authority, own: tuple[Path, Path] | None = None) -> grpc.ChannelCredentials:
    cert, key = own or (None, None)
    return grpc.ssl_channel_credentials(
        authority.cert.read_bytes(), key.read_bytes() if key else None, cert.read_bytes() if cert else None
    )


def serving_certificate(service: Service, authority: Authority) -> bool:
    """Say whether a new connection trusts the service."""
    # Else channels of the same kind share a connection.
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.secure_channel(service.address, trusting(authority), options) as channel:
        try:
            return bool(TarneebServiceStub(channel).ListRuleSets(LIST, timeout=5).rule_sets)
        except grpc.RpcError:
            return False


def test_tls_and_nothing_else(authority: Authority, stranger: Authority, pair: tuple[Path, Path]) -> None:
    cert, key = map(str, pair)
    with Service(tls_cert_file=cert, tls_key_file=key, credentials=trusting(authority)) as service:
        assert service.stub.ListRuleSets(LIST, timeout=10).rule_sets
        assert not serving_certificate(service, stranger)
        with grpc.insecure_channel(service.address) as plain:
            error = failure(lambda: TarneebServiceStub(plain).ListRuleSets(LIST, timeout=3))
            assert error.code() is grpc.StatusCode.UNAVAILABLE
        with grpc.insecure_channel(f"localhost:{service.server.health_port}") as plain:
            stub: Any = health_pb2_grpc.HealthStub(plain)
            assert stub.Check(health_pb2.HealthCheckRequest(), timeout=5).status == 1


def test_mutual_tls(authority: Authority, stranger: Authority, pair: tuple[Path, Path]) -> None:
    cert, key = map(str, pair)
    with Service(
        tls_cert_file=cert,
        tls_key_file=key,
        tls_client_ca_file=str(authority.cert),
        credentials=trusting(authority, authority.sign("caller")),
    ) as service:
        assert service.stub.ListRuleSets(LIST, timeout=10).rule_sets
        for own in (None, stranger.sign("caller")):
            with grpc.secure_channel(service.address, trusting(authority, own)) as channel:
                error = failure(lambda: TarneebServiceStub(channel).ListRuleSets(LIST, timeout=3))
                assert error.code() is grpc.StatusCode.UNAVAILABLE


def test_certificates_are_read_again_when_they_change(
    authority: Authority, stranger: Authority, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "INTERVAL", 0.0)
    cert, key = pair
    with Service(tls_cert_file=str(cert), tls_key_file=str(key), credentials=trusting(authority)) as service:
        assert service.stub.ListRuleSets(LIST, timeout=10).rule_sets
        new_cert, new_key = stranger.sign("server")
        # Half of it: the old pair holds.
        shutil.copy(new_cert, cert)
        assert serving_certificate(service, authority)
        assert service.sample("tarneeb_reload_failures_total", files="tls") >= 1
        assert "not reloaded" in service.raw()
        shutil.copy(new_key, key)
        assert serving_certificate(service, stranger)
        assert not serving_certificate(service, authority)
        # A connection that was open goes on.
        assert service.stub.ListRuleSets(LIST, timeout=10).rule_sets


def test_a_half_written_bundle_of_authorities_is_not_taken(
    authority: Authority, stranger: Authority, pair: tuple[Path, Path], tmp_path: Path, monkeypatch: Monkey
) -> None:
    monkeypatch.setattr(files, "INTERVAL", 0.0)
    cert, key = map(str, pair)
    bundle = Path(shutil.copy(authority.cert, tmp_path / "ca.crt"))
    caller, other = authority.sign("caller"), stranger.sign("caller")
    with Service(tls_cert_file=cert, tls_key_file=key, tls_client_ca_file=str(bundle)) as service:
        whole = authority.cert.read_text() + stranger.cert.read_text()
        # The second of two is cut short; the core would take the first alone, or keep the old ones, and say nothing.
        bundle.write_text(whole[:-200])
        assert calls(service, authority, caller)
        assert not calls(service, authority, other)
        assert service.sample("tarneeb_reload_failures_total", files="tls") >= 1
        assert "TARNEEB_TLS_CLIENT_CA_FILE" in service.raw()
        bundle.write_text(whole)
        assert calls(service, authority, other)
        assert calls(service, authority, caller)


def calls(service: Service, authority: Authority, own: tuple[Path, Path]) -> bool:
    """Say whether a new connection with a caller's own certificate is let in."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.secure_channel(service.address, trusting(authority, own), options) as channel:
        try:
            return bool(TarneebServiceStub(channel).ListRuleSets(LIST, timeout=3).rule_sets)
        except grpc.RpcError:
            return False


def test_when_the_certificate_expires_is_a_metric(authority: Authority, pair: tuple[Path, Path]) -> None:
    cert, key = map(str, pair)
    with Service(tls_cert_file=cert, tls_key_file=key, credentials=trusting(authority)) as service:
        left = service.sample("tarneeb_certificate_expiry_timestamp_seconds") - time.time()
        assert 1.9 * 86_400 < left <= 2 * 86_400


def test_files_that_are_no_certificate(authority: Authority, pair: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = pair
    text = tmp_path / "text"
    text.write_text("no certificate")
    other_key = authority.sign("other")[1]
    expired, expired_key = authority.sign("expired", days=-1)
    cut = tmp_path / "cut.crt"
    cut.write_text(authority.cert.read_text()[:-200])
    locked = tmp_path / "locked.key"
    openssl("ec", "-in", key, "-aes256", "-passout", "pass:secret", "-out", locked)
    cases: tuple[dict[str, Any], ...] = (
        {"tls_cert_file": str(text), "tls_key_file": str(key)},
        {"tls_cert_file": str(cert), "tls_key_file": str(text)},
        {"tls_cert_file": str(cert), "tls_key_file": str(other_key)},
        {"tls_cert_file": str(cert), "tls_key_file": str(locked)},
        {"tls_cert_file": str(cert), "tls_key_file": str(key), "tls_client_ca_file": str(text)},
        {"tls_cert_file": str(cert), "tls_key_file": str(key), "tls_client_ca_file": str(cut)},
        {"tls_cert_file": str(expired), "tls_key_file": str(expired_key)},
    )
    for bad in cases:
        with pytest.raises(SettingsError, match="TARNEEB_TLS_"):
            Service(**bad)
