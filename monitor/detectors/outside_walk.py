"""What is to be said of what happened to a file: a change outside what the agent knew, and what it then did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from monitor.detectors.outside_items import Changed, Item, Met, Noted, Wrote
from monitor.detectors.outside_view import OutsideEdit, Overwritten
from monitor.findings import Level, Spot

_LISTED = 60
"""Edits, and versions written over, that are listed of a file's past."""
_HANDS = 20
_UNJUDGED = "more happened to it than is remembered"


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is to be said of a file."""

    edits: tuple[OutsideEdit, ...] = ()
    overwritten: tuple[Overwritten, ...] = ()
    level: Level | None = None
    """Of what is open now; none where nothing is."""
    spots: tuple[Spot, ...] = ()
    """What proves it."""
    run: str = ""
    """Another attached run that changed it; empty for a hand unknown."""
    whole: bool = False
    """The agent wrote the whole file though it had read it since."""
    told: bool = False
    """Only a tool's word says that it changed."""
    cleared: str = ""
    """Why nothing is open any more."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is left of happenings that are no longer remembered one by one."""

    until: tuple[float, int] = (-inf, -1)
    """The time and the seq of the latest of them."""
    met: float | None = None
    """When the agent last came to know the file; none where it never did."""
    changes: tuple[Changed, ...] = ()
    """The latest change by each hand, by time."""
    edits: tuple[OutsideEdit, ...] = ()
    lost: tuple[Overwritten, ...] = ()
    known: bool = False
    """The agent knows the file."""
    seen: bool = False
    """It has read the file since the change that is open."""
    open: Changed | Noted | None = None
    """The latest change from outside that the agent has not written over."""
    found: Assessment = Assessment()

    def late(self, item: Met | Wrote | Noted) -> Past:
        """Something older is told only now: all that can still be known of it is that the agent knew the file."""
        return replace(self, known=True, met=item.at if self.met is None else max(self.met, item.at))

    def with_(self, file: str, gone: Sequence[Item]) -> Past:
        """With what happened next to the file."""
        walk = Walk(file, self)
        for item in gone:
            walk.take(item)
        return walk.past(self, gone)


NO_PAST = Past()


def hands(before: Iterable[Changed], gone: Iterable[Item]) -> tuple[Changed, ...]:
    """Of changes that are forgotten the latest by each hand; one that was never judged was by a hand unknown."""
    latest: dict[str, Changed] = {}
    for one in (*before, *(one for one in gone if isinstance(one, Changed))):
        judged = one if one.by else replace(one, by="unknown", why=_UNJUDGED)
        latest.pop(judged.by, None)
        latest[judged.by] = judged
    return tuple(latest.values())[-_HANDS:]


class Walk:
    """One way through what happened to a file, from where an earlier one ended."""

    def __init__(self, file: str, past: Past) -> None:
        self._file = file
        self._edits = list(past.edits)
        self._lost = list(past.lost)
        self._known, self._seen, self._open, self._found = past.known, past.seen, past.open, past.found

    def take(self, item: Item) -> None:
        """One happening more."""
        match item:
            case Changed() if item.outside:
                self._changed(item)
            case Changed():
                pass
            case Noted():
                self._noted(item)
            case Met():
                self._known = self._seen = True
                if self._found.level == "note":
                    self._found = Assessment(cleared="the agent read it again")
            case Wrote():
                self._wrote(item)

    def assessment(self) -> Assessment:
        """What is to be said now."""
        return replace(self._found, edits=tuple(self._edits), overwritten=tuple(self._lost))

    def past(self, before: Past, gone: Sequence[Item]) -> Past:
        """What is to be kept of this way, which went through `gone` after what was before it."""
        return Past(
            until=max((before.until, *((one.at, one.seq) for one in gone))),
            met=max((one.at for one in gone if not isinstance(one, Changed)), default=before.met),
            changes=hands(before.changes, gone),
            edits=tuple(self._edits[-_LISTED:]),
            lost=tuple(self._lost[-_LISTED:]),
            known=self._known,
            seen=self._seen,
            open=self._open,
            found=self._found,
        )

    def _changed(self, item: Changed) -> None:
        by = item.by if item.by != "outside" else ""
        self._edits.append(OutsideEdit(self._file, item.at, item.seq, by))
        if item.after and any(one.digest == item.after for one in self._lost):
            self._found = Assessment(cleared="what was overwritten was brought back")
            self._open, self._seen = None, False
            return
        self._open, self._seen = item, False
        if self._known and self._found.level != "warn":
            spots = (*self._found.spots, item.spot)[-5:]
            self._found = Assessment(level="note", spots=spots, run=by)

    def _noted(self, item: Noted) -> None:
        if item.excused or (self._open is not None and not self._seen):
            if isinstance(self._open, Changed) and self._found.level == "note":
                self._found = replace(self._found, spots=(*self._found.spots, item.spot)[-5:])
            return
        self._edits.append(OutsideEdit(self._file, item.at, item.seq))
        self._open, self._seen, self._known = item, False, True
        if self._found.level != "warn":
            self._found = Assessment(level="note", spots=(item.spot,), told=True)

    def _wrote(self, item: Wrote) -> None:
        over = self._open
        if over is not None and (item.whole or (self._known and not self._seen)):
            self._edits = [replace(one, overwritten=one.overwritten or one.seq == over.seq) for one in self._edits]
            if isinstance(over, Changed) and over.after:
                self._lost.append(Overwritten(self._file, over.after, over.at, item.end, item.tool))
            run = over.by if isinstance(over, Changed) and over.by != "outside" else ""
            spots = (*self._found.spots, over.spot, item.spot)[-5:]
            spots = tuple(dict.fromkeys(spots))
            self._found = Assessment(level="warn", spots=spots, run=run, whole=self._seen)
        self._known, self._open, self._seen = True, None, False
