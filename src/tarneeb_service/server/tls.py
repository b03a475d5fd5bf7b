"""TLS from files, read again when they change: cert-manager renews them under a running service."""

from pathlib import Path
from typing import Any

import grpc

from tarneeb_service.server.file_watch import Watched
from tarneeb_service.server.settings import Settings, SettingsError
from tarneeb_service.telemetry.logs import Log
from tarneeb_service.telemetry.metrics import Metrics


class Certificates:
    """The certificates of the service, as gRPC asks for them at each handshake."""

    def __init__(self, settings: Settings, log: Log, metrics: Metrics) -> None:
        """Read the files.

        Raises:
            SettingsError: They are no certificate and its key.
        """
        self._settings, self._log, self._metrics = settings, log, metrics
        self._files = Watched(settings.tls_cert_file, settings.tls_key_file, settings.tls_client_ca_file)
        self._first = self._read()

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
            self._metrics.reload_failures["tls"] += 1
            self._log.event("error", "certificates not reloaded, the old ones hold", problem=str(error))
            return None
        self._log.event("info", "certificates reloaded")
        return configuration

    def _read(self) -> grpc.ServerCertificateConfiguration:
        settings = self._settings
        _check_pair(settings.tls_cert_file, settings.tls_key_file)
        try:
            key = Path(settings.tls_key_file).read_bytes()
            chain = Path(settings.tls_cert_file).read_bytes()
            authorities = (
                Path(settings.tls_client_ca_file).read_bytes() if settings.tls_client_ca_file else None
            )
        except OSError as error:
            raise SettingsError(f"a TLS file can't be read: {error.strerror}") from None
        if authorities is not None and b"-----BEGIN CERTIFICATE-----" not in authorities:
            raise SettingsError("TARNEEB_TLS_CLIENT_CA_FILE holds no PEM certificate")
        return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=authorities)


def _check_pair(certificate: str, key: str) -> None:
    """Make sure that certificate and key are such and belong together; gRPC would say so too late."""
    import ssl

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
        raise SettingsError(
            f"TARNEEB_TLS_CERT_FILE and TARNEEB_TLS_KEY_FILE are no certificate and its key: {reason}"
        ) from None


def _no_password() -> str:
    raise ValueError("the key must not be encrypted")
