"""The numbers a user wishes for, checked one by one: a bad one costs only itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from monitor.detectors.number import Number
from monitor.detectors.numbers import DEFAULTS, Numbers
from monitor.text import line, shorten


def granted(table: object) -> tuple[Numbers, list[str]]:
    """The numbers with every good wish of a table `detectors`, and a sentence for each bad one, which names its key."""
    if not isinstance(table, Mapping):
        return DEFAULTS, [f"[detectors] is no table, but {_shown(table)}"]
    numbers, problems = DEFAULTS, []
    known = {one.name for one in fields(Numbers)}
    for name, wishes in table.items():
        if name not in known:
            problems.append(f"[detectors.{_shown(name)}]: there is no such detector{_near(name, known)}")
        elif not isinstance(wishes, Mapping):
            problems.append(f"[detectors.{name}] is no table, but {_shown(wishes)}")
        else:
            of, wrong = _detector(getattr(DEFAULTS, name), wishes)
            numbers = replace(numbers, **{name: of})
            problems += [f"[detectors.{name}] {one}" for one in wrong]
    return numbers, problems


def _detector(defaults: Any, wishes: Mapping[str, object]) -> tuple[Any, list[str]]:
    known: dict[str, Number] = {one.name: one.metadata["number"] for one in fields(defaults)}
    good: dict[str, float] = {}
    problems = []
    for name, value in wishes.items():
        if name not in known:
            problems.append(f"{_shown(name)}: there is no such number{_near(name, known)}")
        elif problem := _wrong(value, known[name]):
            problems.append(f"{name}: {problem}, not {_shown(value)}")
        else:
            assert isinstance(value, (int, float))
            good[name] = float(value) if known[name].unit in ("seconds", "times") else int(value)
    return replace(defaults, **good), problems


def _wrong(value: object, number: Number) -> str:
    """What is asked for instead of a value that cannot be taken; empty where it can."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    match number.unit:
        case "switch":
            return "" if isinstance(value, bool) or (whole and value in (0, 1)) else "write true or false"
        case "count":
            good, what = whole, "a whole number"
        case "seconds":
            good, what = whole or isinstance(value, float), "a number of seconds"
        case "times":
            good, what = whole or isinstance(value, float), "a number"
    if good and isinstance(value, (int, float)) and 0 <= value <= number.most:
        return ""
    return f"write {what} from 0 to {number.most:,}"


def _near(name: object, known: Iterable[str]) -> str:
    found = get_close_matches(str(name)[:100], list(known), 1)
    return f"; did you mean {found[0]}?" if found else ""


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of that size"
    if isinstance(value, bool):
        return str(value).lower()
    return shorten(line(str(value)[:200]), 40)
