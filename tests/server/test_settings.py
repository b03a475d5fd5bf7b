import json
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from harness.service_process import SERVICE_CONFIG
from tarneeb_service.cli.commands.config import as_markdown
from tarneeb_service.cli.main import main
from tarneeb_service.server.settings import AUTO, Settings, SettingsError, load, setting_fields, variable

ROOT = Path(__file__).parents[2]


def test_defaults_are_used_when_nothing_is_set() -> None:
    loaded = load({}, {})
    assert loaded.settings == Settings()
    assert set(loaded.sources.values()) == {"default"}
    with pytest.raises(FrozenInstanceError):
        loaded.settings.port = 1  # type: ignore[misc]


def test_a_flag_overrides_the_environment() -> None:
    loaded = load({"TARNEEB_PORT": "6000", "TARNEEB_THREADS": "2"}, {"port": "7000"})
    assert (loaded.settings.port, loaded.settings.threads) == (7000, 2)
    assert (loaded.sources["port"], loaded.sources["threads"]) == ("flag", "environment")


def test_an_empty_variable_is_an_unset_one() -> None:
    assert load({"TARNEEB_PORT": "", "TARNEEB_TLS_CERT_FILE": ""}, {}).settings == Settings()


@pytest.mark.parametrize(
    "name, text, value",
    [
        ("metrics_port", "auto", AUTO),
        ("health_port", "0", 0),
        ("reflection", "False", False),
        ("reflection", "on", True),
        ("log_successes_per_second", "7", 7),
        ("log_format", "JSON", "json"),
        ("drain_seconds", "2.5", 2.5),
        ("host", "0.0.0.0", "0.0.0.0"),
        ("calls_per_second_per_caller", "50", 50),
        ("otlp_endpoint", "http://collector.tracing:4317", "http://collector.tracing:4317"),
        ("otlp_endpoint", "https://[::1]:4317/", "https://[::1]:4317/"),
    ],
)
def test_values(name: str, text: str, value: object) -> None:
    assert getattr(load({variable(name): text}, {}).settings, name) == value


@pytest.mark.parametrize(
    "name, text",
    [
        ("port", "many"),
        ("port", "-1"),
        ("port", "65536"),
        ("share_port", "perhaps"),
        ("memory_games", "-1"),
        ("metrics_port", "9464.5"),
        ("threads", "0"),
        ("max_batch", "257"),
        ("max_message_bytes", "10"),
        ("log_successes_per_second", "-1"),
        ("drain_seconds", "nan"),
        ("drain_seconds", "-1"),
        ("drain_seconds", "inf"),
        ("log_level", "loud"),
        ("log_format", "xml"),
        ("reflection", "maybe"),
        ("host", "two words"),
        ("tokens_file", "/nowhere/tokens"),
        ("tls_cert_file", "/nowhere/cert"),
        ("calls_per_second_per_caller", "-1"),
        ("calls_per_second_per_caller", "0.5"),
        ("otlp_endpoint", "collector:4317"),
        ("otlp_endpoint", "http://collector"),
        ("otlp_endpoint", "http://somebody:secret@collector:4317"),
        ("otlp_endpoint", "grpc://collector:4317"),
        ("trace_share", "1.1"),
        ("trace_share", "nan"),
    ],
)
def test_bad_values_name_the_variable(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=variable(name)):
        load({variable(name): text}, {})
    with pytest.raises(SettingsError, match="--" + name.replace("_", "-")):
        load({}, {name: text})


def test_a_variable_that_kubernetes_made_is_explained() -> None:
    with pytest.raises(SettingsError, match="enableServiceLinks"):
        load({"TARNEEB_PORT": "tcp://10.0.0.1:50051"}, {})


def test_settings_that_contradict_each_other(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(SettingsError, match="TARNEEB_METRICS_PORT must differ from TARNEEB_PORT"):
        load({"TARNEEB_PORT": "9464"}, {})
    with pytest.raises(SettingsError, match="go together"):
        load({"TARNEEB_TLS_CERT_FILE": str(file)}, {})
    with pytest.raises(SettingsError, match="TARNEEB_TLS_CLIENT_CA_FILE needs"):
        load({"TARNEEB_TLS_CLIENT_CA_FILE": str(file)}, {})
    with pytest.raises(SettingsError, match="TARNEEB_TRACE_SHARE needs TARNEEB_OTLP_ENDPOINT"):
        load({"TARNEEB_TRACE_SHARE": "0.1"}, {})
    for port in ("0", "auto"):
        with pytest.raises(SettingsError, match="TARNEEB_SHARE_PORT needs TARNEEB_PORT"):
            load({"TARNEEB_SHARE_PORT": "true", "TARNEEB_PORT": port}, {})


def test_unknown_variables_are_found() -> None:
    assert load({"TARNEEB_PROT": "1", "PATH": "x"}, {}).unknown == ("TARNEEB_PROT",)


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    out, err = capsys.readouterr()
    code: Any = exit_.value.code
    return code, out, err


def test_config_prints_every_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TARNEEB_THREADS", "3")
    monkeypatch.setenv("TARNEEB_TREADS", "3")
    code, out, err = run(["config", "--port", "6000"], capsys)
    assert code == 0
    for setting in setting_fields():
        assert f"{variable(setting.name)}=" in out
        assert setting.metadata["doc"] in out
    assert "TARNEEB_PORT=6000  (flag)" in out
    assert "TARNEEB_THREADS=3  (environment)" in out
    assert "TARNEEB_TREADS is no setting" in err
    code, out, _ = run(["config", "--format", "json"], capsys)
    document = json.loads(out)
    assert list(document) == [variable(setting.name) for setting in setting_fields()]
    assert document["TARNEEB_THREADS"]["value"] == 3


def test_bad_settings_end_with_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TARNEEB_THREADS", "none")
    for command in ("serve", "config"):
        code, _, err = run([command], capsys)
        assert code == 2
        assert "TARNEEB_THREADS must be a number, 1 to 64, not 'none'" in err
    assert run(["serve", "--threads", "99"], capsys)[0] == 2
    assert run(["serve", "--no-such-flag"], capsys)[0] == 2


def test_the_documentation_has_the_table_that_config_prints() -> None:
    assert as_markdown(load({}, {})) in (ROOT / "docs/operations.md").read_text("utf-8")


def test_config_needs_no_grpc() -> None:
    code = "import sys, tarneeb_service.cli.main; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 0


def test_the_documented_service_config_is_the_one_that_was_tested() -> None:
    text = (ROOT / "docs/operations.md").read_text("utf-8")
    documented = text.partition("```json\n")[2].partition("```")[0]
    assert json.loads(documented) == json.loads(SERVICE_CONFIG)
