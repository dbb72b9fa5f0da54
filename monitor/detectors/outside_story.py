"""What happened to one file, in the order of time."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from monitor.detectors.outside_items import OURS, Changed, Item, Met, Wrote
from monitor.detectors.outside_view import Author
from monitor.detectors.outside_walk import NO_PAST, Assessment, Past, Walk, hands

_ITEMS = 60
"""Happenings remembered of one file."""
_BEFORE = {
    "agent": "the agent had changed it before, and that may be gone",
    "shell": "a command had changed it before, and that may be gone",
    "unknown": "it had changed before, by whom is not known",
}
"""What is said of a file that somebody else changed last."""


@dataclass(frozen=True, slots=True)
class Story:
    """One file."""

    file: str
    """As it is shown."""
    items: tuple[Item, ...] = ()
    """By time, the latest."""
    past: Past = NO_PAST
    """What came of those before them."""

    def add(self, item: Item) -> Story:
        """With one happening more; one told again takes the place of what was told."""
        if not isinstance(item, Changed) and (item.at, item.seq) < self.past.until:
            return replace(self, past=self.past.late(item))
        kept = [one for one in self.items if one.seq != item.seq or type(one) is not type(item)]
        insort(kept, item, key=lambda one: (one.at, one.seq))
        past = self.past.with_(self.file, kept[:-_ITEMS]) if len(kept) > _ITEMS else self.past
        return replace(self, items=tuple(kept[-_ITEMS:]), past=past)

    def since(self, seq: int) -> Story:
        """What happened after a seq; before it, only whose hands changed the file, and that the agent knew it."""
        gone = [one for one in self.items if one.seq <= seq]
        met = [Met(one.at, one.seq) for one in gone if not isinstance(one, Changed)][-1:]
        past = Past(met=self.past.met, known=self.past.known, changes=hands(self.past.changes, gone))
        return replace(self, items=(*met, *(one for one in self.items if one.seq > seq)), past=past)

    def assess(self) -> Assessment:
        """Go through it all: what is to be said now."""
        walk = Walk(self.file, self.past)
        for item in self.items:
            walk.take(item)
        return walk.assessment()

    @property
    def quiet(self) -> bool:
        """Whether the agent read the file, and nothing else is known to have happened to it."""
        found = self.past.found
        return not (self.past.edits or found.level or found.cleared) and all(isinstance(one, Met) for one in self.items)

    @property
    def changes(self) -> list[Changed]:
        """By time the changes that are remembered."""
        return [*self.past.changes, *(one for one in self.items if isinstance(one, Changed))]

    @property
    def changed(self) -> int:
        """The seq of the latest change; -1 where there is none."""
        return max((one.seq for one in self.changes), default=-1)

    def met(self, until: float) -> float | None:
        """When the agent last came to know the file before a moment; none where it never did."""
        times = [one.at for one in self.items if isinstance(one, (Met, Wrote)) and one.at <= until]
        if times:
            return times[-1]
        return self.past.met if self.past.met is not None and self.past.met <= until else None

    def author(self, since: int) -> Author | None:
        """Whose hand the changes after a seq were or, where there are none, those before."""
        changes = self.changes
        if not changes:
            return None
        last = changes[-1]
        recent = [one for one in changes if one.seq > since] or changes
        ours = max(recent, key=lambda one: (_weight(one), one.at, one.seq))
        chosen = last if last.outside and last in recent else ours
        also = ours.by if chosen is not ours and ours.by in OURS else ""
        why = "; ".join(filter(None, _reasons(chosen, last, also, recent)))
        return Author(chosen.by, why, chosen.at, last.added, last.removed, last.seq, also, last.at)


def _reasons(chosen: Changed, last: Changed, also: str, recent: Sequence[Changed]) -> Iterator[str]:
    """Why a hand is named; what was seen of an earlier text is not said of a later one."""
    if also:
        yield _BEFORE[also]
    if chosen is last or chosen.by == "shell" or (chosen.after and chosen.after == last.after):
        yield chosen.why
    if chosen.by in OURS and any(one.outside for one in recent):
        yield "also changed outside"
    if chosen.by in ("agent", "shell") and last.by in ("", "unknown") and last.after != chosen.after:
        yield f"then changed again, by whom is not known{'' if last.by else ' yet'}: {last.why}"


def _weight(change: Changed) -> int:
    """What outweighs the rest: the agent's hand, the shell's, a doubt, what is not judged yet, and what is outside."""
    return {"agent": 4, "shell": 3, "unknown": 2, "": 1}.get(change.by, 0)
