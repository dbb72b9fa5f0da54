"""Whether the project folder changed since the latest prompt, as measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from monitor.actions import Measure, Moment, Want
from monitor.claims import says
from monitor.detectors.numbers import DEFAULTS, WorktreeNumbers
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.events import Event, Prompted, RequestEnded, RunEnded, RunStarted, TreeMeasured
from monitor.findings import Finding, Level, Spot, rank

NOT_SINCE = "not measured since the prompt"


class Worktree:
    """Takes in measurements, the monitor's own before the agent's, and asks for them at the moments that count."""

    name = "worktree"
    reads: tuple[type[Event], ...] = (RunStarted, Prompted, RequestEnded, RunEnded, TreeMeasured)

    def __init__(self, numbers: WorktreeNumbers = DEFAULTS.worktree) -> None:
        self._numbers = numbers
        self._view = WorktreeView()
        self._on = False
        self._required: bool | None = None
        self._request = 0
        self._claims = 0
        self._claim: RequestEnded | None = None
        self._measured_turn = 0
        self._pending = 0

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; measurements are wanted once the monitor has made the first."""
        if event.copied:
            return ()
        wants = self._moments(event)
        match event:
            case RunStarted() if event.change_required is not None and not event.actor:
                self._required = event.change_required
            case Prompted() if not event.actor and event.by in ("user", "operator"):
                self._prompted(event)
            case RequestEnded() if not event.actor and event.how == "answered" and says(event.text) == "done":
                self._claims += 1
                self._claim = event
                self._judge(event)
            case TreeMeasured():
                self._take(event)
            case _:
                pass
        return wants

    def turned(self, event: Event, turn: int) -> Sequence[Want]:
        """The run's turn has changed with an event: after so many, a measurement is wanted."""
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
        return other

    def _moments(self, event: Event) -> Sequence[Want]:
        if not self._on or event.actor:
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
        if event.request != self._request:
            self._request, self._claims = event.request, 0
        self._claim = None
        fresh = replace(self._view, since=event.at, since_feedback=event.by == "operator")
        if self._view.measured:
            fresh = replace(fresh, changed=None, reason=NOT_SINCE, files=(), kinds=())
        self._view = fresh
        if event.by == "operator":
            self._required = True

    def _take(self, event: TreeMeasured) -> None:
        if event.by == "monitor":
            self._on = True
            if event.about >= 0 and event.when != "asked":
                self._pending = max(self._pending - 1, 0)
            if event.late:
                self._view = replace(self._view, attached=event.at if event.at is not None else event.seen)
            if event.changed is None and self._view.by == "agent" and self._view.changed is not None:
                self._view = replace(self._view, pending=self._pending > 0)
                return
        elif self._view.by == "monitor" and self._view.changed is not None:
            return
        known = {file.file: file for file in self._view.files}
        self._view = replace(
            self._view,
            changed=event.changed,
            since_start=event.since_start,
            reason=(event.reason or NOT_SINCE) if event.changed is None else "",
            by=event.by,
            kinds=event.kinds,
            files=tuple(known.get(file) or ChangedFile(file) for file in event.files),
            measured=self._view.measured + 1,
            at=event.at if event.at is not None else event.seen,
            pending=self._pending > 0,
        )
        if self._claim is not None:
            self._judge(self._claim, at_end=event.when == "end")

    def _level(self, *, at_end: bool) -> Level:
        numbers = self._numbers
        if self._required and numbers.stop and (at_end or self._claims >= numbers.stop):
            return "stop"
        return "warn" if self._required and numbers.warn and self._claims >= numbers.warn else "note"

    def _judge(self, event: Event, *, at_end: bool = False) -> None:
        """A claim beside a folder that did not change."""
        if self._view.changed is not False:
            return
        level = self._level(at_end=at_end)
        since = "the feedback" if self._view.since_feedback else "the prompt"
        old = next((one for one in self._view.findings if one.request == event.request), None)
        if old is not None and rank(old.level) >= rank(level):
            return
        spot = Spot(event.seq, event.place.input, event.place.line)
        finding = Finding(
            detector=self.name,
            subject=f"request {event.request}",
            level=level,
            message=f"Done is claimed, and nothing in the project changed since {since}",
            advice=(
                f"Nothing in the project changed since {since}. Apply each item that was asked for, run the check it "
                "names, and look at the result; or say plainly that no change was needed, and why."
            ),
            request=event.request,
            opened=old.opened if old else event.seq,
            raised=event.seq,
            places=(*(old.places if old else ()), spot)[-5:],
        )
        rest = tuple(one for one in self._view.findings if one is not old)
        self._view = replace(self._view, findings=(*rest, finding)[-50:])
