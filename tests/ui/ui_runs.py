"""How the invented runs begin, and one that needs nobody."""

from __future__ import annotations

from dataclasses import replace

from ui_samples import PROJECT, READ_ONLY, TASK, SampleRows, SampleSource, at, looked, ran, said, wrote
from ui_views import CALM_SITES, CALM_THINKING

from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import (
    Prompted,
    RequestEnded,
    Tokens,
)
from monitor.snapshot import OpenCall, RunFacts, Snapshot, Verdict

STORE = "src/tidepool/storage/readings.py"
CLI = "src/tidepool/cli/export.py"
TESTS = "tests/storage/test_readings.py"


def beginning() -> SampleRows:
    """What every larger sample begins with."""
    rows = SampleRows()
    rows.add(
        "prompt",
        "14:57:40",
        "List the sensors that sent nothing today",
        event=Prompted(seq=0, at=at("14:57:40"), text="List the sensors that sent nothing today"),
    )
    looked(rows, "search", "14:57:46", '"last_seen" in src', "6 hits in 2 files")
    looked(rows, "read", "14:57:49", "src/tidepool/sensors.py", "121 lines")
    ran(rows, "14:57:58", "python -m tidepool sensors --silent", "exit 0", took=1.4, output="reef-3\npier-1\n")
    said(rows, "said", "14:58:04", "Two sensors sent nothing: reef-3 and pier-1.")
    rows.add(
        "claim",
        "14:58:05",
        "reef-3 and pier-1 sent nothing today.",
        "unchanged",
        level="note",
        event=RequestEnded(seq=len(rows), at=at("14:58:05"), text="reef-3 and pier-1 sent nothing today."),
    )
    rows.add("prompt", "15:01:12", TASK, event=Prompted(seq=len(rows), at=at("15:01:12"), text=TASK))
    said(rows, "thought", "15:01:20", "The readings pass through one class. I look at it first, then at who calls it.")
    looked(rows, "read", "15:01:24", STORE, "148 lines")
    looked(rows, "read", "15:01:24", CLI, "73 lines")
    looked(rows, "search", "15:01:31", '"ReadingStore(" in src tests', "9 hits in 4 files")
    looked(rows, "read", "15:01:38", TESTS, "96 lines")
    said(rows, "said", "15:01:52", "The class keeps its interface; only what lies under it becomes a table.")
    wrote(rows, "15:02:10", "src/tidepool/storage/schema.sql", "+18")
    wrote(rows, "15:02:31", STORE, "+24 -9")
    return rows


BEGUN = RunFacts(
    "lcode", "0.51.0", "qwen3-coder", "b7c1", PROJECT, PROJECT, TASK,
    started=at("14:57:38"), requests=2, context_size=131_000, lag="event",
)  # fmt: skip
"""What stays the same of the run while it goes on."""


def calm() -> SampleSource:
    """A run that needs nobody."""
    rows = beginning()
    ran(
        rows,
        "15:02:44",
        "python -m pytest tests/storage -q",
        "exit 1",
        took=6.1,
        output="F...\n1 failed, 3 passed",
        level="note",
    )
    said(rows, "thought", "15:02:55", "The fixture still opens a file. It has to open a database in memory.")
    wrote(rows, "15:03:08", TESTS, "+11 -6")
    ran(rows, "15:03:16", "python -m pytest tests/storage -q", "exit 0", took=5.8, output="4 passed in 5.31s")
    wrote(rows, "15:03:40", CLI, "+5 -3")
    looked(rows, "read", "15:03:52", "docs/storage.md", "40 lines")
    said(rows, "said", "15:04:05", "The export reads from the table now. Next is the whole suite.")
    ran(rows, "15:04:12", "python -m pytest -q --durations=5", "running")
    changed = (
        ChangedFile(STORE, added=24, removed=9),
        ChangedFile(TESTS, added=11, removed=6),
        ChangedFile(CLI, added=5, removed=3),
        ChangedFile("src/tidepool/storage/schema.sql", added=18),
    )
    suite = rows.items[-1][0]
    snapshot = Snapshot(
        seq=412,
        run=replace(
            BEGUN,
            last=at("15:04:57"),
            turns=12,
            calls=17,
            tokens=Tokens(48_210, 6_904),
            context_used=43_000,
        ),
        verdict=Verdict("running", "Nothing needs you", since=at("15:04:57"), since_what="last event"),
        writes=WritesView(made=5),
        calls=(OpenCall(suite.seq, "bash", "shell", suite.text, suite.at),),
        sites=CALM_SITES,
        thinking=CALM_THINKING,
        worktree=WorktreeView(
            True, True, "", "monitor", ("content",), changed, measured=3, at=at("15:04:02"), since=at("15:01:12")
        ),
    )
    return SampleSource(snapshot, rows, cannot=READ_ONLY)
