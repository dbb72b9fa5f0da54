"""An invented run that claims done with two writes outstanding."""

from __future__ import annotations

from dataclasses import replace

from ui_runs import BEGUN, CLI, STORE, TESTS, beginning
from ui_samples import READ_ONLY, SampleSource, at, looked, ran, said, wrote
from ui_views import asking, circling, failing, repeating
from ui_views import found as troubles

from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.events import CloseLine, RequestEnded, Tokens, TreeMeasured
from monitor.events import FileChanged as Outside
from monitor.findings import Finding, Spot
from monitor.snapshot import Claim, Snapshot, Verdict

GUESS = (
    'def append(self, reading: Reading) -> None:\n    """Write one line."""\n    self._writer.writerow(reading.row())'
)
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


def trouble() -> SampleSource:
    """Done is claimed with two writes outstanding."""
    rows = beginning()
    first = wrote(rows, "15:03:02", STORE, "old text not found", level="stop", old=GUESS, new=NEW)
    seq = len(rows)
    rows.add(
        "outside",
        "15:03:20",
        "config/stations.toml",
        "not by the agent",
        level="outside",
        event=Outside(
            seq=seq, at=at("15:03:20"), file="config/stations.toml", before="9f31c2d07a44", after="02be61d5c1f0"
        ),
    )
    ran(rows, "15:03:34", "sqlite3 build/readings.db < src/tidepool/storage/schema.sql", "exit 0", took=0.3)
    ran(
        rows,
        "15:03:51",
        "python -m pytest tests/storage -q",
        "exit 1",
        took=6.0,
        output="E   AttributeError: 'ReadingStore' object has no attribute '_db'\n2 failed, 2 passed in 5.70s",
        level="note",
    )
    asked = asking(rows)
    second = wrote(rows, "15:04:40", STORE, "old text not found", level="stop", old=GUESS, new=NEW)
    export = wrote(
        rows, "15:05:17", CLI, "found more than once", level="stop", old="reader = csv.reader(", new="rows = store.all("
    )
    circled = circling(rows)
    looked(rows, "read", "15:06:30", STORE, "163 lines")
    third = wrote(rows, "15:07:02", STORE, "old text not found", level="stop", old=GUESS, new=NEW)
    wrote(rows, "15:07:40", TESTS, "+11 -6")
    ran(
        rows,
        "15:07:58",
        "python -m pytest tests/storage -q -k schema",
        "exit 0",
        took=2.2,
        output="1 passed, 3 deselected in 1.84s",
    )
    said(rows, "said", "15:08:30", "Readings go to SQLite now.")
    claim = rows.add(
        "claim",
        "15:09:02",
        "Done: readings are stored in SQLite and the tests pass.",
        "2 outstanding",
        level="stop",
        event=RequestEnded(
            seq=len(rows), at=at("15:09:02"), text="Done: readings are stored in SQLite and the tests pass."
        ),
    )
    seq = len(rows)
    rows.add(
        "measure",
        "15:09:04",
        "4 files changed since the prompt, 1 of them outside",
        took=0.3,
        event=TreeMeasured(
            seq=seq,
            at=at("15:09:04"),
            when="claim",
            changed=True,
            since_start=True,
            content="5c1e09af77d2b0e1",
            files=("src/tidepool/storage/schema.sql", STORE, TESTS, "config/stations.toml"),
            kinds=("content",),
        ),
    )

    def failed(index: int, clock: str, what: str = "not_found") -> FailedWrite:
        return FailedWrite(
            Spot(index, 0, index),
            f"c{index}",
            "edit",
            "failed",
            what,
            "String to replace not found in file.",
            at(clock),  # type: ignore[arg-type]
            guess=GUESS,
            new=NEW,
            closest=CLOSEST,
            source="disk",
        )

    doubled = replace(
        failed(export, "15:05:17", "ambiguous"),
        what="Found 3 matches of the string to replace.",
        guess="reader = csv.reader(",
        new="rows = store.all(",
        closest=(),
        source="",
    )
    entries = (
        FileEntry(
            STORE, STORE, True, (failed(first, "15:03:02"), failed(second, "15:04:40"), failed(third, "15:07:02")), 3
        ),
        FileEntry(CLI, CLI, True, (doubled,), 1),
        FileEntry(
            TESTS, TESTS, False, (replace(failed(third, "15:07:31"), call="gone"),), 1, "a later write", at("15:07:40")
        ),
    )
    findings = (
        Finding(
            "failed_writes",
            STORE,
            "stop",
            f"{STORE} failed 3 times and was not made",
            ADVICE,
            opened=first,
            raised=claim,
            places=(Spot(first, 0, first), Spot(second, 0, second), Spot(third, 0, third)),
            figure="×3",
        ),
        Finding(
            "failed_writes",
            CLI,
            "stop",
            f"{CLI} failed once and was not made",
            "Name more of the lines around it, so that only one place fits.",
            opened=export,
            raised=claim,
            places=(Spot(export, 0, export),),
            figure="×1",
        ),
        *troubles(asked, circled),
        Finding(
            "tests",
            "stale",
            "note",
            "tests are older than the last edit",
            "Run the tests again.",
            places=(Spot(claim, 0, claim),),
        ),
    )
    changed = (
        ChangedFile("config/stations.toml", "outside", "the agent read it at 14:57:49", at=at("15:03:20")),
        ChangedFile(STORE, added=24, removed=9),
        ChangedFile(TESTS, added=11, removed=6),
        ChangedFile("src/tidepool/storage/schema.sql", added=18),
    )
    snapshot = Snapshot(
        seq=633,
        run=replace(
            BEGUN,
            last=at("15:09:04"),
            turns=16,
            calls=24,
            tokens=Tokens(91_800, 11_240),
            context_used=80_000,
            cost=0.42,
        ),
        verdict=Verdict(
            "not made",
            "2 writes outstanding: readings.py, export.py",
            ("changed",),
            True,
            since=at("15:09:02"),
            since_what="claimed done",
        ),
        claims=(Claim(Spot(claim, 0, claim), at("15:09:02"), True, "Done", "not made", 2),),
        writes=WritesView(entries, 2, 6, 5, findings[:2]),
        sites=failing(asked),
        thinking=repeating(circled),
        worktree=WorktreeView(
            True, True, "", "monitor", ("content",), changed, measured=4, at=at("15:09:04"), since=at("15:01:12")
        ),
        findings=findings,
    )
    return SampleSource(snapshot, rows, cannot=READ_ONLY)


def third_failure() -> int:
    return trouble().snapshot.writes.entries[0].last.spot.seq
