"""The user's own keys: `[keys]` of the config file, each checked, since Textual takes any name in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from textual.keys import Keys, _character_to_key

from monitor.config import FILE, read_config
from monitor.text import line, shorten
from monitor.ui.keys import BY_ID, KEYS, Key, Where

_NEVER: Final = frozenset(
    {"<any>", "<scroll-up>", "<scroll-down>", "<ignore>", "ctrl-at", "return", "ctrl+i", "ctrl+m"}
)
"""Names Textual has for keys that no terminal sends under that name."""
_NAMED: Final = frozenset(key.value for key in Keys) - _NEVER
_SIGNS: Final = {_character_to_key(chr(code)): chr(code) for code in range(0x21, 0x7F)}
"""Textual's names of the signs on a keyboard."""
_TAKEN: Final = {"ctrl+q": "always quits"}

Wishes = dict[str, tuple[str, ...]]
"""From a key's id to the names of the keys wished for."""


def load(folder: Path) -> tuple[tuple[Key, ...], str]:
    """Every key as the user wants it, and one message about what could not be taken: there the default stays."""
    data, problem = read_config(folder)
    if problem:
        return KEYS, problem
    wishes, problems = read(data.get("keys", {}))
    wishes, clashes = without_clashes(wishes)
    problems += clashes
    return rebound(wishes), f"{FILE}: {' · '.join(problems)}" if problems else ""


def read(table: Any) -> tuple[Wishes, list[str]]:
    """The wishes that name a key there is and an action there is, and a sentence for each other one."""
    if not isinstance(table, Mapping):
        return {}, ["[keys] is no table"]
    wishes: Wishes = {}
    problems = []
    for name, value in table.items():
        said = f"[keys] {_quoted(str(name))}"
        if name not in BY_ID:
            problems.append(f"{said}: there is no such action")
        elif not isinstance(value, str):
            problems.append(f'{said}: write the keys as text, such as "x,f5"')
        elif problem := next(filter(None, map(_unreal, _split(value))), ""):
            problems.append(f"{said}: {problem}")
        elif not _split(value):
            problems.append(f"{said} names no key")
        else:
            wishes[name] = tuple(map(_name, _split(value)))
    return wishes, problems


def without_clashes(wishes: Wishes) -> tuple[Wishes, list[str]]:
    """The wishes that leave each key to one action, and a sentence for each that does not."""
    kept, problems = dict(wishes), []
    while clash := _clash(rebound(kept)):
        name, one, two = clash
        problems.append(f"[keys] {_shown(name)} would be both {one} and {two}")
        for wish in (one, two):
            kept.pop(wish, None)
    return kept, problems


def rebound(wishes: Wishes) -> tuple[Key, ...]:
    """All keys, those wished for in the place of the defaults."""
    return tuple(
        replace(key, keys=wishes[key.id], shown=", ".join(map(_shown, wishes[key.id])), sign="")
        if key.id in wishes
        else key
        for key in KEYS
    )


def changed(keys: Sequence[Key]) -> dict[str, str]:
    """What differs from the defaults, as Textual's keymap."""
    return {key.id: ",".join(key.keys) for key in keys if key is not BY_ID[key.id]}


def _clash(keys: Sequence[Key]) -> tuple[str, str, str] | None:
    """A key's name, and two actions of one screen that would both have it."""
    owner: dict[tuple[Where, str], str] = {}
    for key in keys:
        for where in (one for one in get_args(Where) if key.on(one)):
            for name in dict.fromkeys(key.keys):
                if (where, name) in owner:
                    return name, owner[where, name], key.id
                owner[where, name] = key.id
    return None


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _name(key: str) -> str:
    """Textual's name of a key."""
    return _character_to_key(key) if len(key) == 1 else key


def _unreal(key: str) -> str:
    """Why a key cannot be had; empty when it can."""
    name = _name(key)
    if name in _TAKEN:
        return f"{name} {_TAKEN[name]}"
    alone = key.removeprefix("alt+")
    if name in _NAMED or name in _SIGNS or (len(alone) == 1 and alone.isprintable()):
        return ""
    hint = " (it is called escape)" if name == "esc" else ""
    return f"there is no key {_quoted(key)}{hint}"


def _shown(name: str) -> str:
    """A key as a person reads it."""
    return _SIGNS.get(name, name)


def _quoted(text: str) -> str:
    return shorten(line(text), 40) or "without a name"
