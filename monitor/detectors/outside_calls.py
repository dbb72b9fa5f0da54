"""What calls tell of files: the spans in which they may change them, what the agent read, and what it wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from msgspec import structs

from monitor.detectors.names import Names
from monitor.detectors.numbers import DEFAULTS, OutsideNumbers
from monitor.detectors.outside_items import Item, Met, Noted, Wrote
from monitor.detectors.outside_spans import Id, Span, Spans
from monitor.detectors.pending import Pending
from monitor.detectors.telling import Telling, time_of
from monitor.events import Failure, Kind, Op, Outcome, ToolCalled, ToolReturned, Waiting
from monitor.findings import Spot
from monitor.shell.effects import only_looks
from monitor.shell.steps import steps_of
from monitor.text import first_line

_WHOLE: tuple[Op, ...] = ("write", "create", "delete", "move")
_MAY_WRITE: tuple[Kind, ...] = ("other", "delegate")
_UNMADE: tuple[Outcome, ...] = ("denied", "corrected", "refused", "not_executed", "approval_timeout")
_UNTOUCHED: tuple[Failure, ...] = ("not_found", "exists", "identical", "ambiguous", "unread", "stale", "arguments")
"""Failures before anything was written."""
_LARGEST = 1 << 20
_EARLY = 100
"""Results remembered whose calls have not been told."""
_PRINTING = ("cat", "head", "tail", "nl", "bat", "less", "more", "tac", "sed")
"""Programs by which agents read files."""
_READ = 50
"""Files of one command that the agent is taken to have read."""

Found = tuple[str, Item]
"""A file's canonical path, and what happened to it."""


