"""The stories of all files, and what is found in them."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from monitor.detectors.docket import Docket
from monitor.detectors.numbers import DEFAULTS, OutsideNumbers
from monitor.detectors.outside_advice import advice, message
from monitor.detectors.outside_items import Changed, Item
from monitor.detectors.outside_story import Story
from monitor.detectors.outside_view import Author, OutsideEdit, Overwritten
from monitor.detectors.outside_walk import Assessment
from monitor.events import Acted
from monitor.findings import Finding

NAME = "outside_edits"
_STORIES = 5_000
"""Files of which it is remembered what happened."""
_PAST = 200
"""Forgotten or settled files whose outside edits are still listed."""
_ROWS = 2_000
_LATE = "a call told later shows that it was not from outside"


class Stories:
    """Files by their canonical path; those to which nothing happened for longest are forgotten first."""

    def __init__(self, numbers: OutsideNumbers = DEFAULTS.outside_edits) -> None:
        self._numbers = numbers
        self._stories: dict[str, Story] = {}
        self._assessed: dict[str, Assessment] = {}
        self._past: deque[Assessment] = deque(maxlen=_PAST)
        self._docket = Docket()
        self.forgotten = -1
        """The seq of the latest change of a file that is forgotten."""

    def __contains__(self, key: str) -> bool:
        """Whether anything is remembered of a file."""
        return key in self._stories

    def file(self, key: str) -> str:
        """A file as it is shown."""
        return self._stories[key].file if key in self._stories else ""

    def change(self, key: str, seq: int) -> Changed | None:
        """The change that an event told of, if it is still remembered."""
        story = self._stories.get(key)
        return (
            next((one for one in story.items if one.seq == seq and isinstance(one, Changed)), None) if story else None
        )

    def known(self, key: str, until: float) -> float | None:
        """When the agent last came to know the file before a moment; none where it never did."""
        story = self._stories.get(key)
        return story.met(until) if story else None

    def add(self, key: str, item: Item, file: str, *, seq: int, over: bool) -> None:
        """Something happened to a file; `over` when the run is, so that nothing new needs to be said to the agent."""
        story = self._stories.pop(key, Story(file))
        self._stories[key] = replace(story, file=file if isinstance(item, Changed) else story.file).add(item)
        self.weigh(key, seq=seq, over=over)
        if len(self._stories) > _STORIES:
            oldest = next(iter(self._stories))
            self.forgotten = max(self.forgotten, self._stories.pop(oldest).changed)
            self._keep(self._assessed.pop(oldest, None))

    def weigh(self, key: str, *, seq: int, over: bool) -> None:
        """Say what is to be said of a file now."""
        story = self._stories.get(key)
        if story is None or story.quiet:
            return
        found, before = story.assess(), self._assessed.get(key, Assessment())
        if found == before:
            return
        self._assessed[key] = found
        finding = Finding(
            detector=NAME,
            subject=story.file,
            level=found.level or "note",
            message=message(story.file, found),
            advice=advice(story.file, found),
            opened=seq,
            raised=seq,
            places=found.spots,
        )
        if {one.seq for one in found.edits} - {one.seq for one in before.edits}:
            self._docket.renew(finding.key)
        if found.level is None:
            self._docket.end(finding.key, "cleared", seq, found.cleared or _LATE)
        elif self._numbers.overwrote if found.level == "warn" else self._numbers.changed and not over:
            self._docket.put(finding)

    def reopen(self, seq: int) -> None:
        """The run goes on: what changed while it was over is to be said now."""
        for key, found in list(self._assessed.items()):
            if found.level == "note":
                del self._assessed[key]
                self.weigh(key, seq=seq, over=False)

    def dismiss(self, event: Acted) -> bool:
        """The operator settled a finding: what happened to the file until now is dealt with."""
        if not self._docket.settle(event):
            return False
        for key, story in self._stories.items():
            if event.subject == f"{NAME}::{story.file}":
                self._keep(self._assessed.pop(key, None))
                self._stories[key] = story.since(event.seq)
                break
        return True

    def authors(self, since: int) -> dict[str, Author]:
        """By file whoever changed it, after a seq if anybody did."""
        found = ((story.file, story.author(since)) for story in self._stories.values())
        return {file: author for file, author in found if author is not None}

    def edits(self) -> tuple[OutsideEdit, ...]:
        """Every change from outside, oldest first."""
        found = [edit for one in (*self._past, *self._assessed.values()) for edit in one.edits]
        return tuple(sorted(found, key=lambda one: one.seq)[-_ROWS:])

    def overwritten(self) -> tuple[Overwritten, ...]:
        """Every version from outside that the agent wrote over, oldest first."""
        found = [lost for one in (*self._past, *self._assessed.values()) for lost in one.overwritten]
        return tuple(sorted(found, key=lambda one: one.at)[-_ROWS:])

    def findings(self) -> tuple[Finding, ...]:
        """What was found, ended ones included."""
        return self._docket.findings()

    def copy(self) -> Stories:
        """Another that goes on from here."""
        other = Stories(self._numbers)
        other._stories, other._assessed = dict(self._stories), dict(self._assessed)
        other._past, other._docket = self._past.copy(), self._docket.copy()
        other.forgotten = self.forgotten
        return other

    def _keep(self, found: Assessment | None) -> None:
        """Of a file that is forgotten or dealt with, its changes are still listed."""
        if found is not None and found.edits:
            self._past.append(found)
