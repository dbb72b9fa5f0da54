"""What is known of a started run once it has ended: from its keeper, and from the journals of the monitors that saw it."""

from __future__ import annotations

import json
import os
import signal

import pytest
from kept_runs import kept, python
from waiting import until

from monitor.actions import Action
from monitor.commands.report import judged
from monitor.config import state_folder
from monitor.doctor.drift import drift
from monitor.events import Acted, Place, Prompted, RunStarted, SourceChanged, TreeMeasured
from monitor.finding.started import StartedLister
from monitor.journal import Header, Journal
from monitor.opening import opened, started, supervised
from monitor.replay.replay import Replay
from monitor.report import as_markdown, as_text
from monitor.supervisor import Supervisor
from monitor.targets import FINDERS, find

WORKS = """
import json, sys, time
def say(**event):
    print(json.dumps(event), flush=True)
say(event="RunStarted", agent="mine", task="do")
say(event="Prompted", text="do")
say(event="ToolCalled", call="1", tool="bash", kind="shell", command="sleep 600")
time.sleep(600)
"""
CHANGES = """
import json, pathlib, time
def say(**event):
    print(json.dumps(event), flush=True)
say(event="RunStarted", agent="mine", task="do")
say(event="Prompted", text="do")
while not pathlib.Path("../go").exists():
    time.sleep(0.01)
say(event="ToolCalled", call="1", tool="bash", kind="shell", command="echo new > new.txt")
pathlib.Path("new.txt").write_text("new")
say(event="ToolReturned", call="1", outcome="ok")
say(event="Moon")
say(event="RequestEnded", how="answered", text="Done.")
"""
ROWS = [
    {"event": "RunStarted", "agent": "mine"},
    {"event": "Prompted", "text": "do"},
    {"event": "ToolCalled", "call": "1", "tool": "bash", "kind": "shell", "command": "sleep 600"},
]
ENDED = 1_000_000.0


@pytest.fixture
def past(tmp_path):
    """Makes a started run that has ended, of these lines and with this exit code."""

    def make(code, rows=ROWS, rest=""):
        folder = state_folder("runs") / "20261130-120000-abcd"
        folder.mkdir()
        told = {"agent": "native", "mark": "MARK=1", "cwd": str(tmp_path), "command": ["agent"], "began": ENDED - 99}
        (folder / "launch.json").write_text(json.dumps(told))
        (folder / "output").write_text("".join(json.dumps(row) + "\n" for row in rows) + rest)
        (folder / "ended.json").write_text(json.dumps({"code": code, "ended": ENDED, "lost": 0}))
        return folder

    return make


def journal(folder, *events, lines=3, began=ENDED - 90, agent="native"):
    """A monitor's journal of that run, which has read so many of its lines."""
    header = Header(run=folder.name, agent=agent, inputs=("output",), began=began)
    made = Journal.open(state_folder("journals"), header)
    offset = 0
    kinds = {"RunStarted": RunStarted(agent="mine"), "Prompted": Prompted(text="do")}
    for number, line in enumerate((folder / "output").read_bytes().splitlines(keepends=True)[:lines], 1):
        kind = kinds.get(json.loads(line)["event"], kinds["Prompted"])
        event = type(kind)(**{name: getattr(kind, name) for name in ("agent", "text") if hasattr(kind, name)},
                           place=Place(0, number, offset, len(line)))  # fmt: skip
        made.append(event)
        offset += len(line)
    for event in events:
        made.append(event)
    made.close()
    return made.path


def abort(receipt, seen=ENDED - 2.0, by="operator"):
    return Acted(id="a1", action="abort", by=by, receipt=receipt, seen=seen)


def verdict(folder):
    told = judged(folder.name, None)["verdict"]
    return told["state"], told["reason"]


def test_an_abort_is_told_by_every_later_monitor(tmp_path):
    """Aborted from one monitor, the run is aborted in a report by its id and on a later screen, by the operator."""
    with kept(python(WORKS), tmp_path) as run:
        supervisor = supervised(find(str(run.folder)), tmp_path)
        supervisor.start()
        until(lambda: supervisor.snapshot.calls)
        supervisor.act(Action("a1", "abort"))
        until(lambda: supervisor.snapshot.verdict.state == "aborted")
        supervisor.close()
        until(lambda: run.ended() is not None)
    words = ("aborted", "Ended by the operator before it was done")
    assert verdict(run.folder) == words
    with opened(run.title, None, screen=False) as later:
        until(lambda: later.ended)
        assert (later.snapshot.verdict.state, later.snapshot.verdict.reason) == words


def test_a_signal_of_nobody_known_is_named(tmp_path):
    """Where no monitor ended it, the log stops with the signal's name, and nobody is said to have aborted it."""
    with kept(python(WORKS), tmp_path) as run:
        identity = run.identity()
        until(lambda: (run.folder / "output").read_bytes().count(b"\n") == len(ROWS))
        os.kill(identity.pid, signal.SIGKILL)
        until(lambda: run.ended() is not None)
    assert verdict(run.folder) == ("unknown", "The log ends in a call, and its process was ended by SIGKILL")


