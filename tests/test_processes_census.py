"""One reading of all processes serves every run, and details are asked of what is new alone."""

from __future__ import annotations

import signal
import subprocess

import pytest
from process_trees import begun, grown, tree
from waiting import until

from monitor.actions import Action
from monitor.channels.body import Body
from monitor.channels.receipts import Receipts
from monitor.finding import machine
from monitor.processes import census, family, table
from monitor.processes.census import Census
from monitor.processes.family import Family

pytestmark = pytest.mark.skipif(not table.PROC.joinpath("self/stat").exists(), reason="this kernel has no /proc")
TWO = "sleep 300 & sleep 300; :"


class Counted:
    """How often all processes were read."""

    def __init__(self):
        self.times, self.now = 0, 100.0

    def everything(self):
        self.times += 1
        return table.everything()

    def clock(self):
        return self.now


@pytest.fixture
def readings(monkeypatch):
    counted = Counted()
    shared = Census(counted.everything, counted.clock)
    monkeypatch.setattr(family, "CENSUS", shared)
    monkeypatch.setattr(machine, "CENSUS", shared)
    return counted


def test_a_reading_serves_whoever_allows_its_age():
    """It is read anew for who wants it now, and where it has become older than is allowed."""
    counted = Counted()
    shared = Census(lambda: counted.everything() and {counted.times: None}, counted.clock)
    assert list(shared.within(5)) == [1]
    counted.now += 4
    assert list(shared.within(5)) == [1]
    assert list(shared.within(0)) == [2]
    counted.now += 6
    assert list(shared.within(5)) == [3]


def test_twenty_runs_share_one_reading(readings):
    """Twenty bodies of processes that look each their ten seconds read all processes once in each; finding, too, is served."""
    with tree(TWO) as process:
        found = begun(process)
        bodies = [Body(lambda: found, Receipts("signals", readings.clock), clock=readings.clock) for _ in range(20)]
        for body in bodies:
            body.look(now=True)
        for _ in range(3):
            readings.now += 10
            before = readings.times
            machine.look()
            for body in bodies:
                body.look()
            assert readings.times == before + 1
        assert all(body.alive for body in bodies)


def test_what_is_done_to_a_process_goes_by_a_reading_of_that_moment(readings):
    """An abort, and the plan of one, read all processes anew, whatever was read a moment ago."""
    with tree(TWO) as process:
        found = grown(process, 3).root  # a shell that is interrupted before it starts its last child waits for that
        body = Body(lambda: found, Receipts("signals", readings.clock), clock=readings.clock)
        body.look(now=True)
        before = readings.times
        assert body.plan() is not None
        assert readings.times > before
        before = readings.times
        body.perform(Action("1", "abort"))
        assert readings.times > before
        until(lambda: body.step() or process.poll() is not None)


def test_only_what_is_new_is_asked_who_it_is(readings, monkeypatch):
    """A later look asks nothing of the processes that were known before; what has come since is found and asked."""
    with tree("sleep 300 & read -t 300 < <(sleep 300); :") as process:
        run = grown(process, 3)
        asked = []
        identify = family.identify
        monkeypatch.setattr(family, "identify", lambda pid: asked.append(pid) or identify(pid))
        known = run.look(5)
        readings.now += 6
        assert {one.identity for one in run.look(5)} == {one.identity for one in known}
        assert asked == []
        run.look()
        assert {one.identity.pid for one in known} <= set(asked), "before a signal all are asked again"


def test_a_gone_process_is_no_member_of_a_shared_reading(readings):
    """What has ended since the reading before is not told any more once there is another."""
    with tree(TWO) as process:
        run = grown(process, 3)
        gone = run.look()[-1]
        gone_pid = gone.identity.pid
        subprocess.run(["kill", "-9", str(gone_pid)], check=True)
        until(lambda: (entry := table.read(gone_pid)) is None or entry.ended)
        readings.now += 6
        assert gone_pid not in {one.identity.pid for one in run.look(5)}


def test_a_mark_is_looked_for_once(readings, monkeypatch):
    """Who was seen not to carry the run's mark is not looked into again but where a signal may follow."""
    with tree(TWO) as process:
        run = Family(begun(process), "MONITOR_NO_SUCH=1")
        looked = []
        monkeypatch.setattr(family, "carries", lambda pid, _mark: bool(looked.append(pid)))
        other = subprocess.Popen(["sleep", "300"])
        try:
            run.look()
            assert other.pid in looked
            looked.clear()
            readings.now += 6
            run.look(5)
            assert other.pid not in looked
            run.look()
            assert other.pid in looked
        finally:
            other.send_signal(signal.SIGKILL)
            other.wait()


def test_words_are_read_again_where_another_program_runs(readings, monkeypatch):
    """Of a process that goes on as it was the words are not read again; one that became another program is found by it."""
    with subprocess.Popen(["bash", "-c", "read line; exec sleep 300"], stdin=subprocess.PIPE) as process:
        try:
            until(lambda: process.pid in {one.pid for one in machine.look().programs("bash")})
            read = []
            words = machine._words
            monkeypatch.setattr(machine, "_words", lambda pid: read.append(pid) or words(pid))
            machine.look()
            assert process.pid not in read
            process.stdin.write(b"go\n")
            process.stdin.flush()
            until(lambda: process.pid in {one.pid for one in machine.look().programs("sleep")})
            assert process.pid in read
            assert process.pid not in {one.pid for one in machine.look().programs("bash")}
        finally:
            process.kill()
    assert readings.times
    assert census.CENSUS is not machine.CENSUS
