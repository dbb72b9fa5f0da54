"""The report as types; `report.schema.json` says the same to the world, and a test holds the two together.

None stands for what is not known: it is never an empty text and never a nought.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from monitor import findings, snapshot
from monitor.events import Sees
from monitor.report import parts


class TokenCounts(TypedDict):
    """Tokens by kind."""

    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int


class RunRow(TypedDict):
    """A session: the root, whose counts are the whole run's, or a sub-agent."""

    id: str
    parent: str | None
    agent: str | None
    version: str | None
    model: str | None
    session: str | None
    cwd: str | None
    project: str | None
    task: str | None
    started: float | None
    ended: float | None
    requests: int | None
    turns: int
    calls: int
    status: str | None
    tokens: TokenCounts | None
    cost: float | None


class VerdictPart(TypedDict):
    """What is to be said of the run."""

    state: snapshot.State
    also: list[snapshot.State]
    reason: str
    claimed_done: bool | None
    provisional: bool
    why_provisional: str | None


class ClaimRow(TypedDict):
    """What the agent said at an end of its work, and the verdict at that moment."""

    seq: int
    place: parts.Where
    state: snapshot.State
    text: str


class Seeing(TypedDict):
    """How much of what a detector needs could be seen."""

    sees: Sees
    why: str


class FindingRow(TypedDict):
    """One thing found."""

    detector: str
    subject: str
    level: findings.Level
    state: findings.State
    places: list[parts.Where]
    message: str
    advice: str


class ActionRow(TypedDict):
    """What the operator, a policy or the monitor did, and how far it got."""

    at: float | None
    action: str
    by: str
    receipt: str
    text: str
    evidence: str | None


class DecisionRow(TypedDict):
    """What a policy did about a finding or the run, or would have done."""

    at: float | None
    response: str
    reason: str
    finding: FindingRow | None
    seq: int
    held: str | None


class InputRow(TypedDict):
    """What became of an input's bytes."""

    name: str
    bytes: int
    records: int
    decoded_bytes: int
    unreadable_bytes: int
    unfinished_bytes: int
    unreadable: int
    unknown_types: dict[str, int]


class Report(TypedDict):
    """Everything the report says; each key is always there. `redacted` is none where secrets were left in."""

    schema: Literal[1]
    runs: list[RunRow]
    verdict: VerdictPart
    claims: list[ClaimRow]
    earlier_claims: int
    sources: list[str]
    coverage: dict[str, Seeing]
    failed_writes: list[parts.FileRow]
    sites: list[parts.SiteRow]
    thinking: parts.ThinkingPart
    repeats: list[parts.RepeatRow]
    replies: parts.RepliesPart
    folder: list[parts.FolderRow]
    scripts: list[parts.ScriptRow]
    worktree: parts.WorktreePart
    outside_edits: list[parts.OutsideRow]
    tests: parts.TestsPart
    numbers: list[parts.NumberRow]
    findings: list[FindingRow]
    actions: list[ActionRow]
    inputs: list[InputRow]
    redacted: dict[str, int] | None
