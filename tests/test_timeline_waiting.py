"""The row of a question that the agent asked."""

from __future__ import annotations

import logs

from monitor.supervisor import Supervisor
from monitor.targets import find


def test_a_question_that_was_answered_is_not_told_as_one_that_waits(tmp_path):
    """Not every log tells when a question is over: its row says that it was asked, whether or not it still waits."""
    asked = {"event": "Waiting", "on": "approval", "about": "rm -rf build", "call": "1", "at": 4.0}
    call = {"event": "ToolCalled", "call": "1", "tool": "sh", "kind": "shell", "command": "rm -rf build", "at": 3.0}
    denied = {"event": "ToolReturned", "call": "1", "outcome": "denied", "at": 5.0}
    log = tmp_path / "run.jsonl"
    for events, waits in (((call, asked), True), ((call, asked, denied), False)):
        log.write_bytes(logs.lines(logs.started(), logs.prompted(), *events))
        supervisor = Supervisor(find(str(log)), live=False)
        supervisor.read_all()
        rows = [supervisor.rows.row(supervisor.rows.ref(index)) for index in range(len(supervisor.rows))]
        (row,) = (row for row in rows if row.kind == "waiting")
        assert (row.text, row.outcome) == ("rm -rf build", "asked you")
        assert bool(supervisor.snapshot.waiting) == waits
        supervisor.close()
