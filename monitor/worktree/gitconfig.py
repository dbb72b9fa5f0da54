"""Reads git's configuration as data: what a file says, and nothing it names is ever run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = re.compile(r'\[([-.A-Za-z0-9]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
_KEY = re.compile(r"([A-Za-z][-A-Za-z0-9]*)[ \t]*(=|\n|\Z)")
_COMMENT = re.compile(r"[#;][^\n]*")
_BLANK = " \t\n\r"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\", "\n": "", "": ""}


class ConfigError(ValueError):
    """The file is none that git would read."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a configuration file."""

    name: str
    """Section, subsection and key, joined by dots; section and key in lower case."""
    value: str | None
    """None where only the key stands there, which means true."""


def parse(text: str) -> Iterator[Setting]:
    """The settings of a file in their order, as git reads them."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    section, at = "", 0
    while at < len(text):
        if text[at] in _BLANK:
            at += 1
        elif comment := _COMMENT.match(text, at):
            at = comment.end()
        elif header := _SECTION.match(text, at):
            section, at = _section(header), header.end()
        elif section and (key := _KEY.match(text, at)):
            value, at = _value(text, key.end()) if key.group(2) == "=" else (None, key.end())
            yield Setting(section + key.group(1).lower(), value)
        else:
            raise ConfigError(f"line {text.count(chr(10), 0, at) + 1} is no setting")


def _section(header: re.Match[str]) -> str:
    inner = header.group(2)
    return header.group(1).lower() + "." + ("" if inner is None else re.sub(r"\\(.)", r"\1", inner) + ".")


def _value(text: str, at: int) -> tuple[str, int]:
    """The value that begins at `at`, and where it ends: unquoted, escapes read, outer blanks dropped."""
    value, blanks, quoted = "", 0, False
    while at < len(text) and text[at] != "\n":
        sign = text[at]
        at += 1
        if sign in _BLANK and not quoted:
            blanks += bool(value)
        elif sign in "#;" and not quoted:
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            value, blanks = value + " " * blanks, 0
            if sign == "\0":
                raise ConfigError("a zero byte in a value")
            if sign == "\\":
                sign = _escape(text[at : at + 1])
                at += 1
            elif sign == '"':
                quoted, sign = not quoted, ""
            value += sign
    if quoted:
        raise ConfigError("a quote without an end")
    return value, at


def _escape(sign: str) -> str:
    if sign not in _ESCAPES:
        raise ConfigError("an unknown escape")
    return _ESCAPES[sign]


def truth(value: str | None) -> bool:
    """Whether a value means yes; what is no such word means yes too, as `input` does for line ends."""
    return value is None or value.lower() not in ("false", "no", "off", "0", "")
