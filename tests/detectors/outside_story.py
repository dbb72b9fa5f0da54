"""A run told call by call with times, for the tests of outside edits."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from monitor.actions import Reveal, Want
from monitor.detectors.numbers import DEFAULTS, OutsideNumbers
from monitor.detectors.outside_edits import OutsideEdits
from monitor.events import (
    Acted,
    Change,
    Event,
    FileChanged,
    FileOutcome,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.findings import Finding

PROJECT = "/p"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def reveal(wants: Sequence[Want], revealed: set[int]) -> None:
    """Do what the detector wants, which is nothing but to show changes, and to show them otherwise."""
    for want in wants:
        assert isinstance(want, Reveal)
        assert (want.seq in revealed) != want.outside, "nothing is asked for twice"
        (revealed.add if want.outside else revealed.discard)(want.seq)


class Story:
    """Feeds a detector; times are seconds since the run began, at 1,000."""

    def __init__(self, lag: Any = "message", numbers: OutsideNumbers = DEFAULTS.outside_edits, **started: Any) -> None:
        self.detector = OutsideEdits(numbers)
        self.revealed: set[int] = set()
        """The changes that are shown as ones from outside."""
        self.events: list[Event] = []
        self._calls = 0
        self.tell(RunStarted(cwd=PROJECT, lag=lag, **started), 0)

    def tell(self, event: Event, at: float | None = None) -> None:
        timed = {} if at is None else {"at": 1_000 + at}
        event = replace(event, seq=len(self.events), **timed)
        self.events.append(event)
        reveal(self.detector.feed(event), self.revealed)

    def call(self, at: float | None, kind: Any = "write", **more: Any) -> str:
        """A call is issued; its id comes back."""
        self._calls += 1
        name = more.pop("call", f"c{self._calls}")
        self.tell(ToolCalled(call=name, kind=kind, tool=more.pop("tool", kind), **more), at)
        return name

    def result(self, call: str, at: float | None, outcome: Any = "ok", **more: Any) -> None:
        self.tell(ToolReturned(call=call, outcome=outcome, **more), at)

    def read(self, file: str, at: float) -> None:
        self.result(self.call(at, "read", paths=(file,)), at + 0.1)

    def write(self, file: str, begin: float, end: float, *, op: Any = "edit", new: str = "b", **more: Any) -> str:
        """A whole write, called and returned."""
        old = "a" if op == "edit" else None
        call = self.call(begin, changes=(Change(file, op, old, new),), tool=op)
        self.result(call, end, **more)
        return call

    def shell(self, command: str, begin: float, end: float, **more: Any) -> None:
        self.result(self.call(begin, "shell", command=command), end, **more)

    def changed(self, file: str, at: float, after: str = "outside", **more: Any) -> int:
        """A file changed; the seq of the event comes back."""
        self.tell(FileChanged(file=file, after=digest(after) if after else "", folder=PROJECT, **more), at)
        return len(self.events) - 1

    def waits(self, call: str, at: float, *, over: bool = False) -> None:
        self.tell(Waiting(on="approval", call=call, over=over), at)

    def prompt(self, at: float) -> None:
        self.tell(Prompted(text="Go on."), at)

    def answer(self, at: float) -> None:
        self.tell(RequestEnded(text="Done."), at)

    def end(self, at: float) -> None:
        self.tell(RunEnded(status="completed"), at)

    def tick(self, now: float, alive: bool | None = True) -> None:
        reveal(self.detector.feed(Tick(now=1_000 + now, alive=alive)), self.revealed)

    def settle(self, finding: Finding) -> None:
        self.tell(Acted(id="1", action="settle", receipt="done", subject=finding.key, text="known"))

    def by(self, file: str = "a.py") -> str:
        """Whose hand it was."""
        return self.detector.view().who(file).by

    def why(self, file: str = "a.py") -> str:
        return self.detector.view().who(file).why

    @property
    def open(self) -> list[Finding]:
        return [one for one in self.detector.view().findings if one.state == "open"]

    @property
    def levels(self) -> dict[str, str]:
        """The level of each open finding by its file."""
        return {one.subject: one.level for one in self.open}

    @property
    def edits(self) -> list[tuple[str, bool]]:
        """The outside edits: the file, and whether it was overwritten."""
        return [(edit.file, edit.overwritten) for edit in self.detector.view().edits]


__all__ = ["FileOutcome", "Story", "digest"]
