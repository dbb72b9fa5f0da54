"""The parts of the report that detectors fill, as types."""

from __future__ import annotations

from typing import Literal, TypedDict

from monitor.detectors.folder_view import How
from monitor.detectors.sites_view import Cause
from monitor.findings import Level

Why = Literal[
    "not_found", "exists", "identical", "ambiguous", "unread", "stale", "arguments", "io", "other",
    "denied", "refused", "corrected", "approval_timeout", "timed_out", "cancelled", "not_executed", "unknown",
]  # fmt: skip
"""How a write failed: the kind of its failure or, where it was kept from being made, its outcome."""
Source = Literal["disk", "log", "today"]
"""When closest lines were read: at the failure, by the run itself, or long after it from the folder given by hand."""
Measurer = Literal["monitor", "agent"]


class Where(TypedDict):
    """The place of an event: the input's index in `inputs` (-1: seen by the monitor itself), the line from 1."""

    input: int
    line: int


class CloseRow(TypedDict):
    """A line of the file that resembles the text looked for, and when the file was read."""

    number: int
    text: str
    cut: bool
    source: Source | None


class FailureRow(TypedDict):
    """One write that failed on the file."""

    seq: int
    at: float | None
    place: Where
    tool: str
    failure: Why
    what: str
    excused: bool
    closest: list[CloseRow]
    no_lines: str | None


class FileRow(TypedDict):
    """One file of the ledger of failed writes."""

    file: str
    outstanding: bool
    settled_by: str | None
    lowered: bool
    unknown: bool
    elsewhere: str | None
    failures: list[FailureRow]


class SiteRow(TypedDict):
    """One site, in one request, and the calls that failed to reach it."""

    site: str
    via: str | None
    failed_calls: int
    answered: bool
    kinds: dict[str, int]
    level: Level | None
    cause: Cause
    request: int
    places: list[Where]


class ThoughtFlag(TypedDict):
    """Where a reply went in circles."""

    seq: int
    place: Where
    at_character: int
    of: int
    rule: Literal["circles", "cycle", "harness"]
    where: Literal["thinking", "answer"]
    text: str
    theirs: bool


class ThinkingPart(TypedDict):
    """How much was thought, and how much of it over again."""

    characters: int | None
    peak: float | None
    limit: float
    flags: list[ThoughtFlag]


class RepeatRow(TypedDict):
    """A call made again and again."""

    rule: str
    call: str
    count: int
    level: Level | None
    first: Where
    last: Where


class RepliesPart(TypedDict):
    """Replies without an answer."""

    empty: int | None
    cut_off: int | None
    circled: int | None
    no_answer: int | None


class FolderRow(TypedDict):
    """The agent left the project, or wrote outside it."""

    seq: int
    place: Where
    to: str
    how: How


class ScriptRow(TypedDict):
    """A script written in this run."""

    file: str
    place: Where
    run: bool
    how: str | None


class ChangedRow(TypedDict):
    """A file that is another than at the start, and by whose hand."""

    file: str
    by: str | None
    why: str


class WorktreePart(TypedDict):
    """The newest measurement of the project folder."""

    changed: bool | None
    since_start: bool | None
    kinds: list[str]
    reason: str | None
    by: Measurer | None
    files: list[ChangedRow]
    unnamed: int
    measured: int


class OutsideRow(TypedDict):
    """A file changed outside the agent's view."""

    file: str
    at: float | None
    overwritten: bool


class TestsPart(TypedDict):
    """Whether the last test came after the last edit, by their seq; what each was, and where it stands."""

    last_edit: int | None
    last_test: int | None
    stale: bool | None
    edited: str | None
    command: str | None
    edit_place: Where | None
    test_place: Where | None


class NumberRow(TypedDict):
    """A number of a detector that is another than its default."""

    detector: str
    name: str
    value: float
    default: float
