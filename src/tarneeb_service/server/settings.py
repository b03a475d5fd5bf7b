"""The settings: every one of them, with its default, range and meaning.

They come from ``TARNEEB_*`` variables; a flag of the same name overrides. Secrets are never values, only
paths to files.
"""

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any

PREFIX = "TARNEEB_"
# A port that the kernel picks, where 0 means off.
AUTO = -1
# The port is said: gRPC would take 443 for none.
_URL = re.compile(r"https?://[^\s/@]+:\d+/?")
_TRUE, _FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


class SettingsError(ValueError):
    """A setting that can't be used; the text names the variable."""


class StartError(RuntimeError):
    """The service can't start; the text says which setting to change."""


def _port(default: int, doc: str, *, zero: str) -> Any:
    return field(default=default, metadata={"doc": doc, "low": AUTO, "high": 65_535, "zero": zero})


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _choice(default: str, doc: str, *choices: str) -> Any:
    return field(default=default, metadata={"doc": doc, "choices": choices})


def _file(doc: str) -> Any:
    return field(default="", metadata={"doc": doc, "file": True})


def _url(doc: str) -> Any:
    return field(default="", metadata={"doc": doc, "url": True})


def _plain(default: object, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator can set."""

    host: str = _plain(
        "[::]", "Address to serve on. [::] is every address, IPv4 too, and works without IPv6."
    )
    port: int = _port(
        50051,
        "Port of the service. The line `serving on port N` on stdout names it.",
        zero="picks a free one",
    )
    share_port: bool = _plain(
        False,
        "Let other processes with this setting serve on the same port; the kernel deals connections out among them.",
    )
    metrics_host: str = _plain("[::]", "Address to serve metrics on.")
    metrics_port: int = _port(
        9464, "Port of the Prometheus metrics, plain HTTP. The log line `serving` names it.", zero="off"
    )
    health_port: int = _port(
        50052,
        "Port of health for probes, plain text, on the host of the service; no caller can keep it busy.",
        zero="picks a free one",
    )
    threads: int = _number(
        4,
        "Calls worked on at once. They are pure CPU: four hide the hand-over between threads, more only compete.",
        1,
        64,
    )
    max_message_bytes: int = _number(
        1_048_576, "Longest request, decompressed. Longer ones are RESOURCE_EXHAUSTED.", 1_024, 67_108_864
    )
    max_batch: int = _number(256, "Most items in a ValidateMoves call. More are INVALID_ARGUMENT.", 1, 256)
    max_calls: int = _number(
        128, "Most calls at once, those that wait for a thread included. More are UNAVAILABLE.", 1, 100_000
    )
    max_replays: int = _number(
        16, "Most ReplayGame calls at once; they do not count as calls. More are UNAVAILABLE.", 1, 10_000
    )
    max_streams: int = _number(
        64,
        "Most calls at once on one connection. Further ones of a gRPC client wait for their turn there.",
        1,
        10_000,
    )
    calls_per_second_per_caller: int = _number(
        0,
        "Most calls in a second from one caller: a token, or without tokens an address. More are RESOURCE_EXHAUSTED; "
        "0 counts nobody.",
        0,
        1_000_000,
    )
    max_connections: int = _number(
        1_000, "Most connections at once, idle ones too. More are closed as they come.", 1, 100_000
    )
    memory_games: int = _number(
        4_096,
        "Checked games to remember, some 2 kB each, so that the next call for one need not check it again; 0 remembers "
        "none.",
        0,
        1_000_000,
    )
    retry_after_ms: int = _number(
        100, "What RetryInfo tells callers that were turned away, in milliseconds.", 1, 60_000
    )
    drain_seconds: float = _number(
        5, "After SIGTERM: how long to report NOT_SERVING and still answer, so that callers move on.", 0, 300
    )
    grace_seconds: float = _number(
        10, "After the drain: how long calls in flight may take before they are cancelled.", 0, 300
    )
    log_level: str = _choice("info", "Least level to log.", "debug", "info", "warning", "error")
    log_format: str = _choice(
        "auto", "How to log, to stderr; auto is console on a terminal, else json.", "auto", "json", "console"
    )
    log_successes_per_second: int = _number(
        100,
        "Most lines of successful calls in a second. What is left out is counted, and said.",
        0,
        1_000_000,
    )
    log_failures_per_second: int = _number(
        100,
        "Most lines in a second of each other kind: failed calls, calls turned away, what the network does.",
        0,
        1_000_000,
    )
    otlp_endpoint: str = _url(
        "Collector to send spans to, over gRPC: http in plain text, https over TLS. It needs the extra tracing."
    )
    trace_share: float = _number(
        0, "Share of calls to trace of those whose callers say nothing of traces; the others say it.", 0, 1
    )
    reflection: bool = _plain(True, "Serve gRPC reflection, v1 and v1alpha.")
    keepalive_seconds: float = _number(
        120, "Ping a connection that was quiet for so long, to find dead peers.", 1, 86_400
    )
    keepalive_timeout_seconds: float = _number(
        20, "Close a connection whose ping is not answered in so long.", 1, 3_600
    )
    min_ping_seconds: float = _number(
        30, "Least time between a caller's own pings; one that pings more often is cut off.", 1, 86_400
    )
    max_connection_age_seconds: float = _number(
        60, "Ask callers to connect anew after so long (±10 %), so that they find new replicas.", 1, 86_400
    )
    max_connection_age_grace_seconds: float = _number(
        30, "How long calls on such an aged connection may take.", 1, 3_600
    )
    tls_cert_file: str = _file("PEM certificate chain. With it the service speaks TLS alone.")
    tls_key_file: str = _file("PEM private key of the certificate.")
    tls_client_ca_file: str = _file("PEM authorities. With it callers must show a certificate of theirs.")
    tokens_file: str = _file("Bearer tokens, one a line. With it a call must carry one.")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, where each came from, and the variables that look like one and are none."""

    settings: Settings
    sources: Mapping[str, str]
    unknown: tuple[str, ...]


def setting_fields() -> tuple[Field[Any], ...]:
    """Return the settings' fields in order."""
    return fields(Settings)


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def flag(name: str) -> str:
    """Return the command line flag of a setting."""
    return "--" + name.replace("_", "-")


def load(environ: Mapping[str, str], flags: Mapping[str, str]) -> Loaded:
    """Return the settings of an environment and of flags by setting name.

    Raises:
        SettingsError: A value is no good, or contradicts another.
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for setting in setting_fields():
        name = setting.name
        text, source = flags.get(name), flag(name)
        if text is None:
            # An empty variable is an unset one: compose files and shells make such.
            text, source = environ.get(variable(name)) or None, variable(name)
        if text is None:
            sources[name] = "default"
        else:
            sources[name] = "flag" if source == flag(name) else "environment"
            values[name] = _parse(setting, text.strip(), source)
    settings = Settings(**values)
    _check_together(settings)
    known = {variable(setting.name) for setting in setting_fields()}
    unknown = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return Loaded(settings, sources, tuple(unknown))


def allowed(setting: Field[Any]) -> str:
    """Say what values a setting takes."""
    metadata = setting.metadata
    if "zero" in metadata:
        return f"0 to {metadata['high']}, 0 {metadata['zero']}" + (
            "" if "picks" in metadata["zero"] else "; auto picks a free one"
        )
    if "low" in metadata:
        return f"{metadata['low']} to {metadata['high']}"
    if "choices" in metadata:
        return ", ".join(metadata["choices"])
    if setting.type is bool:
        return "true, false"
    if "url" in metadata:
        return "http://host:port or https://host:port, or empty for off"
    return "path, or empty for off" if "file" in metadata else "address"


def shown(value: object) -> str:
    """Return a value as an operator would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _parse(setting: Field[Any], text: str, source: str) -> Any:
    metadata = setting.metadata
    if "zero" in metadata and text == "auto":
        return AUTO
    if "choices" in metadata:
        if text.lower() not in metadata["choices"]:
            raise SettingsError(f"{source} must be one of {allowed(setting)}, not {text!r}")
        return text.lower()
    if setting.type is bool:
        if text.lower() not in _TRUE + _FALSE:
            raise SettingsError(f"{source} must be true or false, not {text!r}")
        return text.lower() in _TRUE
    if "low" in metadata:
        return _parse_number(setting, text, source)
    if "file" in metadata:
        _check_readable(text, source)
    elif "url" in metadata:
        if text and not _URL.fullmatch(text):
            raise SettingsError(f"{source} must be {allowed(setting)}, not {text!r}")
    elif not text or any(character.isspace() for character in text):
        raise SettingsError(f"{source} must be an address such as 0.0.0.0 or [::], not {text!r}")
    return text


def _parse_number(setting: Field[Any], text: str, source: str) -> float:
    low, high = setting.metadata["low"], setting.metadata["high"]
    try:
        number: float = int(text) if setting.type is int else float(text)
    except ValueError:
        hint = ""
        if text.startswith("tcp://"):
            hint = " (Kubernetes made this variable for a Service: set enableServiceLinks: false)"
        raise SettingsError(f"{source} must be a number, {allowed(setting)}, not {text!r}{hint}") from None
    # Said so that NaN fails too; AUTO is only reached by its name.
    if not max(low, 0) <= number <= high:
        raise SettingsError(f"{source} must be {allowed(setting)}, not {text}")
    return number


def _check_readable(text: str, source: str) -> None:
    if not text:
        return
    # Late, since most services have no such file and start sooner without.
    from pathlib import Path

    try:
        with Path(text).open("rb") as file:
            file.read(1)
    except OSError as error:
        raise SettingsError(f"{source}: {text} can't be read: {error.strerror}") from None


def _check_together(settings: Settings) -> None:
    if bool(settings.tls_cert_file) != bool(settings.tls_key_file):
        raise SettingsError("TARNEEB_TLS_CERT_FILE and TARNEEB_TLS_KEY_FILE go together: set both or none")
    if settings.tls_client_ca_file and not settings.tls_cert_file:
        raise SettingsError("TARNEEB_TLS_CLIENT_CA_FILE needs TARNEEB_TLS_CERT_FILE and TARNEEB_TLS_KEY_FILE")
    if settings.trace_share and not settings.otlp_endpoint:
        raise SettingsError("TARNEEB_TRACE_SHARE needs TARNEEB_OTLP_ENDPOINT")
    if settings.share_port and settings.port <= 0:
        raise SettingsError("TARNEEB_SHARE_PORT needs TARNEEB_PORT to name the port that is shared")
    ports = [
        (variable(name), port)
        for name in ("port", "metrics_port", "health_port")
        if (port := getattr(settings, name)) > 0
    ]
    for index, (name, port) in enumerate(ports):
        for other, other_port in ports[index + 1 :]:
            if port == other_port:
                raise SettingsError(f"{other} must differ from {name}, both are {port}")
