"""When the watch is held against an exact measurement, and what a real folder then tells."""

from __future__ import annotations

import time

import pytest
from waiting import until

from monitor.actions import Measure
from monitor.config import state_folder
from monitor.worktree.live import LiveFolder
from monitor.worktree.measuring import Measuring
from monitor.worktree.project import UNKNOWN, UNWATCHED, ProjectFolder
from monitor.worktree.reconciling import IDLE, OFTEN, SHARE, Reconciling


def test_a_hint_and_a_turn_ask_for_one():
    """Git's own files changed, or a turn ended: a measurement is due, and not another one for half a minute."""
    asks = Reconciling()
    assert not asks.due(0.0)
    asks.hint()
    assert asks.due(0.0)
    asks.measure(0.0)
    asks.hint()
    assert not asks.due(OFTEN - 0.1)
    assert asks.due(OFTEN)
    asks.measure(OFTEN)
    asks.turn(1)
    asks.turn(1)
    assert asks.due(2 * OFTEN)
    asks.measure(2 * OFTEN)
    asks.turn(1)
    assert not asks.due(9 * OFTEN)


def test_at_rest():
    """Once nothing has changed for a while after a change, one is due; without a change never."""
    asks = Reconciling()
    assert not asks.due(1e9)
    asks.stir(100.0)
    assert not asks.due(100.0 + IDLE - 0.1)
    asks.stir(104.0)
    assert not asks.due(100.0 + IDLE)
    assert asks.due(104.0 + IDLE)
    asks.measure(104.0 + IDLE)
    assert not asks.due(1e9)


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def folder(project, private_home, clock):
    """The project folder, watched, its start measured and told."""
    state = state_folder()
    made = ProjectFolder(
        Measuring(project.path, state=state), LiveFolder(project.path, run="a run", state=state), clock
    )
    made.begin(late=False)
    (start,) = made.settle()
    assert start.when == "start"
    made.look(0)
    made.measuring.settle()
    assert made.news() == []
    yield made
    made.close()


def test_what_nobody_noticed_is_told_before_the_measurement(project, folder, monkeypatch):
    """What the watch missed comes with the measurement, and stands before it: a verdict knows of it."""
    lookout = folder._watch._watcher._lookout
    monkeypatch.setattr(lookout, "touches", list)
    project.write("src/app.py", "unseen\n")
    folder.measuring.ask(Measure("claim", 7, time.time()))
    *before, measured = folder.settle()
    assert [one.file for one in before] == ["src/app.py"]
    assert (measured.when, measured.changed) == ("claim", True)


def test_a_commit_is_measured_without_being_asked(project, folder, clock):
    """A commit changes no file, but a measurement is made, and told since it says something new."""
    project.git("commit", "-q", "--allow-empty", "-m", "empty")
    clock.now += OFTEN

    def told():
        folder.look(0)
        return [one for one in folder.news() if one.when == "turn"]

    (event,) = until(told)
    assert (event.since_start, event.kinds, event.about) == (True, ("history",), -1)


def test_what_changed_while_it_was_measured_is_measured_again(project, folder, clock):
    """A file that changed after it was read, but before that was told, does not wait for somebody to ask."""
    real = folder.measuring.told

    def late(measurement):
        project.write("src/app.py", "meanwhile\n")
        folder._watch.settle()
        real(measurement)

    folder.measuring.told = late
    folder.measuring.ask(Measure("claim", 7, time.time()))
    *changes, measured = folder.settle()
    # Emptied and filled, one write may be told as two changes.
    assert ({one.file for one in changes}, measured.changed) == ({"src/app.py"}, False)
    assert measured.began <= changes[0].at
    folder.measuring.told = real
    folder.look(0)
    folder.measuring.settle()
    assert folder.news() == []
    clock.now += OFTEN
    folder.look(0)
    folder.measuring.settle()
    (again,) = folder.news()
    assert (again.when, again.changed) == ("turn", True)


def test_one_that_says_nothing_new_is_not_told(project, folder, clock):
    """At the end of a turn in which nothing changed a measurement is made, and nothing is told of it."""
    measured = []
    told = folder.measuring.told
    folder.measuring.told = lambda one: (told(one), measured.append(one))
    clock.now += OFTEN
    folder.look(1)
    assert folder.settle() == []
    assert len(measured) == 1
    folder.look(2)
    assert folder.settle() == []
    assert len(measured) == 1, "not twice within half a minute"
    clock.now += OFTEN
    folder.look(2)
    assert folder.settle() == []
    assert len(measured) == 2


def test_a_folder_at_rest_is_measured(project, folder, clock):
    """A while after the last change the exact answer is asked for, and told."""
    project.write("new.txt", "new\n")
    (seen,) = folder.settle()
    assert seen.file == "new.txt"
    clock.now += OFTEN
    folder.look(0)
    (event,) = folder.settle()
    assert (event.when, event.since_start, event.files) == ("turn", True, ("new.txt",))


def test_nobody_looks_and_it_is_measured_half_as_often(project, folder, clock):
    """What nobody asked for waits twice as long while nobody looks; what a claim asks for is measured all the same."""
    measured = []
    told = folder.measuring.told
    folder.measuring.told = lambda one: (told(one), measured.append(one))
    clock.now += OFTEN
    folder.look(1, slowed=2)
    assert folder.settle() == []
    assert measured == []
    folder.measuring.ask(Measure("claim", 7, time.time()))
    (claim,) = folder.settle()
    assert (claim.when, claim.about, len(measured)) == ("claim", 7, 1)
    clock.now += 2 * OFTEN
    folder.look(2, slowed=2)
    folder.settle()
    assert len(measured) == 2


def test_one_that_takes_long_is_made_less_often():
    """At most a fiftieth of the time goes into measurements that nobody asked for."""
    reconciling = Reconciling()
    reconciling.measure(100.0)
    reconciling.turn(1)
    assert reconciling.due(100.0 + OFTEN, took=0.5)
    assert not reconciling.due(100.0 + OFTEN, took=2.0)
    assert reconciling.due(100.0 + 2.0 * SHARE, took=2.0)


def test_why_nothing_can_be_compared(project, private_home):
    """Without a folder, without a watch, before the start is measured: each has its reason."""
    assert ProjectFolder(None, None).no_diff == UNKNOWN
    finished = ProjectFolder(Measuring(project.path), None)
    assert finished.no_diff == UNWATCHED
    assert finished.differences().why == UNWATCHED
    live = LiveFolder(project.path, run="a run", state=state_folder())
    assert live.no_diff == "the folder is still being measured"
    live.close()
