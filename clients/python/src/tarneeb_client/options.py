"""How a client reaches the service, and what it does when a replica fails it."""

import json
from dataclasses import dataclass
from typing import Any

import grpc

# Every call may be repeated: the service keeps nothing between two calls. CANCELLED is what a server that stops gives
# to calls it had not begun. There is no "timeout" in here: grpcio lets one expire early.
SERVICE_CONFIG: dict[str, Any] = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "healthCheckConfig": {"serviceName": ""},
    "methodConfig": [
        {
            "name": [{"service": "tarneeb.v1.TarneebService"}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ],
}


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS: roots in PEM, those of the system when there are none; certificate and key, in PEM, for mutual TLS."""

    roots: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a client can be told: seconds for each call, retries included; TLS; a bearer token; channel arguments."""

    deadline: float = 2.0
    tls: Tls | None = None
    token: str | None = None
    service_config: dict[str, Any] | None = None
    channel: tuple[tuple[str, Any], ...] = ()

    def arguments(self) -> list[tuple[str, Any]]:
        """The channel's arguments."""
        config = SERVICE_CONFIG if self.service_config is None else self.service_config
        return [("grpc.service_config", json.dumps(config)), *self.channel]

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What each call carries."""
        return () if self.token is None else (("authorization", f"Bearer {self.token}"),)

    def credentials(self) -> grpc.ChannelCredentials | None:
        """The channel's credentials, or none for plain text."""
        if self.tls is None:
            return None
        return grpc.ssl_channel_credentials(self.tls.roots, self.tls.key, self.tls.certificate)


def full_target(target: str) -> str:
    """`host:port` by DNS, so that every replica behind the name is found; a target with a scheme as it is."""
    return target if "://" in target or target.startswith(("unix:", "ipv4:", "ipv6:")) else f"dns:///{target}"