class Calls:
    """Pairs calls with results."""

    def __init__(self, numbers: OutsideNumbers = DEFAULTS.outside_edits) -> None:
        self.names = Names()
        self.spans = Spans(numbers)
        self._pending = Pending()
        self._early: dict[Id, ToolReturned] = {}

    def called(self, event: ToolCalled, telling: Telling) -> tuple[Span | None, list[Found]]:
        """The span of a call, where it may change files; and what its result told, where that came first."""
        if event.partial or not self._pending.called(event):
            return None, []
        span = self._span(event, telling)
        if span is not None:
            self.spans.put(span)
        early = self._early.pop((event.actor, event.call), None)
        return self.returned(early, telling) if early is not None else (span, [])

    def returned(self, event: ToolReturned, telling: Telling) -> tuple[Span | None, list[Found]]:
        """The span as it is now, and what the result tells of files."""
        key = event.actor, event.call
        span = self.spans.get(key)
        asked = self._pending.returned(event)
        if event.cwd:
            self.names.moved(event.actor, event.cwd)
        if asked is None:
            if span is None:
                self._remember(event)
            elif span.kind == "background" and not event.background:
                span = replace(span, end=time_of(event))
                self.spans.put(span)
            return span, []
        if span is not None:
            span = self._ended(span, event)
        return span, list(self._told(asked.call, event, telling))

    def waited(self, event: Waiting) -> Span | None:
        """The span of a call that waits for approval, or no longer does."""
        if event.on != "approval" or not event.call:
            return None
        return self.spans.wait((event.actor, event.call), time_of(event), over=event.over)

    def shown_by(self, parent_call: str) -> list[Span]:
        """A sub-agent's own calls are told: the call that started it accounts for nothing by itself; it was this."""
        gone = [one for key in self.spans.ids() if key[1] == parent_call and (one := self.spans.get(key)) is not None]
        for one in gone:
            self.spans.drop(one.id)
        return gone

    def copy(self) -> Calls:
        """Another that goes on from here."""
        other = Calls()
        other.names, other.spans, other._pending = self.names.copy(), self.spans.copy(), self._pending.copy()
        other._early = dict(self._early)
        return other

    def _remember(self, event: ToolReturned) -> None:
        self._early[event.actor, event.call] = structs.replace(event, output="")
        if len(self._early) > _EARLY:
            del self._early[next(iter(self._early))]

    def _span(self, event: ToolCalled, telling: Telling) -> Span | None:
        key = event.actor, event.call
        known = self.spans.get(key)
        begin = known.begin if known else telling.began(event)
        waits = known.waits if known else ()
        if event.kind == "write":
            folder = self.names.folder(event.actor)
            named = [
                (self.names.key(path, folder, corrects=event.corrects_names), change)
                for change in event.changes
                for path in (change.file, change.to)
                if path
            ]
            whole = frozenset(path for path, change in named if change.op in _WHOLE)
            contents = frozenset(
                sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
                for change in event.changes
                if change.op in ("write", "create") and change.new and not (change.cut or event.arguments_cut)
                and len(change.new) <= _LARGEST
                for text in (change.new, change.new + "\n")
            )  # fmt: skip
            keys = frozenset(path for path, _ in named)
            return Span(key, "write", begin, None, event.tool, keys, whole, contents, waits)
        name = first_line(event.command) or event.tool
        if event.kind == "shell" and not only_looks(event.command):
            return Span(key, "background" if event.background else "shell", begin, None, name, waits=waits)
        return Span(key, "other", begin, None, event.tool, waits=waits) if event.kind in _MAY_WRITE else None

    def _ended(self, span: Span, event: ToolReturned) -> Span:
        """The span with its end; it is forgotten where the call changed nothing."""
        if event.background and span.kind != "write":
            span = replace(span, kind="background")
        elif event.outcome in _UNMADE or (
            event.outcome == "failed" and event.failure in _UNTOUCHED and not event.files
        ):
            self.spans.drop(span.id)
            return replace(span, end=time_of(event))
        else:
            told = frozenset(self._key(one.file, event) for one in event.files)
            untouched = frozenset(
                self._key(one.file, event) for one in event.files if one.outcome != "ok" and one.failure in _UNTOUCHED
            )
            keys = (span.keys | told) - untouched if span.kind == "write" else span.keys
            span = replace(span, end=time_of(event), keys=keys, seq=event.seq)
        self.spans.put(span)
        return span

    def _told(self, call: ToolCalled, event: ToolReturned, telling: Telling) -> Iterator[Found]:
        began, spot = telling.began(call), Spot(event.seq, event.place.input, event.place.line)
        folder = self.names.folder(event.actor)
        match call.kind:
            case "read" if event.outcome == "ok":
                for path in call.paths:
                    yield self.names.key(path, folder), Met(began, event.seq)
            case "shell" if event.outcome == "ok" and not event.background and only_looks(call.command):
                for path in _shown_files(call.command):
                    yield self.names.key(path, folder), Met(began, event.seq)
            case "write":
                yield from self._written(call, event, began, spot)
            case _:
                pass

    def _written(self, call: ToolCalled, event: ToolReturned, began: float, spot: Spot) -> Iterator[Found]:
        """What became of each file of a write."""
        folder = self.names.folder(event.actor)
        outcomes = {self._key(one.file, event): (one.outcome, one.failure or event.failure) for one in event.files}
        whole: dict[str, bool] = dict.fromkeys(outcomes, False)
        for change in call.changes:
            for path in filter(None, (change.file, change.to)):
                key = self.names.key(path, folder, corrects=call.corrects_names)
                whole[key] = whole.get(key, False) or change.op in _WHOLE
        for key, is_whole in whole.items():
            outcome, failure = outcomes.get(key, (event.outcome, event.failure))
            if outcome == "ok":
                yield key, Wrote(began, event.seq, spot, time_of(event), call.tool, is_whole)
            elif failure == "stale":
                yield key, Noted(time_of(event), event.seq, spot, excused=False)

    def _key(self, path: str, event: ToolReturned) -> str:
        return self.names.key(path, self.names.folder(event.actor))


def _shown_files(command: str) -> list[str]:
    """The files that a command prints, as it names them, seen from where it begins."""
    found: list[str] = []
    for step in steps_of(command).steps:
        if step.program not in _PRINTING or step.remote or step.folder is None:
            continue
        named = [word for word in step.words[1:] if not word.startswith(("-", "+"))]
        scripted = step.program == "sed" and "-e" not in step.words
        for path in (*named[scripted:], step.stdin):
            if path and not path.isdigit():
                beside = not step.folder or path.startswith(("/", "~"))
                found.append(path if beside else f"{step.folder}/{path}")
    return list(dict.fromkeys(found))[:_READ]
