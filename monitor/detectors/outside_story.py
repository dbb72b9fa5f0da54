"""What happened to one file, by whatever hand, in the order of time; and what is to be said of it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from monitor.detectors.outside_view import Author, OutsideEdit, Overwritten
from monitor.findings import Level, Spot

_ITEMS = 60
"""Happenings remembered of one file."""
_OURS = ("agent", "shell", "unknown")
_BEFORE = {
    "agent": "the agent had changed it before, and that may be gone",
    "shell": "a command had changed it before, and that may be gone",
    "unknown": "it had changed before, by whom is not known",
}
"""What is said of a file that somebody else changed last."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The file was seen to change."""

    at: float
    seq: int
    what: str
    after: str
    """SHA-256 of what it holds, in hex; empty where nothing does, or it is not known."""
    spot: Spot
    by: str = ""
    """Empty while it is not judged; see `Author.by`."""
    why: str = ""
    added: int | None = None
    removed: int | None = None
    run: str = ""
    """Another attached run that claims it."""

    @property
    def outside(self) -> bool:
        """Whether its contents changed outside the agent's view."""
        return bool(self.by) and self.by not in _OURS and self.what != "mode"


@dataclass(frozen=True, slots=True)
class Met:
    """The agent read the file, or was told what changed in it."""

    at: float
    seq: int


@dataclass(frozen=True, slots=True)
class Wrote:
    """The agent wrote the file."""

    at: float
    """When the call was issued."""
    seq: int
    spot: Spot
    end: float
    tool: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """A tool, or the harness, said that the file had changed since the agent read it."""

    at: float
    seq: int
    spot: Spot
    excused: bool
    """A call of the agent's may have changed it."""


Item = Changed | Met | Wrote | Noted


@dataclass(frozen=True, slots=True)
class Story:
    """One file."""

    file: str
    """As it is shown."""
    items: tuple[Item, ...] = ()
    """By time; the oldest are forgotten."""

    def add(self, item: Item) -> Story:
        """With one happening more; one told again takes the place of what was told."""
        kept = [one for one in self.items if one.seq != item.seq or type(one) is not type(item)]
        insort(kept, item, key=lambda one: (one.at, one.seq))
        if len(kept) <= _ITEMS:
            return replace(self, items=tuple(kept))
        return replace(self, items=(*_met(kept[: -_ITEMS + 1]), *kept[-_ITEMS + 1 :]))

    def without(self, seq: int) -> Story:
        """Without what was told at a seq."""
        return replace(self, items=tuple(one for one in self.items if one.seq != seq))

    def since(self, seq: int) -> Story:
        """What happened after a seq; before it, only that the agent knew the file."""
        met = _met([one for one in self.items if one.seq <= seq])
        return replace(self, items=(*met, *(one for one in self.items if one.seq > seq)))

    @property
    def changed(self) -> int:
        """The seq of the latest change; -1 where there is none."""
        return max((one.seq for one in self.items if isinstance(one, Changed)), default=-1)

    def author(self, since: int) -> Author | None:
        """Whose hand the changes after a seq were or, where there are none, those before."""
        changes = [one for one in self.items if isinstance(one, Changed)]
        if not changes:
            return None
        last = changes[-1]
        recent = [one for one in changes if one.seq > since] or changes
        ours = max(recent, key=lambda one: (_weight(one), one.at))
        chosen = last if last.outside and last in recent else ours
        also = ours.by if chosen is not ours and ours.by in _OURS else ""
        why = "; ".join(filter(None, _reasons(chosen, last, also, recent)))
        return Author(chosen.by, why, chosen.at, last.added, last.removed, last.seq, also, last.at)


def _reasons(chosen: Changed, last: Changed, also: str, recent: Sequence[Changed]) -> Iterator[str]:
    """Why a hand is named; what was seen of an earlier text is not said of a later one."""
    if also:
        yield _BEFORE[also]
    if chosen is last or chosen.by == "shell" or (chosen.after and chosen.after == last.after):
        yield chosen.why
    if chosen.by in _OURS and any(one.outside for one in recent):
        yield "also changed outside"
    if chosen.by in ("agent", "shell") and last.by in ("", "unknown") and last.after != chosen.after:
        yield f"then changed again, by whom is not known{'' if last.by else ' yet'}: {last.why}"


def _met(items: Sequence[Item]) -> Sequence[Item]:
    """What is left of happenings that are forgotten: the agent knew the file."""
    return [Met(one.at, one.seq) for one in items if not isinstance(one, Changed)][-1:]


def _weight(change: Changed) -> int:
    """What outweighs the rest: the agent's hand, the shell's, a doubt, what is not judged yet, and what is outside."""
    return {"agent": 4, "shell": 3, "unknown": 2, "": 1}.get(change.by, 0)


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


def assess(story: Story) -> Assessment:
    """Go through what happened to a file: a change outside what the agent knew, and what it then did."""
    walk = _Walk(story.file)
    for item in story.items:
        walk.take(item)
    return walk.assessment()


class _Walk:
    """One way through a story."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._edits: list[OutsideEdit] = []
        self._lost: list[Overwritten] = []
        self._known = False
        self._open: Changed | Noted | None = None
        """The latest change from outside that the agent has not written over."""
        self._seen = False
        """It has read the file since."""
        self._found = Assessment()

    def take(self, item: Item) -> None:
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
        return replace(self._found, edits=tuple(self._edits), overwritten=tuple(self._lost))

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
