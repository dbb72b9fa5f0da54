"""The rollouts of sub-agents are found beside their root's, and the run is listed and opened as one."""

from __future__ import annotations

import json
import os

import codex_logs as logs
import pytest
from codex_agents import ROOT, activity, begun, child, path_of, root, thread, write
from codex_wire import noted

from monitor.agents.codex import kin
from monitor.agents.codex.find import FINDER
from monitor.agents.codex.listing import LISTER
from monitor.agents.codex.served import Served
from monitor.finding.ends import FileEnds
from monitor.finding.machine import look
from monitor.report.build import build
from monitor.supervisor import Supervisor

FIRST, SECOND, THIRD = thread(1), thread(2), thread(3)


@pytest.fixture
def sessions(tmp_path, monkeypatch):
    """Where Codex keeps its rollouts."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    return tmp_path / "sessions"


def actors(found):
    return [one.actor for one in found.inputs()]


def test_beside_its_root(sessions):
    """Children and theirs are found, on later days too; strangers, forks that a user began and older threads are not."""
    top = write(sessions, ROOT, root())
    write(sessions, FIRST, child(FIRST))
    write(sessions, SECOND, child(SECOND, FIRST, root=""), day="2026/12/01")
    write(sessions, THIRD, logs.meta(id=THIRD, session_id=THIRD, forked_from_id=ROOT))
    write(sessions, thread(4), child(thread(4), thread(9), root=thread(9)))
    write(sessions, "01a22d2d-ffff-7563-b0d6-6593a2bc72a7", child("01a22d2d-ffff-7563-b0d6-6593a2bc72a7"))
    write(sessions, thread(5), child(thread(5)), day="2026/11/29")
    assert actors(FINDER.open(top)) == ["", FIRST, SECOND]


def test_one_that_begins_while_it_is_watched(sessions):
    """It becomes an input behind those that are there, once its first line is whole; no index changes."""
    found = FINDER.open(write(sessions, ROOT, root()))
    assert actors(found) == [""]
    found.attach(sessions / "wire")
    line = json.dumps(child(FIRST))
    path = path_of(sessions, FIRST)
    path.write_text(line[:40])
    assert actors(found) == ["", ""]
    path.write_text(line + "\n")
    assert [(one.index, one.actor) for one in found.inputs()] == [(0, ""), (1, ""), (2, FIRST)]
    write(sessions, SECOND, child(SECOND, FIRST, root=""))
    assert actors(found)[3:] == [SECOND]


def test_one_that_begins_in_the_moment_of_the_last_look(sessions):
    """Clocks of file systems are coarse: a folder that has just changed may change again and not show it by its time."""
    found = FINDER.open(write(sessions, ROOT, root()))
    folder = write(sessions, FIRST, child(FIRST)).parent
    at = folder.stat().st_mtime_ns
    assert actors(found) == ["", FIRST]
    write(sessions, SECOND, child(SECOND))
    os.utime(folder, ns=(at, at))
    assert actors(found) == ["", FIRST, SECOND]


def test_each_file_is_looked_at_once(sessions, monkeypatch):
    """A folder in which nothing is new is not read again, nor is a file that was looked at."""
    looked = []
    told_by = kin.told_by
    monkeypatch.setattr(kin, "told_by", lambda path: looked.append(path) or told_by(path))
    found = FINDER.open(write(sessions, ROOT, root()))
    write(sessions, FIRST, child(FIRST))
    write(sessions, SECOND, logs.meta(id=SECOND))
    for _ in range(3):
        found.inputs()
    write(sessions, THIRD, child(THIRD))
    found.inputs()
    assert [kin.thread_of(path) for path in looked] == [FIRST, SECOND, THIRD]


def test_a_circle_belongs_to_nobody(sessions):
    """Two threads that name each other as parent are no run's, and are listed each by itself."""
    top = write(sessions, ROOT, root())
    write(sessions, FIRST, child(FIRST, SECOND, root=""))
    write(sessions, SECOND, child(SECOND, FIRST, root=""))
    assert actors(FINDER.open(top)) == [""]
    assert {one.session for one in LISTER.listed(look(), FileEnds())} == {ROOT, FIRST, SECOND}


def test_a_link_is_not_followed(sessions, tmp_path):
    """A link that is called like a rollout leads nowhere."""
    top = write(sessions, ROOT, root())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps(child(FIRST)) + "\n")
    path_of(sessions, FIRST).symlink_to(elsewhere)
    assert actors(FINDER.open(top)) == [""]


def test_copied_into_one_folder(tmp_path):
    """Rollouts that lie together in any folder are joined too; the folder opens as the root."""
    for name, line in ((ROOT, root()), (FIRST, child(FIRST))):
        (tmp_path / path_of(tmp_path, name).name).write_text(json.dumps(line) + "\n")
    assert actors(FINDER.open(tmp_path)) == ["", FIRST]


