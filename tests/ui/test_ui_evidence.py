"""The screen's rows over a real log: a finding leads to the call that proves it, and the past shows what was known then."""

from __future__ import annotations

from pathlib import Path

import logs
import pytest
from waiting import until

from monitor.events import Said, ToolReturned
from monitor.replay.replay import Replay
from monitor.supervisor import Supervisor
from monitor.targets import find
from monitor.timeline.columns import Columns
from monitor.ui.selection import row_of

BESIDE = (
    logs.started(),
    logs.prompted(),
    logs.edited("1", message="m"),
    logs.edited("2", file="b.py", message="m"),
    logs.failed("1"),
    logs.worked("2"),
    *logs.answered(),
)
"""Two calls of one message, the first of which fails."""


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(*BESIDE))
    return str(path)


def test_a_finding_leads_to_its_own_call_among_several_of_one_message(log: str) -> None:
    """The result of the first call comes after the second call: its row is still the first's."""
    supervisor = Supervisor(find(log), live=False)
    supervisor.read_all()
    (finding,) = supervisor.snapshot.findings
    index = row_of(supervisor.rows, finding)
    assert index is not None
    assert supervisor.rows.row(index).text == "a.py"
    supervisor.close()


def test_a_past_row_has_no_mark_of_what_came_later(log: str) -> None:
    """Before its result the write is running and unmarked, after it a note, and a warning once done is claimed."""
    replay = Replay(find(log))
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.total > 0)
    seen = {}
    for count in (4, 5, replay.playback.total):
        replay.seek(count)
        until(lambda count=count: replay.playback.count == count and replay.snapshot.seq == count - 1)
        row, brief = replay.rows.row(2), replay.rows.brief(2)
        seen[count] = (len(replay.rows), row.level, row.outcome, brief.failed, brief.running)
    replay.close()
    assert seen[4] == (4, "", "running", False, True)
    assert seen[5] == (4, "note", "old text not found", True, False)
    assert seen[replay.playback.total][1:] == ("stop", "old text not found", True, False)


@pytest.mark.parametrize("between", [1, 200, 5_000])
def test_a_result_is_found_near_its_call_and_else_at_the_row_before(between: int) -> None:
    """However many rows stand between: up to some thousands the call's own row, beyond them the row before the result."""
    columns = Columns()
    for seq in range(between + 1):
        columns.add("said", Said(seq=seq, text="x"))
    columns.result(0, ToolReturned(seq=between + 1, call="c"))
    assert columns.index_of(between + 1) == (0 if between < 4_096 else between)
    assert columns.until(between + 1) == between + 1
