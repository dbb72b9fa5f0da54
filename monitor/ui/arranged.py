"""The runs of the overview in the order they are shown: sorted, filtered, grouped, their sub-agents below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from monitor.finding.standing import FleetView, Standing
from monitor.snapshot import ActorFacts
from monitor.ui.ordered import Sort, ordered

_CHILDREN = 8
"""Sub-agents shown below one run."""
_NAMED = ("agent", "project", "state")


@dataclass(frozen=True, slots=True)
class Title:
    """A heading, and how many runs stand under it."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run."""

    run: Standing


@dataclass(frozen=True, slots=True)
class ChildLine:
    """A sub-agent that works."""

    child: ActorFacts
    depth: int
    key: str
    """Its run's."""


@dataclass(frozen=True, slots=True)
class MoreLine:
    """Sub-agents that are not shown, in words."""

    words: str
    key: str


@dataclass(frozen=True, slots=True)
class FoundLine:
    """What is found of a live run, below it: its worst finding, or others in its folder."""

    run: Standing

    @property
    def key(self) -> str:
        """Its run's."""
        return self.run.key


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line between two sections."""


Line = Title | RunLine | ChildLine | MoreLine | FoundLine | Gap
Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """How the operator wants them."""

    sort: Sort = "need"
    grouped: bool = False
    words: str = ""
    """All must hold; `agent:`, `project:` and `state:` name where; none with a minus before it may."""


class Arrangement:
    """Puts the runs in order; what has ended is put in order again only when it is another."""

    def __init__(self) -> None:
        self._for: tuple[tuple[Standing, ...], Wish] = ((), Wish())
        self._ended: list[RunLine] = []
        self._places: dict[str, int] = {}
        """Where each live run stood last."""

    def lines(self, view: FleetView, wish: Wish, now: float, *, airy: bool = False) -> Lines:
        """Live runs first, then those that ended, then those of which it is not known; or project by project.

        `airy` puts an empty line between the sections.
        """
        before = self._places if wish == self._for[1] else {}
        live = [RunLine(one) for one in ordered(_holding(view.live, wish), wish.sort, now, before)]
        self._places = {one.run.key: index for index, one in enumerate(live)}
        if view.ended is not self._for[0] or wish != self._for[1]:
            self._ended = [RunLine(one) for one in ordered(_holding(view.ended, wish), wish.sort, now, {})]
        self._for = view.ended, wish
        if not wish.grouped:
            known = [one for one in self._ended if not one.run.unclear]
            unclear = [one for one in self._ended if one.run.unclear]
            named = ("Live", live), ("Ended", known), ("Not known whether they run", unclear)
            return _joined([_section(name, there) for name, there in named], airy)
        groups: dict[str, list[RunLine]] = {}
        for one in (*live, *self._ended):
            groups.setdefault(one.run.listed.folder, []).append(one)
        return _joined([_section(name or "project not known", there) for name, there in groups.items()], airy)


def _holding(runs: Iterable[Standing], wish: Wish) -> Iterable[Standing]:
    return (one for one in runs if holds(one, wish.words))


def kept(old: Lines, new: Lines) -> Lines:
    """The new lines, each the old object where it says the same: what was drawn of it still holds."""
    same = {_about(line): line for line in old if not _still(line)}
    return tuple(
        line if _still(line) or (before := same.get(_about(line))) is None or not _alike(before, line) else before
        for line in new
    )


def _still(line: Line) -> bool:
    """Whether it is of a run that has ended: its line is made once."""
    return isinstance(line, RunLine) and not line.run.alive


def _about(line: Line) -> tuple[str, str]:
    match line:
        case Title():
            return "title", line.name
        case ChildLine():
            return "child", f"{line.key} {line.child.id}"
        case RunLine() | FoundLine():
            return type(line).__name__, line.run.key
        case _:
            return "other", repr(line)


def _alike(one: Line, two: Line) -> bool:
    """Whether two lines about the same say the same; a run does while it is the very same object."""
    if isinstance(one, RunLine | FoundLine) and isinstance(two, RunLine | FoundLine):
        return one.run is two.run
    return one == two


def state_of(run: Standing) -> str:
    """The verdict's state where its log was read, else what the list says."""
    told = run.verdict.state if run.verdict is not None else ""
    if told and (run.attached or not run.listed.alive) and run.snapshot is not None and run.snapshot.seq >= 0:
        if told == "running" and run.listed.state in ("idle", "waiting"):
            return run.listed.state
        return told
    return "running" if run.listed.state == "live" else run.listed.state


def holds(run: Standing, words: str) -> bool:
    """Whether all the words stand in what is shown of the run, and none of those with a minus before them."""
    if not words:
        return True
    listed = run.listed
    named = {"agent": run.agent, "project": listed.folder, "state": state_of(run)}
    said = " ".join((*named.values(), listed.title, listed.session, task_of(run))).casefold()
    for term in words.casefold().split():
        word = term.removeprefix("-") if term[1:2] != "-" else term
        name, colon, value = word.partition(":")
        where, sought = (named[name].casefold(), value) if colon and name in _NAMED else (said, word)
        if sought and (sought in where) is (word != term):
            return False
    return True


def task_of(run: Standing) -> str:
    """What it is about: what it waits for, else its title, else its task."""
    told = run.snapshot
    if told is not None and told.waiting and run.alive:
        return told.waiting
    task = told.run.task if told is not None else ""
    return (task if run.listed.ours else "") or run.listed.title or task


def next_in_need(lines: Sequence[Line], here: str, step: int) -> str:
    """The run that needs somebody most after this one, in turn; empty where none does."""
    runs = [line.run for line in lines if isinstance(line, RunLine)]
    needing = [one.key for one in sorted(runs, key=lambda one: -one.urgency) if one.urgency]
    if not needing:
        return ""
    if here not in needing:
        return needing[0 if step > 0 else -1]
    return needing[(needing.index(here) + step) % len(needing)]


def _joined(sections: Iterable[Iterable[Line]], airy: bool) -> Lines:
    lines: list[Line] = []
    for section in sections:
        there = list(section)
        if lines and there and airy:
            lines.append(Gap())
        lines += there
    return tuple(lines)


def _section(name: str, lines: Sequence[RunLine]) -> Iterable[Line]:
    if lines:
        yield Title(name, len(lines))
    for line in lines:
        run = line.run
        yield line
        if not run.alive:
            continue
        if run.together or (run.worst is not None and run.worst.level != "note"):
            yield FoundLine(run)
        yield from _below(run)


def _below(run: Standing) -> Iterable[Line]:
    """The sub-agents that work, as a tree."""
    actors = [one for one in run.snapshot.actors if one.id] if run.snapshot is not None and run.alive else []
    working = {one.id for one in actors if one.running}
    shown = 0
    for child, depth in _tree(actors, "", 0, set()):
        if child.id in working:
            if shown < _CHILDREN:
                yield ChildLine(child, depth, run.key)
            shown += 1
    if shown > _CHILDREN:
        yield MoreLine(f"and {shown - _CHILDREN} sub-agents more", run.key)


def _tree(actors: Sequence[ActorFacts], parent: str, depth: int, met: set[str]) -> Iterable[tuple[ActorFacts, int]]:
    known = {one.id for one in actors}
    for one in actors:
        above = one.parent or ""
        if one.id not in met and (above if above in known else "") == parent:
            met.add(one.id)
            yield one, depth
            yield from _tree(actors, one.id, depth + 1, met)