def test_the_newest_is_opened_at_its_root(sessions):
    """The newest rollout may be a sub-agent's: its root is opened, as far up as it is there."""
    write(sessions, ROOT, root(), day="2026/11/28")
    write(sessions, FIRST, child(FIRST), day="2026/11/29")
    write(sessions, SECOND, child(SECOND, FIRST))
    assert FINDER.open(sessions.parent).session == ROOT
    path_of(sessions, ROOT, "2026/11/28").unlink()
    assert FINDER.open(sessions.parent).session == FIRST


def test_a_sub_agent_without_its_root(sessions):
    """Opened by itself it is a run of its own, with those below it, and listed as one."""
    alone = write(sessions, FIRST, child(FIRST), logs.user("Mend it"), logs.said("Mended."), logs.completed("Mended."))
    write(sessions, SECOND, child(SECOND, FIRST))
    found = FINDER.open(alone)
    assert actors(found) == ["", SECOND]
    assert [one.session for one in LISTER.listed(look(), FileEnds())] == [FIRST]
    report = judged(found)
    assert [(one["id"], one["parent"]) for one in report["runs"]] == [("", None), (SECOND, "")]
    assert [one["text"] for one in report["claims"]] == ["Mended."]


def judged(found):
    supervisor = Supervisor(found, live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    return report


def test_a_root_without_the_file_of_its_sub_agent(sessions):
    """It is known that there is one, and nothing of what it did; once it is over by its root's word is not told."""
    found = FINDER.open(
        write(sessions, ROOT, root(), begun("t"), logs.user("Do it"), activity(FIRST), logs.completed())
    )
    report = judged(found)
    (below,) = report["runs"][1:]
    assert (below["id"], below["parent"], below["task"], below["calls"], below["status"]) == (
        FIRST,
        "",
        "/root/fixer",
        0,
        None,
    )


def test_its_doings_are_the_runs(sessions):
    """A failed write of a sub-agent's is the run's, and keeps it from being done."""
    root_rows = [root(), begun("t"), logs.user("Do it"), activity(FIRST), logs.said("Done."), logs.completed()]
    write(sessions, FIRST, child(FIRST), logs.patched("c"), logs.output("c", logs.REFUSED), logs.completed("Mended."))
    report = judged(FINDER.open(write(sessions, ROOT, *root_rows)))
    assert report["verdict"]["state"] == "not made"
    assert report["coverage"]["failed_writes"]["sees"] == "full"
    assert [one["outstanding"] for one in report["failed_writes"]] == [True]
    assert [one["calls"] for one in report["runs"]] == [1, 1]


def test_a_hundred(sessions):
    """A hundred sub-agents are found, each once."""
    top = write(sessions, ROOT, root())
    names = [thread(number) for number in range(1, 101)]
    for name in names:
        write(sessions, name, child(name))
    found = FINDER.open(top)
    assert actors(found) == ["", *names]
    assert actors(found) == ["", *names]


def test_no_more_than_can_be_read(sessions, monkeypatch):
    """Past the most that are read, the rest is left out."""
    monkeypatch.setattr(kin, "_MOST", 3)
    top = write(sessions, ROOT, root())
    for number in range(1, 6):
        write(sessions, thread(number), child(thread(number)))
    assert len(actors(FINDER.open(top))) == 4


def test_of_a_run_that_monitor_started(sessions, tmp_path):
    """Beside the wire stand the rollout that it names, and those of its sub-agents as they begin."""
    path = write(sessions, ROOT, root())
    wire = tmp_path / "wire"
    told = {"method": "thread/started", "params": {"thread": {"id": ROOT, "path": str(path)}}}
    wire.write_text(json.dumps(noted("agent->client", told)) + "\n")
    found = Served(wire, "output")
    assert actors(found) == ["", ""]
    write(sessions, FIRST, child(FIRST))
    assert [(one.index, one.actor) for one in found.inputs()] == [(0, ""), (1, ""), (2, FIRST)]


def test_a_long_first_line(sessions):
    """Instructions may make it longer than what is looked at: folder, version and parent stand before them."""
    instructions = {"base_instructions": {"text": 'x "cwd":"/no" ' * 5_000}}
    write(sessions, ROOT, root(**instructions))
    write(sessions, FIRST, child(FIRST, **instructions))
    assert actors(FINDER.open(path_of(sessions, ROOT))) == ["", FIRST]
    (one,) = LISTER.listed(look(), FileEnds())
    assert (one.session, one.folder, one.version) == (ROOT, logs.CWD, "0.171.0")


def test_it_works_while_a_sub_agent_does(sessions):
    """Listed is when any of them wrote last."""
    top = write(sessions, ROOT, root(), logs.completed())
    below = write(sessions, FIRST, child(FIRST), begun("t"))
    os.utime(top, (1_000, 1_000))
    os.utime(below, (2_000, 2_000))
    (one,) = LISTER.listed(look(), FileEnds())
    assert (one.session, one.last) == (ROOT, 2_000)
