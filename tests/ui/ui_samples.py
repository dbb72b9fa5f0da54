"""A source in memory, and how its rows are made."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from textual.content import Content

from monitor.actions import Action, Verb, When
from monitor.events import Change, Event, Said, Thought, ToolCalled, ToolReturned
from monitor.processes.plan import Plan
from monitor.replay.playback import Playback
from monitor.snapshot import Snapshot
from monitor.timeline.places import Extent
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row
from monitor.ui.pen import Pen
from monitor.worktree.diff import FolderDiff

PEN = Pen(zone=UTC, home="/home/mara")
PROJECT = "/home/mara/src/tidepool"
TASK = "Store the readings in SQLite instead of CSV and mend the tests"


def at(clock: str) -> float:
    """The time of a sample day, in seconds since the epoch."""
    return datetime.strptime(f"2026-11-28 {clock} +0000", "%Y-%m-%d %H:%M:%S %z").timestamp()


def joined(lines: Iterable[Content]) -> str:
    """The text of drawn lines."""
    return "\n".join(line.plain.rstrip() for line in lines)


NOWS = {"trouble": at("15:09:14"), "calm": at("15:04:59"), "working": at("15:04:59"), "ended": at("15:20:00"), "empty": at("15:20:00"),
        "replay": at("15:20:00"), "reached": at("15:09:14"), "stopping": at("15:09:14"), "differing": at("15:09:14")}  # fmt: skip
"""When each scene is looked at."""


@dataclass
class SampleRows:
    """A timeline in memory."""

    items: list[tuple[Row, Event | None, ToolReturned | None]] = field(default_factory=list)
    version: int = 0

    def __len__(self) -> int:
        return len(self.items)

    @property
    def extent(self) -> Extent:
        return Extent(len(self.items), 0)

    def still(self, snapshot: Snapshot) -> SampleRows:
        del snapshot
        return SampleRows(list(self.items), self.version)

    def ref(self, index: int) -> int:
        return index

    def index(self, ref: int) -> int | None:
        return ref if ref < len(self) else None

    def revised(self, since: int) -> Iterable[int]:
        return range(len(self.items)) if since != self.version else ()

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        del words, names
        return lambda _: True

    def long(self, ref: int) -> bool:
        del ref
        return False

    def row(self, ref: int) -> Row:
        return self.items[ref][0]

    def brief(self, ref: int) -> Brief:
        row, _, result = self.items[ref]
        outcome = result.outcome if result is not None else "ok"
        told = None if row.kind in ("shell", "check", "ended") else False
        return Brief(
            row.kind, failed=True if outcome not in ("ok", "unknown") else told, running=row.outcome == "running"
        )

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        return self.items[ref][1:]

    def edits(self, ref: int) -> Sequence[Edit]:
        del ref
        return ()

    def ref_of(self, seq: int) -> int | None:
        return next((row.ref for row, _, _ in self.items if row.seq == seq), None)

    def add(
        self,
        kind: str,
        clock: str,
        text: str,
        outcome: str = "",
        *,
        took: float | None = None,
        level: str = "",
        event: Event | None = None,
        result: ToolReturned | None = None,
    ) -> int:
        index = len(self.items)
        path = kind in ("read", "write", "outside") and "/" in text
        row = Row(index, index, kind, text, outcome, at(clock), took, level, path=path)
        self.items.append((row, event, result))
        return index


@dataclass
class SampleSource:
    """A source that plays no tricks: it keeps what was asked of it."""

    snapshot: Snapshot
    rows: SampleRows
    live: bool = True
    cannot: dict[str, str] = field(default_factory=dict)
    acted: list[Action] = field(default_factory=list)
    closed: bool = False
    playback: Playback | None = None
    ends: Plan | None = None
    ways: dict[str, str] = field(default_factory=dict)
    """How words are delivered, by when."""
    resumes: str = ""
    """The command that resumes the run, with TEXT for the words."""
    no_diff: str = ""
    differs: dict[tuple[str, float | None], FolderDiff] = field(default_factory=dict)
    """By file and moment."""
    compared: list[tuple[str, float | None]] = field(default_factory=list)
    exported: str = "/home/mara/.local/state/monitor/reports/tidepool.md"

    def act(self, action: Action) -> None:
        self.acted.append(action)

    def can(self, verb: Verb) -> str:
        return self.cannot.get(verb, "")

    def how(self, verb: Verb, when: When = "next") -> str:
        return "" if self.can(verb) else self.ways.get(when, "at its next step")

    def plan(self) -> Plan | None:
        return self.ends

    def offer(self, text: str) -> str:
        return self.resumes.replace("TEXT", shlex.quote(text)) if self.resumes else ""

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:
        self.compared.append((file, since))
        return self.differs.get((file, since), FolderDiff(()))

    def export(self) -> str:
        return self.exported

    def close(self) -> None:
        self.closed = True


NO_CHANNEL = "This source can only be read: no channel leads back to the agent"
READ_ONLY = dict.fromkeys(("abort", "warn", "feedback", "pause", "continue", "allow", "deny"), NO_CHANNEL)


def said(rows: SampleRows, kind: str, clock: str, text: str) -> int:
    made = {"said": Said, "thought": Thought}[kind]
    return rows.add(kind, clock, text, event=made(at=at(clock), text=text))


def ran(
    rows: SampleRows,
    clock: str,
    command: str,
    outcome: str,
    *,
    took: float | None = None,
    output: str = "",
    level: str = "",
) -> int:
    call = ToolCalled(at=at(clock), call=f"c{len(rows)}", tool="bash", kind="shell", command=command)
    result = None
    if outcome != "running":
        code = int(outcome.rsplit(maxsplit=1)[-1])
        result = ToolReturned(call=call.call, outcome="failed" if code else "ok", exit=code, output=output, cwd=PROJECT)
    return rows.add("shell", clock, command, outcome, took=took, level=level, event=call, result=result)


def looked(rows: SampleRows, kind: str, clock: str, text: str, outcome: str) -> int:
    paths = (text,) if kind == "read" else ()
    call = ToolCalled(at=at(clock), call=f"c{len(rows)}", tool=kind, kind=kind, paths=paths)
    return rows.add(kind, clock, text, outcome, took=0.1, event=call, result=ToolReturned(call=call.call))


def wrote(
    rows: SampleRows, clock: str, file: str, outcome: str, *, level: str = "", old: str = "", new: str = ""
) -> int:
    change = Change(file=file, old=old or None, new=new or None)
    call = ToolCalled(at=at(clock), call=f"c{len(rows)}", tool="edit", kind="write", changes=(change,))
    result = ToolReturned(call=call.call, outcome="failed" if level else "ok")
    return rows.add("write", clock, file, outcome, took=0.2, level=level, event=call, result=result)
