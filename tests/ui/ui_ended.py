"""Invented logs that are finished."""

from __future__ import annotations

from types import MappingProxyType

from ui_runs import CLI, beginning
from ui_samples import PROJECT, READ_ONLY, TASK, SampleRows, SampleSource, at, looked, ran, said
from ui_views import CALM_THINKING

from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import (
    Change,
    Coverage,
    Prompted,
    RequestEnded,
    RunEnded,
    ToolCalled,
    TreeMeasured,
)
from monitor.findings import Finding, Spot
from monitor.snapshot import ActionFacts, Claim, RunFacts, Snapshot, Verdict


def ended() -> SampleSource:
    """A finished log: feedback was given, and nothing changed since."""
    rows = beginning()
    ran(rows, "15:02:44", "python -m pytest tests/storage -q", "exit 0", took=5.2, output="4 passed in 4.90s")
    rows.add(
        "claim",
        "15:03:20",
        "The readings are stored in SQLite.",
        "changed",
        level="ok",
        event=RequestEnded(seq=len(rows), at=at("15:03:20"), text="The readings are stored in SQLite."),
    )
    feedback = "The export still writes CSV, and docs/storage.md is out of date. Please mend both."
    rows.add(
        "you",
        "15:06:02",
        feedback,
        "seen 15:06:05",
        event=Prompted(seq=len(rows), at=at("15:06:02"), text=feedback, by="operator"),
    )
    said(rows, "thought", "15:06:11", "Two things are named. I look at the export again.")
    looked(rows, "read", "15:06:14", CLI, "73 lines")
    looked(rows, "search", "15:06:20", '"csv" in src docs', "4 hits in 2 files")
    claim = rows.add(
        "claim",
        "15:06:29",
        "I have applied your feedback.",
        "unchanged",
        level="warn",
        event=RequestEnded(seq=len(rows), at=at("15:06:29"), text="I have applied your feedback."),
    )
    rows.add(
        "measure",
        "15:06:30",
        "nothing in the project changed since the feedback",
        took=0.3,
        event=TreeMeasured(
            seq=len(rows), at=at("15:06:30"), when="claim", changed=False, since_start=True, content="5c1e09af77d2b0e1"
        ),
    )
    rows.add(
        "ended",
        "15:06:31",
        "status: completed",
        "exit 0",
        event=RunEnded(seq=len(rows), at=at("15:06:31"), status="completed", exit=0),
    )
    finding = Finding(
        "worktree",
        "unchanged",
        "warn",
        "Nothing in the project changed since the feedback",
        "Nothing in the project changed since the feedback. Apply each item and run the check it names, or say that no change was needed and why.",
        opened=claim,
        raised=claim,
        places=(Spot(claim, 0, claim),),
    )
    snapshot = Snapshot(
        seq=238,
        run=RunFacts(
            "claude",
            "2.1.0",
            "sonnet",
            "77ae",
            PROJECT,
            PROJECT,
            TASK,
            started=at("14:57:38"),
            ended=at("15:06:31"),
            last=at("15:06:31"),
            over=True,
            status="completed",
            exit=0,
            requests=3,
            turns=10,
            calls=12,
            cost=0.11,
            context_used=36_000,
            context_size=200_000,
        ),
        verdict=Verdict(
            "unchanged",
            "Done is claimed, and nothing changed since your feedback",
            (),
            True,
            since=at("15:06:31"),
            since_what="ended",
        ),
        claims=(Claim(Spot(claim, 0, claim), at("15:06:29"), True, "I have applied your feedback.", "unchanged", 3),),
        writes=WritesView(made=2),
        thinking=CALM_THINKING,
        worktree=WorktreeView(
            False,
            True,
            "",
            "monitor",
            (),
            (),
            4,
            at("15:06:30"),
            at("15:06:02"),
            since_feedback=True,
            findings=(finding,),
        ),
        findings=(finding,),
        actions=(ActionFacts("f1", "feedback", "operator", "seen", feedback, at=at("15:06:02")),),
    )
    over = "The run has ended"
    return SampleSource(snapshot, rows, live=False, cannot=dict.fromkeys(READ_ONLY, over))


def empty() -> SampleSource:
    """A short log that shows little."""
    rows = SampleRows()
    task = "Explain how the importer treats readings that come twice, and mend it if it is wrong"
    rows.add("prompt", "09:41:03", task, event=Prompted(seq=0, at=at("09:41:03"), text=task))
    said(rows, "said", "09:41:58", "The importer keeps the first reading of each minute. I looked at two files.")
    call = ToolCalled(
        seq=2, at=at("09:41:58"), call="w", tool="edit", kind="write", changes=(Change("src/tidepool/importer.py"),)
    )
    rows.add("write", "09:41:58", "src/tidepool/importer.py", "no result in log", event=call)
    rows.add(
        "claim",
        "09:42:30",
        "Mended: the importer now keeps the newest reading.",
        "not measured",
        level="note",
        event=RequestEnded(seq=3, at=at("09:42:30"), text="Mended: the importer now keeps the newest reading."),
    )
    no_results = "This log has no results of writes"
    snapshot = Snapshot(
        seq=3,
        run=RunFacts(
            "aider",
            "",
            "",
            "",
            "",
            "",
            task,
            started=at("09:41:03"),
            ended=at("09:42:30"),
            last=at("09:42:30"),
            over=True,
            requests=1,
            turns=1,
            calls=1,
            cost=0.02,
            lag="message",
        ),
        verdict=Verdict(
            "claimed",
            "Done is claimed; nothing could be measured: no project folder",
            (),
            True,
            since=at("09:42:30"),
            since_what="ended",
        ),
        claims=(Claim(Spot(3, 0, 3), at("09:42:30"), True, "Mended", "claimed", 1),),
        coverage=MappingProxyType(
            {
                "failed_writes": Coverage("none", no_results),
                "sites": Coverage("none", "This log has no results of calls"),
                "thinking": Coverage("none", "Thinking is not in this log"),
                "repeats": Coverage("partial", "calls have no results to compare"),
                "worktree": Coverage("none", "no project folder is known"),
            }
        ),
        worktree=WorktreeView(reason="No project folder is known. Start with --project DIR to measure it"),
    )
    return SampleSource(
        snapshot, rows, live=False, cannot=dict.fromkeys((*READ_ONLY, "measure"), "The log is finished")
    )
