"""The changes that a write asks for: from its arguments, else from the differences it shows, else by its files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from monitor.agents.apply_patch import changes_of as envelope
from monitor.agents.fields import Object, parts, raw, text
from monitor.agents.lcode.patches import changes_of as unified
from monitor.events import Change, Op
from monitor.text import clean

_FILE = ("path", "file_path", "filePath", "filepath", "abs_path", "absolute_path", "file", "filename", "target_file")
_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "old", "search", "find")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "new", "replace", "replacement")
_CONTENT = ("content", "contents", "file_text", "fileText", "text")
_PATCH = ("patch", "patchText", "patch_text", "diff", "input")
_TO = ("destination", "new_path", "newPath", "to", "target")
_OPS: Mapping[str, Op] = {"delete": "delete", "move": "move"}
_MOST = 500


def path_of(arguments: Mapping[str, Any]) -> str:
    """The file or folder that the arguments name; empty when they name none."""
    return _first(arguments, _FILE) or ""


def locations(update: Object) -> tuple[str, ...]:
    """The files that the agent says the call touches, as it resolved them."""
    return tuple(dict.fromkeys(path for one in parts(update, "locations") if (path := text(one, "path"))))


def diffs(update: Object) -> list[Object]:
    """The differences that the call shows."""
    return [one for one in parts(update, "content")[:_MOST] if raw(one, "type") == "diff"]


def changes_in(update: Object, arguments: Mapping[str, Any]) -> tuple[Change, ...]:
    """What a write asks for; one change without a file when it names none."""
    if asked := tuple(_asked(arguments)):
        return asked
    shown = [
        Change(
            text(one, "path"),
            "edit" if isinstance(one.get("oldText"), str) else "create",
            old=_first(one, ("oldText",)),
            new=_first(one, ("newText",)),
        )
        for one in diffs(update)
    ]
    if shown:
        return tuple(shown)
    op = _OPS.get(raw(update, "kind"), "edit")
    named = locations(update) or (path_of(arguments),)
    return tuple(Change(file, op, to=(_first(arguments, _TO) or "") if op == "move" else "") for file in named)


def _asked(arguments: Mapping[str, Any]) -> Iterator[Change]:
    """The changes as the model wrote them."""
    file, given = path_of(arguments), dict(arguments)
    edits = parts(given, "edits")[:_MOST]
    if edits:
        for one in edits:
            yield Change(path_of(one) or file, "edit", old=_first(one, _OLD), new=_first(one, _NEW))
        return
    old, new, content = _first(arguments, _OLD), _first(arguments, _NEW), _first(arguments, _CONTENT)
    if old is not None or (new is not None and content is None):
        yield Change(file, "edit", old=old, new=new)
    elif content is not None:
        yield Change(file, "write", new=content)
    elif not file:
        patch = next((raw(given, key) for key in _PATCH if raw(given, key)), "")
        yield from _patched(patch)


def _patched(patch: str) -> Sequence[Change]:
    if "*** Begin Patch" in patch:
        return envelope(patch)
    return unified(patch) if "\n+++ " in patch else ()


def _first(found: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    """The first of these texts that is there, cleaned."""
    value = next((found[key] for key in keys if isinstance(found.get(key), str)), None)
    return clean(value) if isinstance(value, str) else None
