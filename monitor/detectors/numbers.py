"""Every number the detectors go by, in one frozen value; 0 turns off what a number is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

from monitor.detectors.number import Number, count, factor, seconds, switch
from monitor.detectors.repeat_limits import RepeatLimits


@dataclass(frozen=True, slots=True)
class WritesNumbers:
    """From which claim on an outstanding write presses; that it is outstanding is a note, and never off."""

    warn: int = count(1, "claim of done in a request with a failed write outstanding: a warning")
    stop: int = count(2, "claim of done in the same request: stop; a run that ends after a claim is one too")


@dataclass(frozen=True, slots=True)
class SitesNumbers:
    """How many different calls to a site must fail."""

    warn: int = count(3, "different failed calls to a site that answered none: a warning; 0: sites are not judged")
    more: int = count(2, "so many more of them: stop, the site is blocked")
    answered: int = count(400, "characters printed by a call to one site that succeeded: the site answered")


@dataclass(frozen=True, slots=True)
class ThinkingNumbers:
    """When a reply goes in circles."""

    circles: int = count(16, "of the last 20 sentences repeated: the reply goes in circles", 20)
    said: int = count(4, "times said in the reply: a sentence counts as repeated", 20)
    repeats: int = count(8, "times in a row the same piece of text: the reply goes in circles")
    stop: int = count(2, "replies of a request in circles: stop, where the first is a warning")


@dataclass(frozen=True, slots=True)
class RepliesNumbers:
    """How many replies without an answer are too many."""

    note: int = count(1, "replies without an answer in a request: a note")
    warn: int = count(2, "of them: a warning")
    empty: int = count(3, "empty replies in a row: stop")
    cut_offs: int = count(6, "replies of the run cut off before any answer: stop")


@dataclass(frozen=True, slots=True)
class FolderNumbers:
    """What is said of work outside the project."""

    left: int = switch("an actor works outside the project")
    wrote: int = switch("an actor writes outside the project")


@dataclass(frozen=True, slots=True)
class ScriptsNumbers:
    """What is said of scripts and heredocs."""

    never_run: int = switch("a shell script written in the run is not run by the claim of done")
    unwritten: int = switch("a heredoc never ended, so that its file was not written")


@dataclass(frozen=True, slots=True)
class WorktreeNumbers:
    """When a folder that did not change presses, and how often it is measured."""

    turns: int = count(10, "turns after which the folder is measured again, and a note made where nothing changed")
    warn: int = count(1, "claim of done in a request with nothing changed where a change is required: a warning")
    stop: int = count(2, "of them: stop; a run that ends so is one too")


@dataclass(frozen=True, slots=True)
class OutsideNumbers:
    """How near to a call a change is taken for the call's own, and what is said of one that is not."""

    changed: int = switch("a file that the agent had read changes from outside: a note")
    overwrote: int = switch("the agent then writes over it: a warning")
    after: float = seconds(0.5, "after a write call: a change of its file is still the call's")
    formatter: float = seconds(2, "after the agent's own write: a change may be a formatter's")


@dataclass(frozen=True, slots=True)
class TestsNumbers:
    """What is said of tests."""

    __test__ = False  # pytest takes a class of this name for a test case
    stale: int = switch("done is claimed, and the last test ran before the last edit")


@dataclass(frozen=True, slots=True)
class StallsNumbers:
    """How long is too long."""

    deltas: float = seconds(120, "without a word of a model whose words stream in pieces: a note")
    messages: float = seconds(600, "without a word of a model heard in whole messages: a note")
    calls: float = seconds(600, "without a result of a call: a note")
    grace: float = seconds(60, "beyond a call's own timeout, where it has one; 0: none")
    times: float = factor(3, "times as long as what is worth a note: a warning")


@dataclass(frozen=True, slots=True)
class Numbers:
    """By the names of `events.DETECTORS`."""

    failed_writes: WritesNumbers = WritesNumbers()
    sites: SitesNumbers = SitesNumbers()
    thinking: ThinkingNumbers = ThinkingNumbers()
    repeats: RepeatLimits = RepeatLimits()
    replies: RepliesNumbers = RepliesNumbers()
    folder: FolderNumbers = FolderNumbers()
    scripts: ScriptsNumbers = ScriptsNumbers()
    worktree: WorktreeNumbers = WorktreeNumbers()
    outside_edits: OutsideNumbers = OutsideNumbers()
    tests: TestsNumbers = TestsNumbers()
    stalls: StallsNumbers = StallsNumbers()


DEFAULTS = Numbers()


class Entry(NamedTuple):
    """One number of one detector."""

    detector: str
    name: str
    value: float
    default: float
    number: Number


def entries(numbers: Numbers = DEFAULTS) -> Iterator[Entry]:
    """Every number there is, detector by detector."""
    for detector in fields(Numbers):
        values, defaults = getattr(numbers, detector.name), getattr(DEFAULTS, detector.name)
        for one in fields(values):
            value, default = getattr(values, one.name), getattr(defaults, one.name)
            yield Entry(detector.name, one.name, value, default, one.metadata["number"])


def changed(numbers: Numbers) -> tuple[Entry, ...]:
    """Those that are others than the defaults."""
    return tuple(one for one in entries(numbers) if one.value != one.default)
