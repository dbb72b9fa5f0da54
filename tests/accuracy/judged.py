"""What is said of a labelled log, place by place: read from a file as a person would name it, to the snapshot."""

from __future__ import annotations

from dataclasses import dataclass

from pen import Pen, Place

from monitor.events import Event, SourceChanged
from monitor.findings import Finding, Level, rank
from monitor.run.run import Run
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor
from monitor.targets import find


@dataclass(frozen=True)
class Reading:
    """A whole log, read: its events, and the findings after each."""

    events: tuple[Event, ...]
    after: tuple[tuple[int, tuple[Finding, ...]], ...]
    """By the line of each event, before anything is concluded from the log's end."""
    snapshot: Snapshot

    @property
    def end(self) -> tuple[Finding, ...]:
        """The findings when all of it is read."""
        return self.snapshot.findings

    def at(self, line: int | None) -> tuple[Finding, ...]:
        """The findings when the log stood at this line."""
        if line is None:
            return self.end
        return next((found for at, found in reversed(self.after) if at <= line), ())


@dataclass(frozen=True)
class Verdict:
    """How one place was judged."""

    place: Place
    said: Level | None
    before: Level | None = None
    """What was said where it was not to be said yet."""

    @property
    def right(self) -> bool:
        """It says what it is to say, and did not say it before."""
        return self.said == self.place.level and (
            self.place.since is None or rank(self.before) < rank(self.place.level)
        )

    @property
    def missed(self) -> bool:
        """It says less than it is to say."""
        return rank(self.said) < rank(self.place.level)


def read(target: str) -> Reading:
    """Read a finished log as `monitor report` does."""
    events: list[Event] = []
    after: list[tuple[int, tuple[Finding, ...]]] = []
    furthest = 0

    def tap(event: Event, run: Run) -> None:
        nonlocal furthest
        furthest = max(furthest, event.place.line if event.place.input == 0 else 0)
        events.append(event)
        if not isinstance(event, SourceChanged):
            after.append((furthest, run.snapshot().findings))

    supervisor = Supervisor(find(target), live=False, tap=tap)
    supervisor.read_all()
    supervisor.close()
    return Reading(tuple(events), tuple(after), supervisor.snapshot)


def judge(pen: Pen, reading: Reading) -> list[Verdict]:
    """Each labelled place: what is said there, and whether that is right."""
    return [_judged(place, reading) for place in pen.places]


def unlabelled(pen: Pen, reading: Reading) -> list[Finding]:
    """Warnings and stops of detectors that no label of the log lets speak."""
    speak = {place.detector for place in pen.places if place.level is not None}
    return [one for one in reading.end if rank(one.level) > 1 and one.detector not in speak]


def _judged(place: Place, reading: Reading) -> Verdict:
    before = None if place.since is None else _level(place, reading.at(place.since))
    return Verdict(place, _level(place, reading.at(place.line)), before)


def _level(place: Place, findings: tuple[Finding, ...]) -> Level | None:
    """The highest level of what is said of the place's subject: now, or where nothing may ever have been said, up to now."""
    said = [
        one.level
        for one in findings
        if one.detector == place.detector and place.about in one.subject and (place.ever or one.state == "open")
    ]
    return max(said, key=rank, default=None)
