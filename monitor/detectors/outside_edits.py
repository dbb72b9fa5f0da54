"""Files that were changed outside the agent's view: by whom each change was, and what the agent then wrote over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from monitor.actions import Reveal, Want
from monitor.detectors.authorship import judged
from monitor.detectors.numbers import DEFAULTS, OutsideNumbers
from monitor.detectors.outside_calls import Calls, Found
from monitor.detectors.outside_items import Changed, Item, Met, Noted
from monitor.detectors.outside_spans import Span
from monitor.detectors.outside_stories import NAME, Stories
from monitor.detectors.outside_view import OutsideView
from monitor.detectors.paths import canonical
from monitor.detectors.telling import Telling, time_of
from monitor.events import (
    Acted,
    Event,
    FileChanged,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.findings import Spot

_RECENT = 2_000
"""Changes that late events may still revise."""
_TOLD = "file changed outside"
"""What a harness's notice is called with which it shows the agent what changed in a file."""
_UNTOLD = "the agent's log is behind"


class _Recent(NamedTuple):
    """A change that may still be judged anew."""

    key: str
    keys: tuple[str, ...]
    """All paths that its file may be known by."""
    at: float
    after: str


class OutsideEdits:
    """Judges every change by the calls around it, and anew when late calls are told."""

    name = NAME
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, ToolCalled, ToolReturned, Waiting, Noticed, ReplyEnded, RequestEnded, RunEnded,
        SourceChanged, FileChanged, Acted, Tick,
    )  # fmt: skip

    def __init__(self, numbers: OutsideNumbers = DEFAULTS.outside_edits) -> None:
        self._telling = Telling()
        self._calls = Calls(numbers)
        self._stories = Stories(numbers)
        self._recent: dict[int, _Recent] = {}
        """By seq the latest changes."""
        self._pending: dict[int, float] = {}
        """The changes that are not judged yet, with their time."""
        self._prompted = -1
        self._seq = -1
        self._view: OutsideView | None = None
        self._turned: list[Want] = []
        """What the latest event showed to be from outside, or not to be."""

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; wanted is only that what it tells of changes is shown."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        self._turned = []
        self._seq = max(self._seq, event.seq)
        match event:
            case Tick():
                self._telling.ticked(event)
            case FileChanged():
                self._changed(event)
            case SourceChanged():
                self._telling.over |= event.what in ("gone", "end")
            case Acted():
                if event.action == "settle" and event.receipt == "done" and self._stories.dismiss(event):
                    self._view = None
            case _:
                self._told(event)
        self._judge([seq for seq, at in self._pending.items() if self._telling.passed(at)])
        return self._turned

    def view(self) -> OutsideView:
        """What is known now."""
        if self._view is None:
            self._view = OutsideView(
                edits=self._stories.edits(),
                overwritten=self._stories.overwritten(),
                authors=MappingProxyType(self._stories.authors(self._prompted)),
                forgotten=self._stories.forgotten,
                pending=len(self._pending),
                blind=self._telling.blind,
                findings=self._stories.findings(),
            )
        return self._view

    def copy(self) -> OutsideEdits:
        """Another that goes on from here."""
        other = OutsideEdits()
        other.__dict__.update(self.__dict__)
        other._telling, other._calls, other._stories = self._telling.copy(), self._calls.copy(), self._stories.copy()
        other._recent, other._pending = dict(self._recent), dict(self._pending)
        return other

    def _told(self, event: Event) -> None:
        """The source has told something."""
        self._telling.heard(event)
        match event:
            case RunStarted():
                self._started(event)
            case ToolCalled():
                self._reopen()
                self._take(*self._calls.called(event, self._telling))
            case ToolReturned():
                self._take(*self._calls.returned(event, self._telling))
            case Waiting():
                self._take(self._calls.waited(event), ())
            case Noticed() if event.name == _TOLD and event.text:
                self._shown(event)
            case Prompted() if not event.actor and event.by in ("user", "operator"):
                self._prompted, self._view = event.seq, None
                self._reopen()
            case RunEnded() if not event.actor:
                self._telling.over = True
            case _:
                pass

    def _started(self, event: RunStarted) -> None:
        self._calls.names.started(event)
        self._view = None
        if event.actor:
            spans = self._calls.shown_by(event.parent_call)
            self._judge([seq for seq, one in self._recent.items() if any(span.reaches(one.at) for span in spans)])
            return
        blind = self._telling.blind
        self._telling.started(event)
        if self._telling.blind != blind:
            self._judge(list(self._recent))

    def _reopen(self) -> None:
        if self._telling.over:
            self._telling.over = False
            self._stories.reopen(self._seq)
            self._view = None

    def _take(self, span: Span | None, found: Iterable[Found]) -> None:
        """A call, or its result: changes in its span are judged anew, and files it read or wrote are known."""
        for key, item in found:
            self._add(key, self._excused(key, item) if isinstance(item, Noted) else item)
        if span is not None:
            self._judge(
                [
                    seq
                    for seq, recent in self._recent.items()
                    if span.reaches(recent.at) or recent.after in span.contents
                ]
            )

    def _excused(self, key: str, noted: Noted) -> Noted:
        """Whether a call of the agent's own may have changed a file since the agent came to know it."""
        since = self._stories.known(key, noted.at)
        own = self._calls.spans.may_have_written(since if since is not None else 0.0, noted.at)
        return replace(noted, excused=own)

    def _shown(self, event: Noticed) -> None:
        """The harness saw that a file changed, and showed the agent what."""
        names = self._calls.names
        key, at = names.key(event.text, names.folder(event.actor)), time_of(event)
        spot = Spot(event.seq, event.place.input, event.place.line)
        self._add(key, self._excused(key, Noted(at, event.seq, spot, excused=False)))
        self._add(key, Met(at, event.seq))

    def _add(self, key: str, item: Item, file: str = "") -> None:
        if key:
            file = file or self._calls.names.shown(key)
            self._stories.add(key, item, file, seq=self._seq, over=self._telling.over)
            self._view = None

    def _changed(self, event: FileChanged) -> None:
        keys = self._keys(event)
        if not keys:
            return
        key = next((one for one in keys if one in self._stories), keys[0])
        spot = Spot(event.seq, event.place.input, event.place.line)
        change = Changed(
            time_of(event), event.seq, event.what, event.after, spot, added=event.added, removed=event.removed,
            run=event.by,
        )  # fmt: skip
        self._add(key, change, event.file)
        self._recent[event.seq] = _Recent(key, keys, change.at, change.after)
        if len(self._recent) > _RECENT:
            oldest = next(iter(self._recent))
            del self._recent[oldest]
            self._pending.pop(oldest, None)
        self._judge([event.seq])

    def _keys(self, event: FileChanged) -> tuple[str, ...]:
        """The paths that the agent may know a file by; where nobody knows any folder, the bare one."""
        return tuple(filter(None, dict.fromkeys((*self._calls.names.changed(event), canonical(event.file, "")))))

    def _judge(self, seqs: Sequence[int]) -> None:
        """Say by whose hand changes were, by what is known now."""
        for seq in seqs:
            key, keys, _, _ = self._recent[seq]
            change = self._stories.change(key, seq)
            if change is None:
                self._pending.pop(seq, None)
                continue
            by, why = self._verdict(change, keys)
            if by:
                self._pending.pop(seq, None)
            else:
                self._pending[seq] = change.at
            if (by, why) != (change.by, change.why):
                self._judged(key, change, replace(change, by=by, why=why))

    def _judged(self, key: str, before: Changed, after: Changed) -> None:
        self._add(key, after, self._stories.file(key))
        if before.outside != after.outside:
            self._turned.append(Reveal(after.seq, after.outside))

    def _verdict(self, change: Changed, keys: Sequence[str]) -> tuple[str, str]:
        found = judged(change.at, keys, change.after, self._calls.spans, change.run)
        if found is not None:
            return found
        if self._telling.blind:
            return "unknown", self._telling.blind
        if change.by == "outside" or self._telling.passed(change.at):
            return "outside", ""
        return "", _UNTOLD
