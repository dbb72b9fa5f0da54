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

    __slots__ = ("_base", "_first", "_last")

    def __init__(self) -> None:
        self._base: Patch | None = None
        self._first: tuple[float, Patch] | None = None
        self._last: tuple[str, Patch] | None = None

    def feed(self, found: Object, *, resumed: bool | None, began: float | None) -> list[Event]:
        """The measurement it amounts to, where that is news; `began` is the time of the run's first record."""
        state = raw(found, "state")
        if state != "ready":
            return self._not_ready(found, state)
        patch = read_patch(raw(found, "patch"))
        at = moment(found.get("captured_at"))
        base = self._start(patch, at, resumed=resumed, began=began)
        news = self._last is None or self._last != ("ready", patch)
        known = self._last is not None and bool(self._last[1])
        self._last = ("ready", patch)
        if base is None or not news:
            return []
        files = tuple(sorted(file for file in {*patch, *base} if patch.get(file) != base.get(file)))
        if files:
            return [TreeMeasured(when="turn", by="agent", changed=True, since_start=True, files=_clean(files), at=at)]
        return [TreeMeasured(when="turn", by="agent", reason=_BLIND, at=at)] if known else []

    def copy(self) -> Preview:
        """Another that goes on from here."""
        other = Preview()
        other._base, other._first, other._last = self._base, self._first, self._last
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

    def _not_ready(self, found: Object, state: str) -> list[Event]:
        """No preview: that is told, and measures nothing."""
        last = self._last[1] if self._last else {}
        news = self._last is None or self._last[0] != state
        self._last = (state, last)
        return (
            [Noticed(kind="status", name="live_changes", text=clean(raw(found, "message")))] if news and state else []
        )


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


def _clean(files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(clean(file) for file in files)
