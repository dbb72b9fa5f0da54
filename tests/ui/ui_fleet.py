"""An invented machine with runs of several agents, for the overview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ui_runs import calm
from ui_samples import SampleSource, at
from ui_trouble import trouble

from monitor.agents.listed import Listed, ListedState
from monitor.detectors.worktree_view import WorktreeView
from monitor.errors import MonitorError
from monitor.finding.standing import FleetView, Place, Standing
from monitor.snapshot import ActorFacts, RunFacts, Snapshot, State, Verdict

HOME = "/home/mara"
PROCESSES = {"c1": 31407, "l1": 48213, "q1": 52960, "d1": 977}
"""Of the runs that live."""


@dataclass
class SampleFleet:
    """A fleet in memory: it keeps what was asked of it."""

    view: FleetView
    sources: dict[str, SampleSource] = field(default_factory=dict)
    started: bool = False
    looked_at: list[tuple[str, ...]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    closed: bool = False
    resting: set[str] = field(default_factory=set)
    taken: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    on_take: Callable[[str], object] = str
    """Called with the run that is taken, before it is."""

    def start(self) -> None:
        self.started = True

    def source(self, key: str) -> SampleSource | None:
        return self.sources.get(key)

    def enter(self, key: str) -> SampleSource:
        if key not in self.sources:
            raise MonitorError("this log is gone", "Choose another")
        return self.sources[key]

    def take(self, key: str) -> SampleSource:
        self.on_take(key)
        self.taken.append(key)
        self.resting.discard(key)
        return self.enter(key)

    def rests(self, key: str) -> bool:
        return key in self.resting or key not in self.sources

    def keep(self, key: str) -> None:
        self.kept.append(key)

    def look_at(self, keys: Sequence[str]) -> None:
        self.looked_at.append(tuple(keys))

    def seen(self, key: str, *, left: bool = False) -> None:
        self.marks.append(key)
        if left:
            self.resting.add(key)

    def close(self) -> None:
        self.closed = True


def listed(
    agent: str, session: str, folder: str, title: str, *, state: ListedState = "ended", last: float = 0.0
) -> Listed:
    pid = PROCESSES.get(session, 48213) if state != "ended" else None
    how = f"process {pid} says so" if pid else "no running process names this session"
    return Listed(
        agent, session, Path(f"/logs/{session}"), state, how, folder and f"{HOME}/{folder}", title,
        began=last - 400, last=last, pid=pid,
    )  # fmt: skip


def told(state: State, reason: str = "", *, turns: int = 0, took: float = 0, context: int | None = None,
         cost: float | None = None, end: float = 0.0, **more: object) -> Snapshot:  # fmt: skip
    facts = RunFacts(
        turns=turns, started=end - took, ended=None if state in ("running", "waiting") else end, last=end,
        context_used=context, context_size=100 if context is not None else None, cost=cost,
        over=state not in ("running", "waiting"),
    )  # fmt: skip
    verdict = Verdict(state, reason or "Nothing needs you", since=end)
    return replace(Snapshot(seq=9, run=facts, verdict=verdict), **more)


def fleet() -> SampleFleet:
    """One waits, one is in trouble, two work, nine have ended."""
    now = at("15:09:14")
    crew = (
        ActorFacts("", None),
        ActorFacts("a1", "", "Look for callers of the old exporter", "haiku", 4, 11, started=at("15:08:20")),
        ActorFacts("a2", "a1", "Read the changelog of the exporter", "haiku", 1, 2, started=at("15:09:02")),
        ActorFacts("a3", "", "Already done", "haiku", 3, 5, running=False),
    )
    asks = told("waiting", "Asks to run: git push --force", turns=9, took=252, context=22, cost=0.08, end=now - 100,
                waiting="Asks to run: git push --force", waiting_since=now - 100, waiting_call="c9")  # fmt: skip
    bad, good = trouble(), calm()
    sources = {
        "codex:c1": SampleSource(asks, bad.rows),
        "lcode:l1": bad,
        "claude:q1": SampleSource(
            told("running", turns=18, took=663, context=47, cost=0.31, end=now - 2, actors=crew), good.rows
        ),
        "dirtywork:d1": SampleSource(told("running", turns=3, took=38, context=6, end=now), good.rows),
    }
    live = (
        Standing(listed("codex", "c1", "src/ledger", "Split the ledger by year", state="live", last=now - 100), asks, attached=True),
        Standing(listed("lcode", "l1", "src/tidepool", "Store the readings in SQLite", state="live", last=now - 12),
                 bad.snapshot, attached=True, new=12),
        Standing(listed("claude", "q1", "src/site", "Move the blog to the new template", state="live", last=now - 2),
                 sources["claude:q1"].snapshot, attached=True, together=("dirtywork, process 977",)),
        Standing(listed("dirtywork", "d1", "src/site", "Write a fuzz test for the tokenizer", state="live", last=now),
                 sources["dirtywork:d1"].snapshot, attached=True, new=3, together=("claude, process 52960",)),
    )  # fmt: skip
    ended = [
        ("claude", "e1", "src/notes", "Upgrade the build to the next compiler", "changed", 41, 1100, 73, 1.07, at("14:52:00")),
        ("lcode", "e2", "src/apk", "Build the release package", "blocked", 27, 584, 58, None, at("13:31:00")),
        ("claude", "e3", "src/ledger", "Find out why the import test is slow", "unchanged", 12, 231, 18, 0.11, at("11:58:00")),
        ("native", "e4", "", "Explain how the importer handles duplicate rows", "claimed", 0, 87, None, 0.02, at("09:42:00")),
        ("acp", "e5", "src/site", "Replace every image by WebP", "aborted", 6, 75, 14, 0.05, now - 80_000),
        ("dirtywork", "e6", "src/docs", "Sort the glossary", "looping", 30, 422, 39, None, now - 90_000),
        ("claude", "e7", "src/docs", "Check all links", "failed", 2, 21, 3, 0.01, now - 100_000),
        ("claude", "e8", "src/ledger", "Port the report to the new schema", "stopped", 50, 1900, 88, 2.36, now - 900_000),
    ]  # fmt: skip
    done = tuple(
        Standing(
            listed(agent, session, folder, title, last=last),
            told(
                state,
                turns=turns,
                took=took,
                context=context,
                cost=cost,
                end=last,
                worktree=WorktreeView(changed=state == "changed" or None),
            ),
        )
        for agent, session, folder, title, state, turns, took, context, cost, last in ended
    )
    unread = Standing(listed("claude", "e9", "src/old", "Not read yet", last=now - 9_000_000))
    return SampleFleet(FleetView(live, (*done, unread), looked=True), sources)


def nobody() -> SampleFleet:
    """A machine without any run."""
    places = (
        Place("claude", Path(f"{HOME}/.claude/projects"), problem="not there"),
        Place("lcode", Path(f"{HOME}/.local/state/lcode/sessions"), 0),
    )
    return SampleFleet(FleetView((), (), places, looked=True))


FLEETS: dict[str, Callable[[], SampleFleet]] = {"overview": fleet, "nobody": nobody}
"""By the name of their pictures."""
