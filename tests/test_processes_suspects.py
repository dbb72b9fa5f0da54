"""What may belong to a run though nothing proves it: told with the reason, and never signalled."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from process_trees import alive, begun, climbed, tree
from waiting import until

from monitor.processes import table
from monitor.processes.family import Family
from monitor.processes.identity import Identity
from monitor.processes.ladder import Ladder
from monitor.processes.plan import plan
from monitor.processes.suspects import Suspect, suspects, traits
from monitor.processes.table import Entry
from monitor.snapshot import Snapshot
from monitor.ui.pen import Pen
from monitor.ui.present.abort import SUSPECTS, abort_parts
from monitor.ui.present.parts import laid

pytestmark = pytest.mark.skipif(not table.PROC.joinpath("self/stat").exists(), reason="this kernel has no /proc")
STRAY = "(env -i setsid sleep {0} & exec true); echo begun > begun; exec sleep 300"
"""A process with nothing in its environment, in a session of its own, whose parent is gone at once."""
EMPTY = Snapshot()
ME = Identity(1, 1.0, "sleep 1", os.geteuid())
SUSPECT = Suspect(1, "sleep 1", "works in its folder, and began after it")
MARK = "MONITOR_TEST_SUSPECTS=1"


@contextmanager
def stray(folder, number):
    """A run whose stray sleeps `number` seconds; both are ended afterwards, and nothing else."""
    script = f"cd '{folder}'; " + STRAY.format(number)
    with tree(script, mark=MARK) as process:
        until((folder / "begun").exists)
        until(lambda: sleeping(number))
        (pid,) = sleeping(number)
        try:
            yield process, pid
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def sleeping(number):
    """The processes that sleep for so long: a number that only this test uses."""
    told = {pid: command(pid) for pid in table.everything()}
    return [pid for pid, words in told.items() if words == ["sleep", str(number)]]


def command(pid):
    try:
        return (table.PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace").rstrip("\0").split("\0")
    except OSError:
        return []


def works(pid):
    """The folder it works in."""
    return (table.PROC / str(pid) / "cwd").readlink()


def only(family):
    """Its suspects' numbers and reasons."""
    return [(one.pid, one.why) for one in family.suspects()]


def test_one_that_got_rid_of_all_is_named_and_left_alone(tmp_path):
    """An abort ends the run, names the stray with its number and the reason, and does not touch it."""
    number = 300 + os.getpid()
    with stray(tmp_path, number) as (process, pid):
        family = Family(begun(process), MARK)
        members = family.look()
        assert pid not in {one.identity.pid for one in members}
        why = "works in its folder, and began after it"
        assert only(family) == [(pid, why)]
        shown = plan(members, time.time(), suspects=family.suspects())
        text = "\n".join(one.plain for one in laid(Pen(), abort_parts(Pen(), EMPTY, shown), 120))
        assert f"{pid} sleep {number}: {why}; it is not touched" in text
        ladder = Ladder(family, wait=0.2)
        ladder.climb("kill")
        done = climbed(ladder, lambda standing: standing.over)
        assert f"may belong to it, not touched: {pid} sleep {number} ({why})" in done.words
        assert alive(pid)


def test_a_stray_elsewhere_is_none_of_its(tmp_path):
    """Without anything in common nothing is said: an orphan that works elsewhere is anybody's."""
    (tmp_path / "project").mkdir()
    number = 400_000 + os.getpid()
    with (
        stray(tmp_path, number) as (_, pid),
        tree(f"cd '{tmp_path}/project'; exec sleep 300") as other,
    ):
        until(lambda: command(other.pid)[:1] == ["sleep"])
        assert pid not in [one for one, _ in only(looked(other))]


def test_one_that_began_before_is_none_of_its(tmp_path):
    """An orphan in the same folder that is older than the agent was there before it."""
    number = 800_000 + os.getpid()
    with stray(tmp_path, number) as (_, pid):
        begun_at = table.everything()[pid].started
        until(lambda: time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") > begun_at + 2)
        with tree(f"cd '{tmp_path}'; exec sleep 300") as later:
            until(lambda: works(later.pid) == tmp_path)
            assert only(looked(later)) == []


def test_a_child_of_somebody_else_is_none_of_its(tmp_path):
    """What lives below a parent of its own was started by that one, wherever it works."""
    number = 900_000 + os.getpid()
    with tree(f"cd '{tmp_path}'; exec sleep 300") as agent:
        until(lambda: works(agent.pid) == tmp_path)
        mine = subprocess.Popen(["sleep", str(number)], cwd=tmp_path, start_new_session=True)
        try:
            assert only(looked(agent)) == []
        finally:
            mine.kill()
            mine.wait()


def looked(process):
    """A family that has looked."""
    family = Family(begun(process), MARK)
    family.look()
    return family


ROOT = Entry(100, 50, 100, 90, 10.0, "S", terminal=34816)
ENTRIES = {1: Entry(1, 0, 1, 1, 0.0, "S"), 50: Entry(50, 1, 50, 90, 5.0, "S", terminal=34816), 100: ROOT}


@pytest.mark.parametrize(
    ("entry", "shared"),
    [
        (Entry(os.getpid(), 1, 100, 7, 11.0, "S"), "process group"),
        (Entry(os.getpid(), 1, 7, 90, 11.0, "S"), "session"),
        (Entry(os.getpid(), 1, 7, 7, 11.0, "S", terminal=34816), "terminal"),
        (Entry(os.getpid(), 1, 7, 7, 11.0, "S"), ""),
        (Entry(os.getpid(), 1, 100, 90, 9.0, "S"), ""),
        (Entry(os.getpid(), 1, 100, 90, 11.0, "Z"), ""),
        (Entry(os.getpid(), 50, 7, 90, 11.0, "S"), ""),
        (Entry(os.getpid(), 77, 100, 90, 11.0, "S"), ""),
    ],
)
def test_what_makes_a_suspect(monkeypatch, entry, shared):
    """An orphan that is younger and in its group, session or terminal; no job of the same shell, no child of another."""
    monkeypatch.setattr("monitor.processes.suspects.ours", lambda _: frozenset())
    monkeypatch.setattr("monitor.processes.suspects.identify", lambda pid: replace(ME, pid=pid, started=entry.started))
    root = replace(traits(ROOT, ENTRIES), folder="", control="")
    found = suspects(root, {**ENTRIES, entry.pid: entry}, {100})
    assert [one.pid for one in found] == ([entry.pid] if shared else [])
    assert all(shared in one.why for one in found)


def test_many_suspects_are_counted():
    """The box names a few of them, and says how many more there are."""
    many = [replace(SUSPECT, pid=number) for number in range(2, SUSPECTS + 5)]
    shown = replace(plan((), 0.0), suspects=tuple(many))
    text = "\n".join(one.plain for one in laid(Pen(), abort_parts(Pen(), EMPTY, shown), 120))
    assert text.count("it is not touched") == SUSPECTS
    assert "and 3 more that may be" in text
