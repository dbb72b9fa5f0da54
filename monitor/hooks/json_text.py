"""Changes a JSON text where it must, and leaves every other character as it stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


class NotPlainError(ValueError):
    """The text is no JSON as the agent reads it; the message says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object or an item of an array, as it stands in the text."""

    key: str
    start: int
    """Of the key, or of the item."""
    value: int
    end: int
    content: Any


def parse(text: str) -> Any:
    """The value of the whole text. Raises `NotPlainError`."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        beside = text[: error.pos].rstrip()[-1:] + text[error.pos : error.pos + 2]
        if "//" in beside or "/*" in beside or text[error.pos : error.pos + 1] == "/":
            raise NotPlainError(f"it holds comments (line {error.lineno})") from None
        raise NotPlainError(f"it is no valid JSON: {error.msg.lower()} in line {error.lineno}") from None
    except RecursionError:
        raise NotPlainError("it is nested too deeply") from None


def parts(text: str, at: int) -> list[Part]:
    """The members of the object, or the items of the array, that opens at `at`."""
    found: list[Part] = []
    keyed, at = text[at] == "{", _skip(text, at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if keyed:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        content, end = _DECODER.raw_decode(text, at)
        found.append(Part(key, start, at, end, content))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return found


def member(text: str, at: int, key: str) -> Part | None:
    """The member of that name; of several the last, as every reader takes it."""
    return next((one for one in reversed(parts(text, at)) if one.key == key), None)


def begin(text: str) -> int:
    """Where the value of the whole text begins."""
    return _skip(text, 0)


def insert(text: str, at: int, value: Any, key: str = "") -> str:
    """The text with one more member, or item, at the end of the object or array that opens at `at`, on its own lines."""
    inner = parts(text, at)
    end = "\r\n" if "\r\n" in text else "\n"
    outer, unit = _indent(text, at), _unit(text)
    lead = text[at + 1 : inner[0].start] if inner else ""
    own = lead.rpartition("\n")[2] if "\n" in lead else outer + unit
    told = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"{end}{own}")
    told = f"{end}{own}" + (f"{json.dumps(key)}: " if key else "") + told
    if inner:
        return f"{text[: inner[-1].end]},{told}{text[inner[-1].end :]}"
    return f"{text[: at + 1]}{told}{end}{outer}{text[_skip(text, at + 1) :]}"


def remove(text: str, at: int, index: int) -> str:
    """The text without the member, or item, of that number in what opens at `at`."""
    inner = parts(text, at)
    if len(inner) == 1:
        return text[: at + 1] + text[_skip(text, inner[0].end) :]
    if index:
        return text[: inner[index - 1].end] + text[inner[index].end :]
    return text[: inner[0].start] + text[inner[1].start :]


def _unit(text: str) -> str:
    """What one level is indented by: as the first member of the whole is."""
    found = re.match(r"\s*[{\[][ \t]*\r?\n([ \t]+)", text)
    return found[1] if found else "  "


def _indent(text: str, at: int) -> str:
    """What the line is indented by in which something opens."""
    found = re.match(r"[ \t]*", text[text.rfind("\n", 0, at) + 1 :])
    return found[0] if found else ""


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _refuse(word: str) -> NoReturn:
    raise NotPlainError(f"it holds {word}, which is no JSON")
