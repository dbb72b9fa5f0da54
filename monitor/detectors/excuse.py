"""Whether a failed write only repeats a change that stands: then it asks for nothing."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.detectors.remembered import Remembered
from monitor.detectors.write_calls import Edit, Result, digest
from monitor.events import Failure, FileChanged

_MOST = 10_000
"""Changes, and files, remembered."""
_RUNNING = 1_000
"""Calls still running that are told apart."""
_OWN = 0.5
"""Seconds after a write in which a change of the file is the write's own."""


@dataclass(frozen=True, slots=True)
class _Touch:
    """The latest write to a file, by the agent or by another hand."""

    seq: int
    at: float | None
    seen: float
    own: bool


class Excuses:
    """The changes that were made, and what may have undone them since."""

    def __init__(self) -> None:
        self._made: Remembered[bytes, int] = Remembered(_MOST)
        self._touched: Remembered[bytes, _Touch] = Remembered(_MOST)
        self._running: dict[tuple[str, str], None] = {}
        self._too_many = False
        self.unsure = -1
        """The latest seq at which any file may have changed unseen: a shell call, a gap of the source."""

    def begin(self, call: tuple[str, str], seq: int) -> None:
        """A call that may change any file has begun."""
        self.doubt(seq)
        self._running[call] = None
        if len(self._running) > _RUNNING:
            del self._running[next(iter(self._running))]
            self._too_many = True

    def end(self, call: tuple[str, str], seq: int) -> None:
        """It is over."""
        self.doubt(seq)
        self._running.pop(call, None)

    def forget(self, call: tuple[str, str]) -> None:
        """It turned out to be a call that cannot change any file."""
        self._running.pop(call, None)

    def doubt(self, seq: int) -> None:
        """Any file may have changed by now."""
        self.unsure = max(self.unsure, seq)

    def wrote(self, key: str, edits: tuple[Edit, ...], result: Result) -> None:
        """The agent's own write to a file succeeded."""
        touch = _Touch(result.seq, result.at, result.seen, own=True)
        last = self._touched.get(digest(key))
        if last is None or last.own or not _after(last, touch):
            self._touched.put(digest(key), touch)
        if mark := _same(key, edits):
            self._made.put(mark, result.seq)

    def may_have_written(self, key: str, result: Result) -> None:
        """A write of which it is not known whether it was made."""
        self._touched.put(digest(key), _Touch(result.seq, result.at, result.seen, own=False))

    def changed(self, key: str, event: FileChanged) -> None:
        """The file was seen to change; the agent's own write shows so too, and does not count twice."""
        touch = _Touch(event.seq, event.at, event.seen, own=False)
        last = self._touched.get(digest(key))
        if event.what != "mode" and (last is None or _after(touch, last)):
            self._touched.put(digest(key), touch)

    def holds(self, key: str, edits: tuple[Edit, ...], failure: Failure) -> bool:
        """Whether a failed repeat is excused.

        "Old text not found" is, when the same change to the file succeeded and nothing can have touched it since;
        "exists already" is, when the same create succeeded, whatever came since; nothing else ever is.
        """
        mark = _same(key, edits)
        made = self._made.get(mark) if mark else None
        if made is None:
            return False
        if failure == "exists":
            return all(edit.op == "create" for edit in edits)
        touch = self._touched.get(digest(key))
        alone = touch is not None and touch.own and touch.seq == made
        return failure == "not_found" and alone and not self._running and not self._too_many and self.unsure < made

    def copy(self) -> Excuses:
        """Another that goes on from here."""
        other = Excuses()
        other._made, other._touched = self._made.copy(), self._touched.copy()
        other._running, other._too_many, other.unsure = dict(self._running), self._too_many, self.unsure
        return other


def _after(later: _Touch, earlier: _Touch) -> bool:
    """Whether a touch came after another for certain, by the best clock both have; a write's own echo did not."""
    grace = _OWN if later.own != earlier.own else 0.0
    if later.at is not None and earlier.at is not None:
        return later.at > earlier.at + grace
    if later.seen and earlier.seen:
        return later.seen > earlier.seen + grace
    return later.seq > earlier.seq


def _same(key: str, edits: tuple[Edit, ...]) -> bytes | None:
    """What the same change to the same file has in common; none when it cannot be compared."""
    marks = [edit.mark for edit in edits]
    known = [mark for mark in marks if mark is not None]
    return digest(key, *(mark.hex() for mark in known)) if known and len(known) == len(marks) else None
