"""Invented runs: what the screens of the tests and of the README show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType

from monitor.actions import Action, Verb
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.events import (
    Change,
    CloseLine,
    Coverage,
    Event,
    Prompted,
    RequestEnded,
    RunEnded,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.events import FileChanged as Outside
from monitor.findings import Finding, Spot
from monitor.rows import Row
from monitor.snapshot import Claim, RunFacts, Snapshot, Verdict
from monitor.ui.pen import Pen

PEN = Pen(zone=UTC, home="/home/mara")
PROJECT = "/home/mara/src/tidepool"
TASK = "Store the readings in SQLite instead of CSV and mend the tests"


def at(clock: str) -> float:
    """The time of a sample day, in seconds since the epoch."""
    return datetime.strptime(f"2026-11-28 {clock} +0000", "%Y-%m-%d %H:%M:%S %z").timestamp()


NOWS = {"trouble": at("15:09:14"), "calm": at("15:04:59"), "ended": at("15:20:00"), "empty": at("15:20:00")}
"""When each scene is looked at."""


@dataclass
class SampleRows:
    """A timeline in memory."""

    items: list[tuple[Row, Event | None, ToolReturned | None]] = field(default_factory=list)
    version: int = 0

    def __len__(self) -> int:
        return len(self.items)

    def row(self, index: int) -> Row:
        return self.items[index][0]

    def events(self, index: int) -> tuple[Event | None, ToolReturned | None]:
        return self.items[index][1:]

    def index_of(self, seq: int) -> int | None:
        return next((row.index for row, _, _ in self.items if row.seq == seq), None)

    def add(self, kind: str, clock: str, text: str, outcome: str = "", took: float | None = None, level: str = "",
            event: Event | None = None, result: ToolReturned | None = None) -> int:  # fmt: skip
        index = len(self.items)
        path = kind in ("read", "write", "outside") and "/" in text
        self.items.append(
            (Row(index, index, kind, text, outcome, at(clock), took, level, path=path), event, result)  # type: ignore[arg-type]
        )
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

    def act(self, action: Action) -> None:
        self.acted.append(action)

    def can(self, verb: Verb) -> str:
        return self.cannot.get(verb, "")

    def close(self) -> None:
        self.closed = True


NO_CHANNEL = "This source can only be read: no channel leads back to the agent"
READ_ONLY = dict.fromkeys(("abort", "warn", "feedback", "pause", "continue", "allow", "deny"), NO_CHANNEL)


def said(rows: SampleRows, kind: str, clock: str, text: str, turn: int, **more: object) -> int:
    made = {"said": Said, "thought": Thought}[kind]
    return rows.add(kind, clock, text, event=made(seq=len(rows), at=at(clock), text=text, turn=turn), **more)  # type: ignore[arg-type]


def ran(rows: SampleRows, clock: str, command: str, outcome: str, took: float | None, turn: int, output: str = "",
        level: str = "") -> int:  # fmt: skip
    seq = len(rows)
    call = ToolCalled(seq=seq, at=at(clock), call=f"c{seq}", tool="bash", kind="shell", command=command, turn=turn)
    result = None
    if outcome != "running":
        bad = not outcome.endswith(" 0")
        code = int(outcome.split()[-1]) if outcome.startswith("exit") else None
        result = ToolReturned(seq=seq, call=call.call, outcome="failed" if bad else "ok", exit=code, output=output, cwd=PROJECT)
    return rows.add("shell", clock, command, outcome, took, level, call, result)


def looked(rows: SampleRows, kind: str, clock: str, text: str, outcome: str, turn: int) -> int:
    seq = len(rows)
    paths = (text,) if kind == "read" else ()
    call = ToolCalled(seq=seq, at=at(clock), call=f"c{seq}", tool=kind, kind=kind, paths=paths, turn=turn)  # type: ignore[arg-type]
    return rows.add(kind, clock, text, outcome, 0.1, "", call, ToolReturned(seq=seq, call=call.call))


def wrote(rows: SampleRows, clock: str, file: str, outcome: str, turn: int, level: str = "", old: str = "", new: str = "") -> int:
    seq = len(rows)
    change = Change(file=file, old=old or None, new=new or None)
    call = ToolCalled(seq=seq, at=at(clock), call=f"c{seq}", tool="edit", kind="write", changes=(change,), turn=turn)
    result = ToolReturned(seq=seq, call=call.call, outcome="failed" if level else "ok")
    return rows.add("write", clock, file, outcome, 0.2, level, call, result)


STORE = "src/tidepool/storage/readings.py"
CLI = "src/tidepool/cli/export.py"
TESTS = "tests/storage/test_readings.py"
GUESS = 'def append(self, reading: Reading) -> None:\n    """Write one line."""\n    self._writer.writerow(reading.row())'
NEW = 'def append(self, reading: Reading) -> None:\n    """Insert one row."""\n    self._db.execute(INSERT, reading.row())'
CLOSEST = (
    CloseLine(58, "    def append(self, reading: Reading) -> None:"),
    CloseLine(59, '        """Write one line."""  '),
    CloseLine(61, "        self._writer.writerow(reading.as_row())"),
)
ADVICE = (
    "Your edit of src/tidepool/storage/readings.py failed 3 times: the text to replace is not in the file. Line 61 is the "
    "closest; it calls as_row(), and line 59 ends in two spaces. Read the file again and copy the lines exactly, or say "
    "plainly that the change was not made. Do not redo other changes to this file."
)


def beginning() -> SampleRows:
    """What every larger sample begins with."""
    rows = SampleRows()
    rows.add("prompt", "14:57:40", "List the sensors that sent nothing today", event=Prompted(seq=0, at=at("14:57:40"), text="List the sensors that sent nothing today"))
    looked(rows, "search", "14:57:46", '"last_seen" in src', "6 hits in 2 files", 1)
    looked(rows, "read", "14:57:49", "src/tidepool/sensors.py", "121 lines", 1)
    ran(rows, "14:57:58", "python -m tidepool sensors --silent", "exit 0", 1.4, 2, "reef-3\npier-1\n")
    said(rows, "said", "14:58:04", "Two sensors sent nothing: reef-3 and pier-1.", 2)
    rows.add("claim", "14:58:05", "reef-3 and pier-1 sent nothing today.", "unchanged", None, "note",
             RequestEnded(seq=len(rows), at=at("14:58:05"), text="reef-3 and pier-1 sent nothing today.", turn=2))  # fmt: skip
    rows.add("prompt", "15:01:12", TASK, event=Prompted(seq=len(rows), at=at("15:01:12"), text=TASK))
    said(rows, "thought", "15:01:20", "The readings pass through one class. I look at it first, then at who calls it.", 3)
    looked(rows, "read", "15:01:24", STORE, "148 lines", 3)
    looked(rows, "read", "15:01:24", CLI, "73 lines", 3)
    looked(rows, "search", "15:01:31", '"ReadingStore(" in src tests', "9 hits in 4 files", 4)
    looked(rows, "read", "15:01:38", TESTS, "96 lines", 4)
    said(rows, "said", "15:01:52", "The class keeps its interface; only what lies under it becomes a table.", 5)
    wrote(rows, "15:02:10", "src/tidepool/storage/schema.sql", "+18", 5)
    wrote(rows, "15:02:31", STORE, "+24 -9", 6)
    return rows


def calm() -> SampleSource:
    """A run that needs nobody."""
    rows = beginning()
    ran(rows, "15:02:44", "python -m pytest tests/storage -q", "exit 1", 6.1, 7, "F...\n1 failed, 3 passed", "note")
    said(rows, "thought", "15:02:55", "The fixture still opens a file. It has to open a database in memory.", 8)
    wrote(rows, "15:03:08", TESTS, "+11 -6", 8)
    ran(rows, "15:03:16", "python -m pytest tests/storage -q", "exit 0", 5.8, 9, "4 passed in 5.31s")
    wrote(rows, "15:03:40", CLI, "+5 -3", 10)
    looked(rows, "read", "15:03:52", "docs/storage.md", "40 lines", 11)
    said(rows, "said", "15:04:05", "The export reads from the table now. Next is the whole suite.", 12)
    ran(rows, "15:04:12", "python -m pytest -q --durations=5", "running", None, 12)
    changed = (ChangedFile(STORE, added=24, removed=9), ChangedFile(TESTS, added=11, removed=6), ChangedFile(CLI, added=5, removed=3), ChangedFile("src/tidepool/storage/schema.sql", added=18))
    snapshot = Snapshot(
        seq=412,
        run=RunFacts("lcode", "0.51.0", "qwen3-coder", "b7c1", PROJECT, PROJECT, TASK, started=at("14:57:38"), last=at("15:04:57"),
                     requests=2, turns=12, calls=17, tokens=Tokens(48_210, 6_904), context_used=43_000, context_size=131_000, lag="event"),
        verdict=Verdict("running", "Nothing needs you", since=at("15:04:57"), since_what="last event"),
        writes=WritesView(made=5),
        worktree=WorktreeView(True, True, "", "monitor", ("content",), changed, 3, at("15:04:02"), at("15:01:12")),
    )  # fmt: skip
    return SampleSource(snapshot, rows, cannot=READ_ONLY)


def trouble() -> SampleSource:
    """Done is claimed with two writes outstanding."""
    rows = beginning()
    first = wrote(rows, "15:03:02", STORE, "old text not found", 7, "stop", GUESS, NEW)
    seq = len(rows)
    rows.add("outside", "15:03:20", "config/stations.toml", "not by the agent", None, "outside", Outside(seq=seq, at=at("15:03:20"), file="config/stations.toml", before="9f31c2d07a44", after="02be61d5c1f0"))
    ran(rows, "15:03:34", "sqlite3 build/readings.db < src/tidepool/storage/schema.sql", "exit 0", 0.3, 8)
    ran(rows, "15:03:51", "python -m pytest tests/storage -q", "exit 1", 6.0, 9, "E   AttributeError: 'ReadingStore' object has no attribute '_db'\n2 failed, 2 passed in 5.70s", "note")
    second = wrote(rows, "15:04:40", STORE, "old text not found", 10, "stop", GUESS, NEW)
    export = wrote(rows, "15:05:17", CLI, "found more than once", 11, "stop", "reader = csv.reader(", "rows = store.all(")
    said(rows, "thought", "15:05:48", "The file may have been saved by somebody else in between. I should read it again before I edit it, but the change is small, so I try the same edit once more.", 12)
    looked(rows, "read", "15:06:30", STORE, "163 lines", 12)
    third = wrote(rows, "15:07:02", STORE, "old text not found", 13, "stop", GUESS, NEW)
    wrote(rows, "15:07:40", TESTS, "+11 -6", 14)
    ran(rows, "15:07:58", "python -m pytest tests/storage -q -k schema", "exit 0", 2.2, 15, "1 passed, 3 deselected in 1.84s")
    said(rows, "said", "15:08:30", "Readings go to SQLite now.", 16)
    claim = rows.add("claim", "15:09:02", "Done: readings are stored in SQLite and the tests pass.", "2 outstanding", None, "stop",
             RequestEnded(seq=len(rows), at=at("15:09:02"), text="Done: readings are stored in SQLite and the tests pass.", turn=16))  # fmt: skip
    seq = len(rows)
    rows.add("measure", "15:09:04", "4 files changed since the prompt, 1 of them outside", "", 0.3, "",
             TreeMeasured(seq=seq, at=at("15:09:04"), when="claim", changed=True, since_start=True, content="5c1e09af77d2b0e1", files=("src/tidepool/storage/schema.sql", STORE, TESTS, "config/stations.toml"), kinds=("content",)))  # fmt: skip

    def failed(index: int, clock: str, what: str = "not_found") -> FailedWrite:
        return FailedWrite(
            Spot(index, 0, index), f"c{index}", "edit", "failed", what, "String to replace not found in file.", at(clock),  # type: ignore[arg-type]
            guess=GUESS, new=NEW, closest=CLOSEST, source="disk",
        )  # fmt: skip

    doubled = replace(failed(export, "15:05:17", "ambiguous"), what="Found 3 matches of the string to replace.", guess="reader = csv.reader(", new="rows = store.all(", closest=(), source="")
    entries = (
        FileEntry(STORE, STORE, True, (failed(first, "15:03:02"), failed(second, "15:04:40"), failed(third, "15:07:02")), 3),
        FileEntry(CLI, CLI, True, (doubled,), 1),
        FileEntry(TESTS, TESTS, False, (replace(failed(third, "15:07:31"), call="gone"),), 1, "a later write", at("15:07:40")),
    )
    findings = (
        Finding("failed_writes", STORE, "stop", f"{STORE} failed 3 times and was not made", ADVICE, opened=first, raised=claim,
                places=(Spot(first, 0, first), Spot(second, 0, second), Spot(third, 0, third)), figure="×3"),
        Finding("failed_writes", CLI, "stop", f"{CLI} failed once and was not made", "Name more of the lines around it, so that only one place fits.",
                opened=export, raised=claim, places=(Spot(export, 0, export),), figure="×1"),
        Finding("tests", "stale", "note", "tests are older than the last edit", "Run the tests again.", places=(Spot(claim, 0, claim),)),
    )  # fmt: skip
    changed = (
        ChangedFile("config/stations.toml", "outside", "the agent read it at 14:57:49", at=at("15:03:20")),
        ChangedFile(STORE, added=24, removed=9),
        ChangedFile(TESTS, added=11, removed=6),
        ChangedFile("src/tidepool/storage/schema.sql", added=18),
    )
    snapshot = Snapshot(
        seq=633,
        run=RunFacts("lcode", "0.51.0", "qwen3-coder", "b7c1", PROJECT, PROJECT, TASK, started=at("14:57:38"), last=at("15:09:04"),
                     requests=2, turns=16, calls=24, tokens=Tokens(91_800, 11_240), context_used=80_000, context_size=131_000, cost=0.42, lag="event"),
        verdict=Verdict("not made", "2 writes outstanding: readings.py, export.py", ("changed",), True, since=at("15:09:02"), since_what="claimed done"),
        claims=(Claim(Spot(claim, 0, claim), at("15:09:02"), True, "Done", "not made", 2),),
        writes=WritesView(entries, 2, 6, 5, findings[:2]),
        worktree=WorktreeView(True, True, "", "monitor", ("content",), changed, 4, at("15:09:04"), at("15:01:12")),
        findings=findings,
    )  # fmt: skip
    return SampleSource(snapshot, rows, cannot=READ_ONLY)


def ended() -> SampleSource:
    """A finished log: feedback was given, and nothing changed since."""
    rows = beginning()
    ran(rows, "15:02:44", "python -m pytest tests/storage -q", "exit 0", 5.2, 7, "4 passed in 4.90s")
    rows.add("claim", "15:03:20", "The readings are stored in SQLite.", "changed", None, "ok", RequestEnded(seq=len(rows), at=at("15:03:20"), text="The readings are stored in SQLite.", turn=7))
    feedback = "The export still writes CSV, and docs/storage.md is out of date. Please mend both."
    rows.add("you", "15:06:02", feedback, "seen 15:06:05", event=Prompted(seq=len(rows), at=at("15:06:02"), text=feedback, by="operator"))
    said(rows, "thought", "15:06:11", "Two things are named. I look at the export again.", 8)
    looked(rows, "read", "15:06:14", CLI, "73 lines", 8)
    looked(rows, "search", "15:06:20", '"csv" in src docs', "4 hits in 2 files", 9)
    claim = rows.add("claim", "15:06:29", "I have applied your feedback.", "unchanged", None, "warn",
                     RequestEnded(seq=len(rows), at=at("15:06:29"), text="I have applied your feedback.", turn=10))  # fmt: skip
    rows.add("measure", "15:06:30", "nothing in the project changed since the feedback", "", 0.3, "",
             TreeMeasured(seq=len(rows), at=at("15:06:30"), when="claim", changed=False, since_start=True, content="5c1e09af77d2b0e1"))  # fmt: skip
    rows.add("ended", "15:06:31", "status: completed", "exit 0", event=RunEnded(seq=len(rows), at=at("15:06:31"), status="completed", exit=0))
    finding = Finding(
        "worktree", "unchanged", "warn", "Nothing in the project changed since the feedback",
        "Nothing in the project changed since the feedback. Apply each item and run the check it names, or say that no change was needed and why.",
        opened=claim, raised=claim, places=(Spot(claim, 0, claim),),
    )  # fmt: skip
    snapshot = Snapshot(
        seq=238,
        run=RunFacts("claude", "2.1.0", "sonnet", "77ae", PROJECT, PROJECT, TASK, started=at("14:57:38"), ended=at("15:06:31"), last=at("15:06:31"),
                     over=True, status="completed", exit=0, requests=3, turns=10, calls=12, cost=0.11, context_used=36_000, context_size=200_000),
        verdict=Verdict("unchanged", "Done is claimed, and nothing changed since your feedback", (), True, since=at("15:06:31"), since_what="ended"),
        claims=(Claim(Spot(claim, 0, claim), at("15:06:29"), True, "I have applied your feedback.", "unchanged", 3),),
        writes=WritesView(made=2),
        worktree=WorktreeView(False, True, "", "monitor", (), (), 4, at("15:06:30"), at("15:06:02"), since_feedback=True, findings=(finding,)),
        findings=(finding,),
    )  # fmt: skip
    over = "The run has ended"
    return SampleSource(snapshot, rows, live=False, cannot=dict.fromkeys(READ_ONLY, over))


def empty() -> SampleSource:
    """A short log that shows little."""
    rows = SampleRows()
    task = "Explain how the importer treats readings that come twice, and mend it if it is wrong"
    rows.add("prompt", "09:41:03", task, event=Prompted(seq=0, at=at("09:41:03"), text=task))
    said(rows, "said", "09:41:58", "The importer keeps the first reading of each minute. I looked at two files.", 1)
    call = ToolCalled(seq=2, at=at("09:41:58"), call="w", tool="edit", kind="write", changes=(Change("src/tidepool/importer.py"),))
    rows.add("write", "09:41:58", "src/tidepool/importer.py", "no result in log", event=call)
    rows.add("claim", "09:42:30", "Mended: the importer now keeps the newest reading.", "not measured", None, "note",
             RequestEnded(seq=3, at=at("09:42:30"), text="Mended: the importer now keeps the newest reading.", turn=1))  # fmt: skip
    no_results = "This log has no results of writes"
    snapshot = Snapshot(
        seq=3,
        run=RunFacts("aider", "", "", "", "", "", task, started=at("09:41:03"), ended=at("09:42:30"), last=at("09:42:30"), over=True,
                     requests=1, turns=1, calls=1, cost=0.02, lag="message"),
        verdict=Verdict("claimed", "Done is claimed; nothing could be measured: no project folder", (), True, since=at("09:42:30"), since_what="ended"),
        claims=(Claim(Spot(3, 0, 3), at("09:42:30"), True, "Mended", "claimed", 1),),
        coverage=MappingProxyType({
            "failed_writes": Coverage("none", no_results), "thinking": Coverage("none", "Thinking is not in this log"),
            "repeats": Coverage("partial", "calls have no results to compare"), "worktree": Coverage("none", "no project folder is known"),
        }),
        worktree=WorktreeView(reason="No project folder is known. Start with --project DIR to measure it"),
    )  # fmt: skip
    return SampleSource(snapshot, rows, live=False, cannot=dict.fromkeys((*READ_ONLY, "measure"), "The log is finished"))


SCENES = {"trouble": trouble, "calm": calm, "ended": ended, "empty": empty}
