"""``config``: every setting, for people, programs and the documentation."""

import json
import sys

from tarneeb_service.cli.output import complain
from tarneeb_service.server.settings import Loaded, allowed, flag, setting_fields, shown, variable


def config(loaded: Loaded, form: str) -> int:
    """Print the settings in one of ``RENDERERS``, and name the variables that are none."""
    sys.stdout.write(RENDERERS[form](loaded))
    for name in loaded.unknown:
        complain(f"{name} is no setting and is ignored")
    return 0


def as_text(loaded: Loaded) -> str:
    """Return the settings for a terminal."""
    lines = []
    for setting in setting_fields():
        value = getattr(loaded.settings, setting.name)
        lines.append(f"{variable(setting.name)}={_value(value)}  ({loaded.sources[setting.name]})")
        lines.append(f"    {setting.metadata['doc']}")
        lines.append(f"    {flag(setting.name)}; {allowed(setting)}; default {_value(setting.default)}")
    return "\n".join(lines) + "\n"


def as_json(loaded: Loaded) -> str:
    """Return the settings for a program."""
    document = {
        variable(setting.name): {
            "value": getattr(loaded.settings, setting.name),
            "source": loaded.sources[setting.name],
            "default": setting.default,
            "allowed": allowed(setting),
            "flag": flag(setting.name),
            "doc": setting.metadata["doc"],
        }
        for setting in setting_fields()
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_markdown(_loaded: Loaded) -> str:
    """Return the table of the documentation; it has defaults alone."""
    lines = ["| Variable | Default | Takes | Meaning |", "| --- | --- | --- | --- |"]
    for setting in setting_fields():
        default = f"`{_value(setting.default)}`" if _value(setting.default) else "unset"
        doc = setting.metadata["doc"]
        lines.append(f"| `{variable(setting.name)}` | {default} | {allowed(setting)} | {doc} |")
    return "\n".join(lines) + "\n"


RENDERERS = {"text": as_text, "json": as_json, "markdown": as_markdown}


def _value(value: object) -> str:
    return "auto" if value == -1 else shown(value)
