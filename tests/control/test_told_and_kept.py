"""What the operator did to a run, from his key to the report: on the snapshot, in the journal, in the replay."""

from __future__ import annotations

import sys

from kept_runs import kept, python
from waiting import until

from monitor.actions import Action
from monitor.agents.native.control import NativeChannel
from monitor.channels.kept import KeptWire
from monitor.demo.project import scratch_project
from monitor.launch.command import Prepared
from monitor.launch.start import reached
from monitor.opening import supervised
from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find

DEAF = """
import json, time
print(json.dumps({"event": "RunStarted", "agent": "deaf"}), flush=True)
time.sleep(300)
"""
WORDS = "The screen is still English."


def action(supervisor, name):
    return next((one for one in supervisor.snapshot.actions if one.id == name), None)


def test_receipts_stand_in_snapshot_journal_and_report(private_home):
    """Feedback is seen by the agent: each step stands once in the snapshot, and the journal tells the report the same."""
    with scratch_project() as project:
        prepared = Prepared("native", (sys.executable, "-m", "monitor.demo.agent", str(project)), listens=True)
        with kept(prepared, project) as found:
            supervisor = supervised(found, None)
            supervisor.start()
            try:
                until(lambda: supervisor.snapshot.run.requests)
                assert supervisor.how("feedback").startswith("by a control line")
                supervisor.act(Action("1", "feedback", WORDS))
                until(lambda: (told := action(supervisor, "1")) and told.receipt == "seen")
                steps = action(supervisor, "1").steps
                assert [name for name, _ in steps] == ["queued", "delivered", "seen"]
                supervisor.act(Action("2", "abort"))
                until(lambda: (told := action(supervisor, "2")) and told.receipt == "done")
                shown = supervisor.snapshot.actions
            finally:
                supervisor.close()
    (journal,) = private_home.rglob("journals/*.jsonl")
    replayed = Supervisor(find(str(journal)), live=False)
    replayed.read_all()
    assert replayed.snapshot.actions == shown
    rows = build(replayed.snapshot, replayed.accounts())["actions"]
    assert [(row["action"], row["receipt"], row["text"]) for row in rows] == [
        ("feedback", "seen", WORDS), ("abort", "done", ""),
    ]  # fmt: skip
    assert "among its prompts" in rows[0]["evidence"]
    assert "1 process ended" in rows[1]["evidence"]


def test_the_wait_of_each_step_stands_in_the_snapshot(tmp_path):
    """Asked in vain, the agent is given time: until when, and what comes then, is there to be counted down."""
    with kept(python(DEAF), tmp_path) as found:
        channel = NativeChannel(KeptWire(reached(found.folder)), found.identity, mark=found.mark, wait=1.0)
        supervisor = Supervisor(found, live=True, channel=channel)
        supervisor.start()
        try:
            until(lambda: supervisor.snapshot.run.agent)
            plan = supervisor.plan()
            assert [row.pid for row in plan.processes] == [found.identity().pid]
            assert plan.processes[0].session == plan.processes[0].group == plan.processes[0].pid
            supervisor.act(Action("1", "abort"))
            until(lambda: (told := action(supervisor, "1")) and told.until)
            told = action(supervisor, "1")
            assert told.then == "SIGINT"
            assert 0 < told.until - told.steps[-1][1] <= 1.5
            until(lambda: action(supervisor, "1").receipt == "done")
            assert action(supervisor, "1").until is None
        finally:
            supervisor.close()
