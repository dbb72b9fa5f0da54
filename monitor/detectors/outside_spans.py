"""The times in which calls may have changed files."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from monitor.detectors.numbers import DEFAULTS, OutsideNumbers

_BEFORE = 0.01
"""Seconds by which the clock of files may lag behind that of the source."""
_OPEN = 500
_CLOSED = 500

Id = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Span:
    """One call that may change files, from when it was issued to its result."""

    id: Id
    kind: Literal["write", "shell", "background", "other"]
    begin: float
    end: float | None = None
    """None while it runs."""
    name: str = ""
    """The command, or the tool."""
    keys: frozenset[str] = frozenset()
    """The files a write names."""
    whole: frozenset[str] = frozenset()
    """Those of them that it writes as a whole, moves or deletes."""
    contents: frozenset[str] = frozenset()
    """SHA-256 of whole contents that it writes."""
    waits: tuple[tuple[float, float | None], ...] = ()
    """When it waited for approval."""
    seq: int = -1
    """Of its result."""

    def holds(self, at: float, after: float) -> bool:
        """Whether a moment lies in the span, or so many seconds after it."""
        return self.begin - _BEFORE <= at <= (math.inf if self.end is None else self.end + after)

    def reaches(self, at: float) -> bool:
        """Whether a moment lies in the span, or did before its end was told."""
        return self.begin - _BEFORE <= at

    def waited(self, at: float, after: float) -> bool:
        """Whether it waited for approval then, for the end of which it may be nobody told; or so many seconds after it."""
        return any(begin - _BEFORE <= at <= (self._until(end, after)) for begin, end in self.waits)

    def _until(self, end: float | None, after: float) -> float:
        return end if end is not None else math.inf if self.end is None else self.end + after


class Spans:
    """The running calls, and the latest that have ended."""

    def __init__(self, numbers: OutsideNumbers = DEFAULTS.outside_edits) -> None:
        self.numbers = numbers
        self._open: dict[Id, Span] = {}
        self._closed: dict[Id, Span] = {}

    def get(self, call: Id) -> Span | None:
        """The span of a call."""
        return self._open.get(call) or self._closed.get(call)

    def ids(self) -> list[Id]:
        """Every call that is remembered."""
        return [*self._open, *self._closed]

    def put(self, span: Span) -> None:
        """Know a span, or know it better."""
        self.drop(span.id)
        into, most = (self._open, _OPEN) if span.end is None else (self._closed, _CLOSED)
        into[span.id] = span
        if len(into) > most:
            del into[next(iter(into))]

    def drop(self, call: Id) -> None:
        """This call changes nothing."""
        self._open.pop(call, None)
        self._closed.pop(call, None)

    def wait(self, call: Id, at: float, *, over: bool) -> Span | None:
        """A call waits for approval, or no longer does."""
        span = self.get(call)
        if span is None:
            return None
        waits = span.waits
        if not over:
            waits = (*waits, (at, None))[-5:]
        elif waits and waits[-1][1] is None:
            waits = (*waits[:-1], (waits[-1][0], at))
        span = replace(span, waits=waits)
        self.put(span)
        return span

    def near(self, at: float) -> Iterator[Span]:
        """The spans a moment lies in, or shortly after, the latest first."""
        reach = max(self.numbers.after, self.numbers.formatter)
        for spans in (self._open, self._closed):
            for span in reversed(spans.values()):
                if span.holds(at, reach):
                    yield span

    def writing(self, contents: str) -> Iterator[Span]:
        """The spans of writes of these whole contents."""
        for spans in (self._open, self._closed):
            yield from (span for span in spans.values() if contents in span.contents)

    def may_have_written(self, since: float, until: float) -> bool:
        """Whether any call but a write may have changed files between two moments."""
        spans = (*self._open.values(), *self._closed.values())
        return any(
            one.kind != "write" and one.begin <= until and (one.end is None or one.end + self.numbers.after >= since)
            for one in spans
        )

    def copy(self) -> Spans:
        """Another that goes on from here."""
        other = Spans(self.numbers)
        other._open, other._closed = dict(self._open), dict(self._closed)
        return other
