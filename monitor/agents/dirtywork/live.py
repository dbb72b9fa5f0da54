"""What live_changes.json shows: the worktree's difference from the run's base, renewed within a turn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from monitor.agents.fields import Object, moment, raw
from monitor.events import Event, Noticed, TreeMeasured
from monitor.text import clean

_HEADER = "diff --git "
_QUOTED = re.compile(r'"a/((?:[^"\\]|\\.)*)" ')
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_BLIND = "its preview shows no difference; it leaves out ignored files, nested repositories and links"

Patch = Mapping[str, bytes]
"""Each changed file, with a digest of its difference from the base."""


class Preview:
    """Tells what a new state of the preview adds to the last one.

    A fresh run starts at its base. A resumed one starts with the earlier run's work, which the preview shows
    too: only the state published before the run began tells it apart.
    """

    __slots__ = ("_base", "_changed", "_first", "_state")

    def __init__(self) -> None:
        self._base: Patch | None = None
        self._first: tuple[float, Patch] | None = None
        self._changed: Patch = {}
        """What differs from the start, as last told."""
        self._state = ""

    def feed(self, found: Object, *, resumed: bool | None, began: float | None) -> list[Event]:
        """The measurement it amounts to, where that is news; `began` is the time of the run's first record."""
        state, before = raw(found, "state"), self._state
        self._state = state
        if state != "ready":
            return [_no_preview(found)] if state and state != before else []
        patch = read_patch(raw(found, "patch"))
        at = moment(found.get("captured_at"))
        base = self._start(patch, at, resumed=resumed, began=began)
        if base is None:
            return []
        changed = {file: patch.get(file, b"") for file in {*patch, *base} if patch.get(file) != base.get(file)}
        if changed == self._changed:
            return []
        self._changed = changed
        files = tuple(clean(file) for file in sorted(changed))
        if not files:
            return [TreeMeasured(when="turn", by="agent", reason=_BLIND, at=at)]
        return [TreeMeasured(when="turn", by="agent", changed=True, since_start=True, files=files, at=at)]

    def copy(self) -> Preview:
        """Another that goes on from here."""
        other = Preview()
        other._base, other._first = self._base, self._first
        other._changed, other._state = self._changed, self._state
        return other

    def _start(self, patch: Patch, at: float | None, *, resumed: bool | None, began: float | None) -> Patch | None:
        """The state the run began with, as far as that is known."""
        if resumed is False:
            return {}
        if self._first is None and at is not None:
            self._first = (at, patch)
        if self._base is None and self._first is not None and began is not None and self._first[0] <= began:
            self._base = self._first[1]
        return self._base


def _no_preview(found: Object) -> Noticed:
    """That there is no preview measures nothing."""
    return Noticed(kind="status", name="live_changes", text=clean(raw(found, "message")))


def read_patch(patch: str) -> Patch:
    """The files of a patch that git made without renames; total."""
    files: dict[str, bytes] = {}
    for section in re.split(r"^(?=diff --git )", patch, flags=re.MULTILINE):
        head, _, rest = section.partition("\n")
        if head.startswith(_HEADER) and (file := _file(head[len(_HEADER) :])):
            files[file] = hashlib.blake2b(rest.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return files


def _file(names: str) -> str:
    """The one name in `a/NAME b/NAME`, which git quotes when it is odd."""
    if quoted := _QUOTED.match(names):
        raw_name = quoted[1].encode("utf-8", "surrogatepass")
        return _ESCAPED.sub(_unescaped, raw_name).decode("utf-8", "replace")
    return names[2 : (len(names) - 5) // 2 + 2]


def _unescaped(found: re.Match[bytes]) -> bytes:
    told = found[1]
    return bytes((int(told, 8) & 255,)) if len(told) == 3 else _ESCAPES.get(told, told)
