"""TLS from files, read again when they change: cert-manager renews them under a running service.

gRPC's core takes a broken bundle in silence and keeps the old one, so files are tried out before it gets them.
"""

import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from tarneeb_service.server.file_watch import Watched
from tarneeb_service.server.settings import Settings, SettingsError
from tarneeb_service.telemetry.log import Log
from tarneeb_service.telemetry.metrics import Metrics

_PEM = "-----BEGIN CERTIFICATE-----"


class Certificates:
    """The certificates of the service, as gRPC asks for them at each handshake."""

    def __init__(self, settings: Settings, log: Log, metrics: Metrics) -> None:
        """Read the files.

        Raises:
            SettingsError: They are no certificate that is good today and its key, or no authorities.
        """
        self._settings, self._log, self._metrics = settings, log, metrics
        self._files = Watched(settings.tls_cert_file, settings.tls_key_file, settings.tls_client_ca_file)
        # In seconds since 1970.
        self._expiry = 0.0
        self._first = self._read()
        metrics.gauge(
            "tarneeb_certificate_expiry_timestamp_seconds",
            "When the certificate that is served expires, in seconds since 1970.",
            lambda: self._expiry,
        )

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a secure port is opened with."""
        return grpc.dynamic_ssl_server_credentials(
            self._first,
            self._fetch,
            require_client_authentication=bool(self._settings.tls_client_ca_file),
        )

    # None is "as before", which the stubs leave out.
    def _fetch(self) -> Any:
        if not self._files.changed():
            return None
        try:
            configuration = self._read()
        except SettingsError as error:
            # Perhaps half written: the old ones hold, and it looks again.
            self._files.again()
            self._metrics.reload_failures["tls"].inc()
            self._log.event("error", "certificates not reloaded, the old ones hold", problem=str(error))
            return None
        self._log.event("info", "certificates reloaded")
        return configuration

    def _read(self) -> grpc.ServerCertificateConfiguration:
        settings = self._settings
        chain, key = (
            _text("TARNEEB_TLS_CERT_FILE", settings.tls_cert_file),
            _text("TARNEEB_TLS_KEY_FILE", settings.tls_key_file),
        )
        expiry = _expiry_of_pair(settings.tls_cert_file, settings.tls_key_file, chain)
        authorities = None
        if settings.tls_client_ca_file:
            authorities = _text("TARNEEB_TLS_CLIENT_CA_FILE", settings.tls_client_ca_file)
            _check_authorities(authorities)
        self._expiry = expiry
        return grpc.ssl_server_certificate_configuration(
            [(key.encode(), chain.encode())],
            root_certificates=None if authorities is None else authorities.encode(),
        )


def _text(variable: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise SettingsError(f"{variable} can't be read: {reason}") from None


def _expiry_of_pair(certificate: str, key: str, chain: str) -> float:
    """Return when a certificate expires, in seconds since 1970; it and its key serve a handshake first, in memory.

    So they are such, belong together, and are good today.
    """
    try:
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(certificate, key, password=_no_password)
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname = False
        # The certificate itself is the one that is trusted, whoever signed it.
        client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        client.load_verify_locations(cadata=chain)
        shown = _shake_hands(server, client)
        return float(ssl.cert_time_to_seconds(str(shown["notAfter"])))
    except (OSError, ValueError) as error:
        reason = getattr(error, "verify_message", None) or getattr(error, "reason", None) or str(error)
        raise SettingsError(
            f"TARNEEB_TLS_CERT_FILE and TARNEEB_TLS_KEY_FILE are no certificate and its key: {reason}"
        ) from None


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> dict[str, Any]:
    """Return what a client sees of a server's certificate."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    steps: list[Callable[[], None]] = [end.do_handshake for end in ends]
    while steps:
        for step in list(steps):
            try:
                step()
                steps.remove(step)
            except ssl.SSLWantReadError:
                continue
    return dict(ends[0].getpeercert() or {})


def _check_authorities(bundle: str) -> None:
    """Make sure that a bundle holds certificates, all of them whole, and one at least that is good today."""
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=bundle)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error)
        raise SettingsError(f"TARNEEB_TLS_CLIENT_CA_FILE holds a broken PEM certificate: {reason}") from None
    found = context.get_ca_certs()
    if len(found) < len(set(bundle.split(_PEM)[1:])):
        raise SettingsError(
            "TARNEEB_TLS_CLIENT_CA_FILE holds a certificate that is cut short, or of no authority"
        )
    if not found:
        raise SettingsError("TARNEEB_TLS_CLIENT_CA_FILE holds no PEM certificate")
    if all(ssl.cert_time_to_seconds(str(each["notAfter"])) < time.time() for each in found):
        raise SettingsError("TARNEEB_TLS_CLIENT_CA_FILE holds only certificates that have expired")


def _no_password() -> str:
    raise ValueError("the key must not be encrypted")
