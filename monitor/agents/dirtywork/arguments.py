"""Reads a call's arguments from the log, which keeps the first 2,000 characters of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monitor.agents.fields import Object, read_json

CALL_LIMIT = 2000
"""Characters of a call's arguments that the assistant's record keeps."""
RESULT_LIMIT = 500
"""Characters of them that the result's record keeps."""
_KEY = re.compile(r'\s*[{,]\s*"((?:[^"\\]|\\.)*)"\s*:\s*', re.DOTALL)
_BETWEEN = re.compile(r"[\s,]*")
_HALF = re.compile("[\ud800-\udbff]\\Z")
"""The first half of a character that the cut went through."""
_LOOSE = json.JSONDecoder(strict=False)
_ESCAPE = 13
"""Characters a cut may leave of an escape: less than two of six each."""
_DEPTH = 8
"""Lists and objects within each other that a cut may go through; no tool takes more than two."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What is left of a call's arguments."""

    fields: Mapping[str, Any]
    whole: bool = True
    """They are a JSON object, with nothing missing."""
    cut: bool = False
    """The log dropped a part of them."""
    last: str = ""
    """The field that the cut went through."""


def read_arguments(text: str, limit: int) -> Arguments:
    """The arguments in a text that the log may have cut at `limit` characters; total.

    Of a text that is no JSON, the fields that stand whole before the break are given, and the last as far
    as it goes.
    """
    if not text:
        return Arguments({})
    try:
        found = read_json(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        fields, last = _salvage(text)
        return Arguments(fields, whole=False, cut=len(text) >= limit, last=last)
    return Arguments(found) if isinstance(found, dict) else Arguments({}, whole=False)


def _salvage(text: str, depth: int = _DEPTH) -> tuple[Object, str]:
    """The fields before the break, and the name of the one it goes through."""
    fields: Object = {}
    at = 0
    while key := _KEY.match(text, at):
        name = _rest(key[1])
        try:
            fields[name], at = _LOOSE.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            fields[name] = _broken(text[key.end() :], depth)
            return fields, name
    return fields, ""


def _broken(text: str, depth: int) -> Any:
    """As much of a value as stands before the break."""
    if text.startswith('"'):
        return _rest(text[1:])
    return _items(text, depth - 1) if text.startswith("[") and depth else None


def _rest(text: str) -> str:
    """A text that lost its closing quote, without a half escape at its end."""
    for length in range(len(text), max(len(text) - _ESCAPE, -1), -1):
        try:
            return _HALF.sub("", str(_LOOSE.decode(f'"{text[:length]}"')))
        except ValueError:
            continue
    return ""


def _items(text: str, depth: int) -> list[Any]:
    """The items of a list that lost its end; the last as far as it goes."""
    items: list[Any] = []
    at = 1
    while (between := _BETWEEN.match(text, at)) and between.end() < len(text):
        try:
            item, at = _LOOSE.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            fields, last = _salvage(text[between.end() :], depth)
            return [*items, fields] if last else items
        items.append(item)
    return items
