"""Reads a policy: the user's own `policy.toml`, one that he names, or one that comes with the monitor."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from monitor.actions import Force
from monitor.errors import USAGE, MonitorError
from monitor.events import DETECTORS
from monitor.findings import LEVELS, Level
from monitor.policy.rules import RESPONSES, Refuse, Response, Rules
from monitor.text import line, shorten

FILE: Final = "policy.toml"
_OWN: Final = Path(__file__).parent
"""Where the monitor's own policies lie."""
_LARGEST: Final = 1 << 20
_FORCES: Final[tuple[Force, ...]] = ("interrupt", "terminate", "kill")
_SWITCHES: Final[tuple[Response, ...]] = ("show", "notify")
_PLAIN: Final = Rules()
_Word = TypeVar("_Word", bound=str)
_REFUSE: Final[tuple[Refuse, ...]] = ("never", "not-made", "unchanged")
_KEYS: Final = ("warnings_an_hour", "waiting", "ended", "force", "refuse", "refusals", *DETECTORS)


def named(policy: str) -> Rules:
    """The policy at a path, or one of the monitor's own by its name (`seed`).

    Raises `MonitorError` that names the file, and the key at fault.
    """
    own = _OWN / f"{policy}.toml"
    file = own if policy.isidentifier() and own.is_file() and not Path(policy).exists() else Path(policy).expanduser()
    try:
        return read(file)
    except FileNotFoundError:
        names = ", ".join(sorted(one.stem for one in _OWN.glob("*.toml")))
        raise MonitorError(
            f"{_shown(policy)}: no such file", f"Name a policy file, or one of the monitor's own: {names}", USAGE
        ) from None


def standing(folder: Path) -> Rules | None:
    """The policy in the user's config folder; none where there is none. Raises as `named` does."""
    try:
        return read(folder / FILE)
    except FileNotFoundError:
        return None


def read(file: Path) -> Rules:
    """The rules in a file. Raises `FileNotFoundError`, and `MonitorError` for whatever else is wrong with it."""
    shown = _shown(str(file))
    try:
        if file.stat().st_size > _LARGEST:
            raise _wrong(f"{shown}: too large to be a policy")
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except OSError as problem:
        raise _wrong(f"{shown}: {problem.strerror or problem}") from None
    except (ValueError, RecursionError) as problem:
        raise _wrong(f"{shown}: {line(' '.join(str(problem).split()))}") from None
    return _rules(shown, data)


def _rules(shown: str, data: Mapping[str, Any]) -> Rules:
    responses: dict[tuple[str, Level], Response] = {}
    for key, value in data.items():
        if key not in _KEYS:
            raise _wrong(f"{shown}: {_unknown(key, _KEYS)}")
        if key in DETECTORS:
            responses.update({(key, level): wanted for level, wanted in _levels(shown, key, value)})
    return Rules(
        MappingProxyType(responses),
        waiting=_one_of(shown, "waiting", data.get("waiting", "show"), _SWITCHES) == "notify",
        ended=_one_of(shown, "ended", data.get("ended", "show"), _SWITCHES) == "notify",
        warnings_an_hour=_count(shown, "warnings_an_hour", data.get("warnings_an_hour", _PLAIN.warnings_an_hour)),
        force=_one_of(shown, "force", data.get("force", _PLAIN.force), _FORCES),
        refuse=_one_of(shown, "refuse", data.get("refuse", _PLAIN.refuse), _REFUSE),
        refusals=_count(shown, "refusals", data.get("refusals", _PLAIN.refusals)),
    )


def _count(shown: str, key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _wrong(f"{shown}: {key} is a number from 0 on")
    return value


def _levels(shown: str, detector: str, table: Any) -> list[tuple[Level, Response]]:
    if not isinstance(table, Mapping):
        raise _wrong(f'{shown}: {detector} is a table, such as [{detector}] and below it stop = "abort"')
    for level in table:
        if level not in LEVELS:
            raise _wrong(f"{shown}: [{detector}] {_unknown(level, LEVELS)}")
    return [
        (level, _one_of(shown, f"[{detector}] {level}", table[level], RESPONSES)) for level in LEVELS if level in table
    ]


def _one_of(shown: str, key: str, value: Any, words: tuple[_Word, ...]) -> _Word:
    for word in words:
        if value == word:
            return word
    raise _wrong(f"{shown}: {key} is one of {', '.join(words)}")


def _unknown(key: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    meant = f"; did you mean {near[0]}" if near else f"; known are {', '.join(known)}"
    return f"there is no {shorten(line(key), 40)}{meant}"


def _wrong(text: str) -> MonitorError:
    return MonitorError(text, "Mend it, or leave the policy away", USAGE)


def _shown(name: str) -> str:
    return shorten(line(name), 120)
