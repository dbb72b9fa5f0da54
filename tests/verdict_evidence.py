"""What a verdict is judged by."""

from __future__ import annotations

from dataclasses import replace

from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.run.evidence import Evidence, Idle
from monitor.snapshot import RunFacts

DONE = Idle("answered", "Done.", 50.0)


def evidence(**parts):
    start = Evidence(
        run=RunFacts(agent="dirtywork", last=60.0),
        idle=None,
        writes=WritesView(),
        worktree=WorktreeView(reason="no project folder is known"),
        findings=(),
        coverage={},
        begun=True,
    )
    return replace(start, **parts)


def ended(status, **parts):
    run = replace(RunFacts(agent="dirtywork", last=60.0), over=True, status=status, ended=61.0)
    return evidence(run=run, **parts)
