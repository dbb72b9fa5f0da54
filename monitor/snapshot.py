"""Everything a screen or a report may show of a run, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from monitor.detectors.folder_view import FolderView
from monitor.detectors.numbers import DEFAULTS, Numbers
from monitor.detectors.outside_view import OutsideView
from monitor.detectors.repeats_view import RepeatsView
from monitor.detectors.replies_view import RepliesView
from monitor.detectors.scripts_view import ScriptsView
from monitor.detectors.sites_view import SitesView
from monitor.detectors.stalls_view import StallsView
from monitor.detectors.tests_view import TestsView
from monitor.detectors.thinking_view import ThinkingView
from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import Coverage, Kind, Tokens
from monitor.findings import Finding, Spot

State = Literal[
    "failed", "aborted", "stopped", "blocked", "looping", "not made",
    "unchanged", "claimed", "changed", "running", "waiting", "unknown",
]  # fmt: skip
"""The verdict's states in the order of their weight: the first that holds is the state."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of the run now."""

    state: State
    reason: str
    """One sentence for the strip."""
    also: tuple[State, ...] = ()
    """The other states that hold."""
    claimed_done: bool | None = None
    """Done was claimed; false when it says it could not; none when nothing was claimed."""
    provisional: bool = False
    """A child still runs, or a measurement is pending."""
    why_provisional: str = ""
    since: float | None = None
    """When the state began, by the source's clock."""
    since_what: Literal["last event", "waits", "claimed done", "since", "ended"] = "last event"


@dataclass(frozen=True, slots=True)
class Claim:
    """The agent said it was done, or that it could not."""

    spot: Spot
    at: float | None
    done: bool
    text: str
    """Up to 2,000 characters."""
    state: State
    """The verdict at that moment."""
    request: int


@dataclass(frozen=True, slots=True)
class ActorFacts:
    """The root session or a sub-agent."""

    id: str
    parent: str | None
    task: str = ""
    model: str = ""
    turns: int = 0
    calls: int = 0
    started: float | None = None
    ended: float | None = None
    status: str = ""
    running: bool = True


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the run says of itself, and its counts."""

    agent: str = ""
    version: str = ""
    model: str = ""
    session: str = ""
    cwd: str = ""
    project: str = ""
    task: str = ""
    change_required: bool | None = None
    lag: str = ""
    deltas: bool | None = None
    started: float | None = None
    """By the source's clock; none where the log has no times."""
    ended: float | None = None
    last: float | None = None
    """The source's time of the latest event."""
    over: bool = False
    status: str = ""
    """As the agent gave it."""
    exit: int | None = None
    requests: int = 0
    turns: int = 0
    calls: int = 0
    tokens: Tokens = Tokens()
    cost: float | None = None
    context_used: int | None = None
    context_size: int | None = None


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """An action and how far it got."""

    id: str
    action: str
    by: str
    receipt: str
    text: str = ""
    evidence: str = ""
    subject: str = ""
    at: float | None = None
    steps: tuple[tuple[str, float | None], ...] = ()
    """Each receipt with the time it came first; none where nobody knows when that was."""
    until: float | None = None
    """How long what was done is given, seconds since the epoch; none when nothing is waited for."""
    then: str = ""
    """What is done at `until`; empty when nothing is done unasked."""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A tool call that runs."""

    seq: int
    tool: str
    kind: Kind
    what: str
    """The command, the file or what else it is about, on one line; else the tool's name."""
    at: float | None = None
    """When it was called, by the source's clock; none where the source gives no times."""
    actor: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a run. Everything within is frozen, so threads may share it."""

    seq: int = -1
    """The latest event folded in; -1 before any."""
    run: RunFacts = RunFacts()
    actors: tuple[ActorFacts, ...] = ()
    verdict: Verdict = Verdict("unknown", "Nothing has been read yet")
    claims: tuple[Claim, ...] = ()
    """The latest 200, oldest first."""
    earlier_claims: int = 0
    """How many came before them."""
    coverage: Mapping[str, Coverage] = field(default_factory=lambda: MappingProxyType({}))
    """By name of `events.DETECTORS`; what is not named is fully seen."""
    writes: WritesView = WritesView()
    sites: SitesView = SitesView()
    thinking: ThinkingView = ThinkingView()
    repeats: RepeatsView = RepeatsView()
    replies: RepliesView = RepliesView()
    folder: FolderView = FolderView()
    scripts: ScriptsView = ScriptsView()
    tests: TestsView = TestsView()
    stalls: StallsView = StallsView()
    outside: OutsideView = OutsideView()
    worktree: WorktreeView = WorktreeView()
    findings: tuple[Finding, ...] = ()
    """Open ones first, the most pressing first."""
    waiting: str = ""
    """What the agent waits for; empty when it does not."""
    waiting_since: float | None = None
    waiting_call: str = ""
    """The call that waits for approval."""
    actions: tuple[ActionFacts, ...] = ()
    calls: tuple[OpenCall, ...] = ()
    """Those that run now, the oldest first; at most a few."""
    sources: tuple[str, ...] = ()
    """What is wrong with the inputs, and with what the monitor does beside them, a sentence each."""
    missed: tuple[str, ...] = ()
    """Those for which something that the agent said may not be known."""
    unwatched: tuple[str, ...] = ()
    """Those for which a change of the folder may not be known."""
    unreadable: int = 0
    """Records that could not be read."""
    numbers: Numbers = DEFAULTS
    """What the detectors went by."""


def cut_off(told: Snapshot, why: str) -> Snapshot:
    """The same from when on nothing more is read: whether what went on then still does is not known."""
    verdict = told.verdict
    if verdict.state in ("running", "waiting"):
        verdict = Verdict("unknown", why[:1].upper() + why[1:])
    return replace(told, verdict=verdict, sources=(*told.sources, why))
