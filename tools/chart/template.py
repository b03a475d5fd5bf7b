"""A rendered object turned into the text of a Helm template."""

import copy
import re
from typing import Any

import yaml

from tools.check_deploy.manifests import Document

# What stands for a place while YAML is written: alone, as a key's value, as a key, or as an item of a list.
_HOLE = re.compile(r"^(?P<left> *(?:- )?)(?P<key>.*?)HOLE(?P<number>\d+)E")
_INDENT = re.compile(r"INDENT(?:\+(\d+))?")


class Template:
    """An object whose places can become values or lines of a template; INDENT in those is their column."""

    def __init__(self, document: Document) -> None:
        first = {key: document[key] for key in ("apiVersion", "kind", "metadata")}
        self.document = copy.deepcopy({**first, **document})
        # The values that it takes, with what the base has in their places.
        self.defaults: dict[str, Any] = {}
        self._texts: list[str] = []
        self._condition = ""

    def only_if(self, condition: str) -> None:
        self._condition = condition

    def value(self, parent: Any, key: str | int, name: str) -> None:
        """A place that a value fills; its default is what the base has there."""
        default = self.defaults[name] = parent[key]
        if isinstance(default, dict | list):
            parent[key] = self._hole(f"{{{{- toYaml .Values.{name} | nindent INDENT+2 }}}}")
        else:
            parent[key] = self._hole(f"{{{{ .Values.{name} | toJson }}}}")

    def put(self, parent: Any, key: str, text: str) -> None:
        """A place that gets a text of its own; it must be in the base."""
        _ = parent[key]
        parent[key] = self._hole(text)

    def add(self, parent: Any, *lines: str) -> None:
        """Lines at the end of a mapping or a list."""
        hole = self._hole("\n".join(lines))
        if isinstance(parent, list):
            parent.append(hole)
        else:
            parent[hole] = None

    def add_optional(self, parent: Any, key: str, name: str) -> None:
        """An entry that the base does not have, there when its value is."""
        block = "  {{- toYaml . | nindent INDENT+2 }}"
        self.add(parent, f"{{{{- with .Values.{name} }}}}", f"{key}:", block, "{{- end }}")

    def keep_if(self, parent: Any, key: str, condition: str) -> None:
        """An entry of the base that is there on a condition only."""
        lines = yaml.safe_dump({key: parent.pop(key)}).splitlines()
        self.add(parent, f"{{{{- if {condition} }}}}", *lines, "{{- end }}")

    def text(self) -> str:
        written = yaml.safe_dump(self.document, sort_keys=False, width=110)
        lines = [each for line in written.splitlines() for each in self._filled(line)]
        if self._condition:
            lines = [f"{{{{- if {self._condition} }}}}", *lines, "{{- end }}"]
        return "\n".join(lines) + "\n"

    def _hole(self, text: str) -> str:
        self._texts.append(text)
        return f"HOLE{len(self._texts) - 1}E"

    def _filled(self, line: str) -> list[str]:
        found = _HOLE.match(line)
        if not found:
            return [line]
        text = self._texts[int(found["number"])]
        if found["key"]:
            text = _indented(text, len(found["left"]))
            start = found["left"] + found["key"]
            # A block begins on a line of its own.
            return [start + text] if "nindent" not in text else [start.rstrip(), f"{found['left']}  {text}"]
        indent = len(found["left"].removesuffix("- "))
        return [" " * indent + _indented(each, indent) for each in text.split("\n")]


def _indented(text: str, indent: int) -> str:
    return _INDENT.sub(lambda match: str(indent + int(match[1] or 0)), text)
