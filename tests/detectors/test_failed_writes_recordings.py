"""Failed writes in recordings of real agents, read through the whole of the monitor."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor
from monitor.targets import find


def judged(log: Path) -> Snapshot:
    """The last snapshot of a finished log."""
    if not log.exists():
        pytest.skip("this recording is not here")
    supervisor = Supervisor(find(str(log)), live=False)
    try:
        supervisor.read_all()
        return supervisor.snapshot
    finally:
        supervisor.close()


def test_two_refused_edits_and_a_claim(shared: Path) -> None:
    """Two edits whose text was not found, then done is claimed: outstanding, and a stop at the end."""
    snapshot = judged(shared / "captures" / "dirtywork" / "06-failed-edits-then-claims-done" / "rundir")
    (entry,) = [entry for entry in snapshot.writes.entries if entry.outstanding]
    assert (entry.file, entry.count, entry.last.failure) == ("app/strings.xml", 2, "not_found")
    assert [one.level for one in snapshot.findings if one.detector == "failed_writes"] == ["stop"]
    assert snapshot.verdict.state == "not made"


def test_an_edit_redone_after_reading_again(shared: Path) -> None:
    """The text was not found, the file was read again, and the edit made: nothing is outstanding."""
    log = "chiphuyen__sniffly__d3ad4cdc-5657-435d-98fa-0035d53e383d.jsonl"
    writes = judged(shared / "corpus" / "claude-code" / log).writes
    assert writes.outstanding == 0
    assert [(entry.file, entry.settled_by) for entry in writes.entries] == [("diverse_musical_ai.py", "a later write")]
    assert writes.entries[0].last.spot.line == 95
    assert writes.entries[0].last.no_lines == "no read of the file as it stood then is known"
