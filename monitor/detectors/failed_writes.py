"""Writes that failed and that nothing mended since.

A later write to the same file mends the failures of earlier messages; a person's denial settles them; text found
in the file never does. What the shell does neither opens nor mends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from monitor.actions import Look, Want
from monitor.claims import says
from monitor.detectors.books import Books
from monitor.detectors.entries import Ended
from monitor.detectors.looks import looked, looks
from monitor.detectors.numbers import DEFAULTS, WritesNumbers
from monitor.detectors.pairing import Pairing
from monitor.detectors.write_calls import Call, Result, call_of, result_of
from monitor.detectors.writes_shown import Shown
from monitor.detectors.writes_view import WritesView
from monitor.events import (
    Acted,
    Event,
    FileChanged,
    Kind,
    Looked,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.findings import Spot

_ANY_FILE: tuple[Kind, ...] = ("shell", "other", "delegate", "poll")
"""Kinds of calls that may write any file."""


class FailedWrites:
    """The ledger of failed writes, one for the run and its sub-agents."""

    name = "failed_writes"
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, ToolCalled, ToolReturned, RequestEnded, RunEnded, SourceChanged, TreeMeasured,
        FileChanged, Looked, Acted,
    )  # fmt: skip

    def __init__(self, numbers: WritesNumbers = DEFAULTS.failed_writes) -> None:
        self._calls = Pairing()
        self._books = Books(numbers)
        self._over: int | None = None
        """The seq at which the run ended; none while it goes on."""
        self._blind = False
        """The source does not show what became of writes, so that a missing result says nothing."""
        self._tree = ""
        self._stirred = False
        """Something known may have changed the folder since it was last measured."""
        self._shown = Shown()
        self._view: WritesView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; files are to be looked at when a write to them failed."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        match event:
            case ToolCalled():
                return self._called(event)
            case ToolReturned():
                return self._returned(event)
            case RequestEnded() | RunEnded() | SourceChanged():
                return self._ended(event)
            case FileChanged():
                return self._changed(event)
            case RunStarted():
                self._started(event)
            case Prompted():
                self._reopen(event)
            case TreeMeasured():
                self._measured(event)
            case Looked():
                self._view = None
                looked(event, self._books.ledger, self._books.excuses.unsure)
            case Acted(action="settle", receipt="done"):
                self._settle(event)
            case _:
                pass
        return ()

    def view(self) -> WritesView:
        """The ledger now."""
        if self._view is None:
            books = self._books
            self._view = self._shown.view(books.ledger, books.names, self._over, books.made, books.failed)
        return self._view

    def copy(self) -> FailedWrites:
        """Another that goes on from here."""
        other = FailedWrites()
        other.__dict__.update(self.__dict__)
        other._calls, other._books, other._shown = self._calls.copy(), self._books.copy(), Shown()
        return other

    def _started(self, event: RunStarted) -> None:
        self._books.names.started(event)
        if "failed_writes" in event.coverage and not event.actor:
            self._blind = event.coverage["failed_writes"].sees == "none"
        for key in [key for key in self._books.ledger.open if key.startswith("./")]:
            self._books.ledger.rename(key, self._books.names.key(key, self._books.names.folder("")), corrected=False)
        self._view = None

    def _reopen(self, event: Event) -> None:
        if not event.actor and self._over is not None:
            self._over = self._view = None

    def _called(self, event: ToolCalled) -> list[Want]:
        self._reopen(event)
        call = self._calls.told(call_of(event))
        if call is None:
            return []
        known = self._calls.done.get(call.id)
        self._stirred |= call.kind == "write" or call.kind in _ANY_FILE
        if known is not None:
            return self._judge(call, known.result) if call.kind == "write" else []
        if call.kind in _ANY_FILE:
            self._books.excuses.begin(call.id, event.seq)
        else:
            self._books.excuses.forget(call.id)
        return self._give_up(self._calls.overflow(), event)

    def _returned(self, event: ToolReturned) -> list[Want]:
        self._stirred = True
        if event.background:
            self._books.excuses.doubt(event.seq)
            return []
        result = result_of(event, self._books.names.folder(event.actor))
        if event.cwd:
            self._books.names.moved(event.actor, event.cwd)
        before = self._calls.done.get((event.actor, event.call))
        if before is not None and _alike(before.result, result):
            return []
        return self._take(self._calls.result(result), result, event)

    def _take(self, call: Call | None, result: Result, event: ToolReturned) -> list[Want]:
        """A result by the kind of its call; without a call it may be anything's."""
        if call is None:
            self._books.excuses.doubt(result.seq)
            unheard = Call(result.actor, result.call, result.message, kind="write", turn=result.turn)
            return self._judge(unheard, result) if result.files else []
        if call.kind == "write":
            return self._judge(call, result)
        if call.kind in _ANY_FILE and call.background:
            self._books.excuses.doubt(result.seq)
        elif call.kind in _ANY_FILE:
            self._books.excuses.end(call.id, result.seq)
        if call.path and result.outcome == "ok" and not event.cut and not call.background:
            self._books.texts.keep(
                self._books.names.key(call.path, result.folder), event.output, from_top=call.from_top
            )
        return []

    def _judge(self, call: Call, result: Result) -> list[Want]:
        self._view = None
        return self._books.judge(call, result, self._calls)

    def _ended(self, event: RequestEnded | RunEnded | SourceChanged) -> list[Want]:
        """A claim, or the end: what has no result by now is unknown."""
        if isinstance(event, SourceChanged):
            if event.what not in ("gone", "end"):
                if event.what != "aside":
                    self._books.excuses.doubt(event.seq)
                return []
        elif event.actor and isinstance(event, RequestEnded):
            return []
        whole = isinstance(event, SourceChanged) or (isinstance(event, RunEnded) and not event.actor)
        wants = self._give_up(
            [call for call in self._calls.waiting.values() if whole or call.actor == event.actor], event
        )
        if isinstance(event, RequestEnded):
            self._stopped(event)
        if whole and self._over is None:
            self._over = event.seq
        self._view = None
        return wants + looks((one for _, one in self._books.ledger.failures()), event.seq)

    def _stopped(self, event: RequestEnded) -> None:
        """The agent is done by its own word, or says that it could not do it; a question is neither."""
        match says(event.text) if event.how == "answered" else event.how:
            case "done":
                self._books.ledger.claim(event.seq, event.request)
            case "could not" | "refused":
                self._books.ledger.admit(event.seq)
            case _:
                pass

    def _give_up(self, calls: Iterable[Call], event: Event) -> list[Want]:
        """The writes among these calls have no result: whether they were made is unknown."""
        wants: list[Want] = []
        for call in calls:
            if call.kind != "write" or call.partial or self._blind:
                continue
            spot = Spot(event.seq, event.place.input, event.place.line)
            result = Result(
                call.actor, call.call, event.seq, spot, event.at, event.seen, call.turn, call.message, "unknown", "", (),
                "no result was seen", "", self._books.names.folder(call.actor), event.request,
            )  # fmt: skip
            self._calls.close(call, result)
            wants += self._judge(call, result)
        return wants

    def _changed(self, event: FileChanged) -> list[Look]:
        self._stirred = True
        wants: list[Look] = []
        for key in self._books.names.changed(event):
            self._books.excuses.changed(key, event)
            self._books.texts.drop(key)
            if key in self._books.ledger.open:
                self._books.ledger.mark(key, stirred=event.seq)
                self._view = None
                wants += looks(self._books.ledger.open[key].failures, event.seq)
        return wants

    def _measured(self, event: TreeMeasured) -> None:
        """A folder that changed though nothing known changed it: any file may be another."""
        if event.by != "monitor" or not event.content:
            return
        if self._tree and event.content != self._tree and not self._stirred:
            self._books.excuses.doubt(event.seq)
        self._tree = event.content
        self._stirred = any(call.kind == "write" or call.kind in _ANY_FILE for call in self._calls.waiting.values())

    def _settle(self, event: Acted) -> None:
        key = event.subject.removeprefix(f"{self.name}::")
        entry = self._books.ledger.open.get(key)
        if entry is not None and event.subject != key:
            by = f"the {event.by}: {event.text}" if event.text else f"the {event.by}"
            self._books.ledger.end(key, Ended(entry, by, "settled", event.seq, event.at))
            self._view = None


def _alike(before: Result, result: Result) -> bool:
    """Whether a result only repeats the last."""
    return (before.outcome, before.failure, before.files) == (result.outcome, result.failure, result.files)
