"""Puts our hooks into the text of a settings file, and takes them out again; nothing else in it changes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from typing import Any

from monitor.hooks import plug_in
from monitor.hooks.json_text import NotPlainError, begin, insert, member, parse, parts, remove
from monitor.hooks.places import EVENTS, TIMEOUT, Agent, is_ours

_BOM = "\ufeff"
_HOOKS = "hooks"
_BEGIN, _END = "[[hooks]]  # monitor: begin", "# monitor: end"
_LED = ", with the line end before it"
_BLOCK = re.compile(
    rf"(?:\r?\n{re.escape(_BEGIN + _LED)}|{re.escape(_BEGIN)}(?!,))\r?\n.*?{re.escape(_END)}[^\n]*(?:\n|\Z)", re.DOTALL
)


def merged(agent: Agent, data: bytes, command: str) -> bytes:
    """The file with our hooks, where it had none of ours. Raises `NotPlainError` where that cannot be done."""
    text = _text(data)
    if agent == "opencode":
        plug_in.found(text)
        return command.encode()
    return (_with_tables if agent == "lcode" else _with_members)(text, command).encode()


def without(agent: Agent, data: bytes, keep: Collection[str] = ()) -> bytes:
    """The file without our hooks; what is empty then goes too, but for the keys to `keep`."""
    text = _text(data)
    if agent == "opencode":
        return b"" if plug_in.found(text) else data
    return (_BLOCK.sub("", text) if agent == "lcode" else _without_members(text, keep)).encode()


def commands(agent: Agent, data: bytes) -> list[str]:
    """Our commands in the file, by event; those of events that this version does not use come too. A plug-in is one."""
    if agent == "opencode":
        return plug_in.found(_text(data))
    if agent == "lcode":
        tables = _tables(_text(data)).get(_HOOKS, [])
        found = [one.get("command") for one in tables if isinstance(one, dict)] if isinstance(tables, list) else []
    else:
        found = [hook.get("command") for _, group in _groups(_object(_text(data))) for hook in _hooks(group)]
    return [str(one) for one in found if is_ours(one)]


def keys(agent: Agent, data: bytes) -> list[str]:
    """Which of the keys that we would make are there already."""
    if agent != "claude" or not _text(data).strip():
        return []
    found = _object(_text(data)).get(_HOOKS)
    return [_HOOKS, *found] if isinstance(found, dict) else []


def is_empty(agent: Agent, data: bytes) -> bool:
    """Whether a file says nothing."""
    text = _text(data).strip()
    return not text if agent != "claude" else not text or parse(text) == {}


def switched_off(agent: Agent, data: bytes) -> bool:
    """Whether the file switches all hooks off."""
    return agent == "claude" and _object(_text(data)).get("disableAllHooks") is True


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise NotPlainError("it is not UTF-8") from None


def _object(text: str) -> dict[str, Any]:
    text = text.removeprefix(_BOM)
    found = parse(text) if text.strip() else {}
    if not isinstance(found, dict):
        raise NotPlainError("it holds no object")
    hooks = found.get(_HOOKS, {})
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in EVENTS):
        raise NotPlainError("its hooks are not laid out as Claude Code reads them")
    return found


def _with_members(text: str, command: str) -> str:
    _object(text)
    bom, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    text = text if text.strip() else "{\n}\n"
    if member(text, begin(text), _HOOKS) is None:
        text = insert(text, begin(text), {}, _HOOKS)
    for event in EVENTS:
        group = {_HOOKS: [{"type": "command", "command": command, "timeout": TIMEOUT}]}
        at = _hooks_at(text)
        found = member(text, at, event)
        text = insert(text, at, [group], event) if found is None else insert(text, found.value, group)
    return bom + text


def _hooks_at(text: str) -> int:
    found = member(text, begin(text), _HOOKS)
    assert found is not None
    return found.value


def _without_members(text: str, keep: Collection[str]) -> str:
    bom, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    if not text.strip() or not _groups(_object(text)):
        return bom + text
    while (shorter := _one_less(text, keep)) != text:
        text = shorter
    top, at = parts(text, begin(text)), _hooks_at(text)
    if not parts(text, at) and _HOOKS not in keep:
        text = remove(text, begin(text), next(index for index, one in enumerate(top) if one.value == at))
    return bom + text


def _one_less(text: str, keep: Collection[str]) -> str:
    """The text without the first of our hooks."""
    at = _hooks_at(text)
    for number, event in enumerate(parts(text, at)):
        if not isinstance(event.content, list):
            continue
        for index, group in enumerate(parts(text, event.value)):
            ours = [is_ours(hook.get("command")) for hook in _hooks(group.content)]
            if not any(ours):
                continue
            if not all(ours) or len(ours) != len(group.content[_HOOKS]):
                inner = member(text, group.value, _HOOKS)
                assert inner is not None
                return remove(text, inner.value, _position(group.content))
            alone = len(event.content) == 1 and event.key not in keep
            return remove(text, at, number) if alone else remove(text, event.value, index)
    return text


def _position(group: Any) -> int:
    return next(
        index
        for index, hook in enumerate(group[_HOOKS])
        if isinstance(hook, dict) and is_ours(hook.get("command"))
    )  # fmt: skip


def _groups(found: dict[str, Any]) -> list[tuple[str, Any]]:
    """The groups of hooks in which one of ours stands, with their events."""
    hooks = found.get(_HOOKS, {})
    every = [(event, group) for event, groups in hooks.items() if isinstance(groups, list) for group in groups]
    return [one for one in every if any(is_ours(hook.get("command")) for hook in _hooks(one[1]))]


def _hooks(group: Any) -> list[dict[str, Any]]:
    hooks = group.get(_HOOKS) if isinstance(group, dict) else None
    return [hook for hook in hooks if isinstance(hook, dict)] if isinstance(hooks, list) else []


def _tables(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotPlainError(f"it is no valid TOML: {error}") from None


def _with_tables(text: str, command: str) -> str:
    _tables(text)
    end = "\r\n" if "\r\n" in text else "\n"
    told = command.replace("\\", "\\\\").replace('"', '\\"')
    rows = [f'command = "{told}"', f"timeout = {TIMEOUT}"]
    led = bool(text) and not text.endswith("\n")
    lines = [
        _BEGIN + (_LED if led else ""),
        'event = "before_tool"',
        *rows,
        "",
        "[[hooks]]",
        'event = "after_tool"',
        *rows,
        _END,
        "",
    ]
    whole = text + (end if led else "") + end.join(lines)
    _tables(whole)
    return whole
