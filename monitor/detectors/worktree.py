"""Whether the project folder changed since the latest prompt, as measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from monitor.actions import Measure, Moment, Want
from monitor.claims import says
from monitor.detectors.elsewhere import Elsewhere
from monitor.detectors.numbers import DEFAULTS, WorktreeNumbers
from monitor.detectors.unchanged import Unchanged
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.events import (
    Acted,
    Event,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    Tick,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)

NOT_SINCE = "not measured since the prompt"


class Worktree:
    """Takes in measurements, the monitor's own before the agent's, and asks for them at the moments that count."""

    name = "worktree"
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, ToolCalled, ToolReturned, RequestEnded, RunEnded, SourceChanged, TreeMeasured, Acted,
        Tick,
    )  # fmt: skip

    def __init__(self, numbers: WorktreeNumbers = DEFAULTS.worktree) -> None:
        self._numbers = numbers
        self._view = WorktreeView()
        self._on = self._starting = False
        self._unchanged = Unchanged(numbers)
        self._elsewhere = Elsewhere()
        self._turn = self._measured_turn = 0
        self._pending = 0

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; measurements are wanted once the monitor makes some."""
        if event.copied:
            return ()
        wants = self._moments(event)
        match event:
            case RunStarted():
                self._elsewhere.started(event)
                if event.change_required is not None and not event.actor:
                    self._unchanged.required = event.change_required
            case ToolCalled():
                self._elsewhere.called(event)
            case ToolReturned():
                self._elsewhere.returned(event)
            case Prompted() if not event.actor and event.by in ("user", "operator"):
                self._prompted(event)
            case RequestEnded() if not event.actor and event.how == "answered" and says(event.text) == "done":
                self._claimed(event)
            case TreeMeasured():
                self._take(event)
            case Tick():
                self._ticked(event)
            case SourceChanged(what="end"):
                self._pending = 0
                self._view = replace(self._view, pending=False)
            case Acted(action="settle", receipt="done") if self._unchanged.settle(event):
                self._show()
            case _:
                pass
        return wants

    def turned(self, event: Event, turn: int) -> Sequence[Want]:
        """The run's turn has changed with an event: so many after the latest known change, a measurement is wanted."""
        self._turn = turn
        if not self._on or not self._numbers.turns or turn - self._measured_turn < self._numbers.turns:
            return ()
        self._measured_turn = turn
        return self._want("turn", event)

    def view(self) -> WorktreeView:
        """What is known now."""
        return self._view

    def copy(self) -> Worktree:
        """Another that goes on from here."""
        other = Worktree(self._numbers)
        other.__dict__.update(self.__dict__)
        other._unchanged, other._elsewhere = self._unchanged.copy(), self._elsewhere.copy()
        return other

    def _moments(self, event: Event) -> Sequence[Want]:
        if not (self._on or self._starting) or event.actor:
            return ()
        match event:
            case Prompted(by="user" | "operator"):
                return self._want("prompt", event)
            case RequestEnded(how="answered"):
                return self._want("claim", event)
            case RequestEnded() | RunEnded():
                return self._want("end", event)
            case _:
                return ()

    def _want(self, when: Moment, event: Event) -> Sequence[Want]:
        self._pending += 1
        self._view = replace(self._view, pending=True)
        return (Measure(when, event.seq, event.at),)

    def _prompted(self, event: Prompted) -> None:
        self._unchanged.prompted(event)
        self._elsewhere.prompted()
        fresh = replace(self._view, since=event.at, since_feedback=event.by == "operator", prompted=event.seq)
        if self._view.measured:
            fresh = replace(fresh, changed=None, reason=NOT_SINCE, files=(), more=0, kinds=())
        self._view = fresh
        self._show()

    def _ticked(self, event: Tick) -> None:
        self._starting |= event.measuring and not self._on
        pending = self._starting or self._pending > 0
        if (pending, event.untold) != (self._view.pending, self._view.live_more):
            self._view = replace(self._view, pending=pending, live_more=event.untold)

    def _claimed(self, event: RequestEnded) -> None:
        """A claim is judged by its own measurement, where the monitor takes one; else by what the agent measured."""
        self._unchanged.claimed(event)
        if not (self._on or self._starting):
            self._look_elsewhere()
            self._unchanged.judge(self._view, event.seq)
            self._show()

    def _take(self, event: TreeMeasured) -> None:
        if event.by == "monitor":
            self._on, self._starting = True, False
            if event.about >= 0 and event.when != "asked":
                self._pending = max(self._pending - 1, 0)
            if event.late:
                self._view = replace(self._view, attached=event.at if event.at is not None else event.seen)
            if not self._unchanged.measured(event, self._turn):
                self._measured_turn = self._turn
        if self._counts(event):
            self._know(event)
        self._view = replace(self._view, pending=self._pending > 0)
        self._look_elsewhere()
        self._unchanged.judge(self._view, event.seq, at_end=event.when == "end")
        self._show()

    def _look_elsewhere(self) -> None:
        """What was written though nothing changed."""
        elsewhere = self._elsewhere.files if self._view.changed is False else ()
        self._view = replace(self._view, elsewhere=elsewhere)

    def _counts(self, event: TreeMeasured) -> bool:
        """Whether it says more than what is known: the monitor's own word first, and an answer before none."""
        if event.by == "monitor":
            return event.changed is not None or self._view.by != "agent" or self._view.changed is None
        return self._view.by != "monitor" or self._view.changed is None

    def _know(self, event: TreeMeasured) -> None:
        known = {file.file: file for file in self._view.files}
        self._view = replace(
            self._view,
            changed=event.changed,
            since_start=event.since_start,
            reason=(event.reason or NOT_SINCE) if event.changed is None else "",
            by=event.by,
            kinds=event.kinds,
            files=tuple(known.get(file) or ChangedFile(file) for file in event.files),
            more=event.more,
            measured=self._view.measured + 1,
            at=event.at if event.at is not None else event.seen,
            told=event.seq,
            live_more=self._view.live_more if event.content is None else 0,
            began=event.began,
        )

    def _show(self) -> None:
        self._view = replace(self._view, findings=self._unchanged.findings())