def test_what_was_measured_stays_known(tmp_path):
    """A run that was measured as changed is changed in a report and a replay by its id; the journal is accounted for."""
    project = tmp_path / "project"
    project.mkdir()
    begun = started(project, "mine")
    with kept(python(CHANGES), project) as run:
        supervisor = supervised(run, project, begun)
        supervisor.start()
        until(lambda: supervisor.snapshot.run.requests and supervisor.snapshot.worktree.measured > 1)
        (tmp_path / "go").touch()
        until(lambda: supervisor.ended and not supervisor.snapshot.verdict.provisional)
        supervisor.close()
        said = supervisor.snapshot.verdict
    assert said.state == "changed", said
    report = judged(run.title, None)
    assert (report["verdict"]["state"], report["verdict"]["reason"]) == ("changed", said.reason)
    (source,) = report["inputs"]
    assert source["name"] == f"journals/{supervisor.journal.path.name}"
    assert source["bytes"] == source["decoded_bytes"] == supervisor.journal.path.stat().st_size
    replay = Replay(find(run.title))
    replay.begin()
    until(lambda: replay.playback.read == 1.0)
    replay.seek(replay.playback.total)
    until(lambda: replay.snapshot.verdict.state == "changed")
    replay.close()


def test_an_output_that_is_named_is_read_itself(past):
    """Named by its path, or looked through for what is not understood, the run is what the agent wrote."""
    folder = past(0, [*ROWS, *[{"event": "Moon"}] * 3])
    path = journal(folder)
    assert find(folder.name).inputs()[0].path == path
    assert find(str(folder / "output")).inputs()[0].path == folder / "output"
    assert drift(StartedLister(FINDERS).listed(None, Ends())).unknown == {"Moon": 3}


class Ends:
    """Nothing is known of how the logs begin and end."""

    def of(self, *_):
        return None


@pytest.mark.parametrize("fault", ["short", "gap", "broken", "another agent", "none"])
def test_a_journal_that_saw_less_is_not_believed_for_the_whole(past, fault):
    """One that ends before the output, lost events, cannot be read, or is of another agent's run is no source."""
    folder = past(0)
    told = {
        "short": {"lines": 2},
        "another agent": {"agent": "claude"},
    }.get(fault, {})
    lost = [SourceChanged(what="gap", text="the journal lost 1 event: no room")] if fault == "gap" else []
    path = journal(folder, *lost, **told)
    if fault == "broken":
        path.write_bytes(path.read_bytes() + b'{"event": "Ac')
    assert (find(folder.name).inputs()[0].path == path) is (fault == "none")


def test_a_journal_of_a_part_is_named(past):
    """Where no journal saw all, the output is read, and the journal that measured a part of it is named, by a report too."""
    folder = past(0)
    path = journal(folder, TreeMeasured(when="start"), lines=2)
    report = judged(folder.name, None)
    assert report["sources"] == [f"what a monitor measured of a part of this run: monitor report {path}"]
    assert report["coverage"]["failed_writes"] == {"sees": "full", "why": ""}, "nothing that it said is missed"
    for text in (as_text.render([report]), as_markdown.render([report])):
        assert "what a monitor measured of a part of this run" in " ".join(text.split())


def test_a_last_line_cut_short_needs_no_telling(past):
    """What an agent was ended in the middle of tells nothing, and its journal covers the rest."""
    folder = past(-9, rest='{"event": "Sa')
    path = journal(folder)
    assert find(folder.name).inputs()[0].path == path


def test_of_two_journals_the_one_that_saw_most(past):
    """Two monitors saw the whole run: an end by hand counts most, then what was measured, then who began first."""
    folder = past(-2)
    first = journal(folder, began=ENDED - 90)
    assert find(folder.name).inputs()[0].path == first
    more = journal(folder, TreeMeasured(when="start"), began=ENDED - 50)
    assert find(folder.name).inputs()[0].path == more
    hand = journal(folder, abort("done"), began=ENDED - 20)
    assert find(folder.name).inputs()[0].path == hand


@pytest.mark.parametrize(("told", "code", "said"), [
    ([abort("delivered")], -2, "aborted"),
    ([abort("delivered", by="policy")], -2, "aborted"),
    ([abort("done")], 130, "aborted"),
    ([abort("queued")], -2, "unknown"),
    ([abort("failed")], -2, "unknown"),
    ([abort("delivered")], 0, "unknown"),
    ([abort("delivered", ENDED - 3600.0)], -2, "unknown"),
    ([abort("delivered"), Prompted(text="go on", by="user")], -2, "unknown"),
])  # fmt: skip
@pytest.mark.parametrize("lines", [3, 2])
def test_whose_end_it_was(past, told, code, said, lines):
    """An abort that reached the agent just before a signal ended it was its end, whichever journal tells; no other was."""
    folder = past(code)
    journal(folder, *told, lines=lines)
    state, reason = verdict(folder)
    assert state == said
    if said == "aborted":
        assert reason.startswith(f"Ended by the {told[0].by} before")
    elif code < 0:
        assert reason.endswith("and its process was ended by SIGINT")
    else:
        assert reason.endswith("and its process ended with exit code 0")


def test_the_end_is_told_once(past):
    """A journal that saw the process gone, and the keeper's word for it, make no row twice."""
    folder = past(-15)
    journal(folder, SourceChanged(what="gone", text="the agent's process was ended by SIGTERM", seen=ENDED))
    supervisor = Supervisor(find(folder.name), live=False)
    supervisor.read_all()
    rows = [supervisor.rows.row(supervisor.rows.ref(index)).text for index in range(len(supervisor.rows))]
    supervisor.close()
    assert rows.count("the agent's process was ended by SIGTERM") == 1
