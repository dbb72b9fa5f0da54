"""Stopping a run step by step, on real processes."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest
from process_trees import alive, begun, climbed, grown, tree
from waiting import until

from monitor.processes import table
from monitor.processes.family import Family
from monitor.processes.ladder import Ladder
from monitor.processes.plan import DEAF, plan

pytestmark = pytest.mark.skipif(not table.PROC.joinpath("self/stat").exists(), reason="this kernel has no /proc")

SHELLS = "setsid bash -c 'sleep 300 & sleep 300; :' & sleep 300 & wait"
DEAF_SHELL = "trap '' INT; sleep 300; :"
STUBBORN = "trap '' INT TERM; sleep 300; :"


class Clock:
    """A clock that the test turns."""

    def __init__(self):
        self.now = time.time()

    def __call__(self):
        return self.now


def test_a_plan_says_what_would_end_and_how():
    """The plan lists each process with its age and depth, and each step; nothing is done."""
    with tree(SHELLS) as process:
        members = grown(process, 5).look()
        made = plan(members, time.time() + 47, protocol="interrupt by its protocol", deaf=False, upto="terminate")
        assert [row.depth for row in made.processes] == [0, 1, 1, 2, 2]
        assert made.processes[0].pid == process.pid
        assert all(47 <= row.took < 47 + 60 for row in made.processes)
        assert [(step.force, step.asked) for step in made.steps] == [
            ("ask", False), ("interrupt", False), ("terminate", False), ("kill", True),
        ]  # fmt: skip
        assert len(grown(process, 5).look()) == 5
        deaf = plan(members, time.time(), deaf=True)
        assert next((step.force, step.skipped) for step in deaf.steps) == ("interrupt", DEAF)


def test_a_plan_of_nothing():
    """Without processes there is nothing to end."""
    assert plan((), 0.0).processes == ()


def test_an_interrupt_ends_the_agent_and_what_it_leaves_behind():
    """SIGINT ends the agent; its shells, which survive it in their own sessions, are ended too and named."""
    with tree(SHELLS) as process:
        family = grown(process, 5)
        pids = [one.identity.pid for one in family.look()]
        ladder = Ladder(family)
        ladder.climb("interrupt")
        standing = climbed(ladder, lambda one: one.over)
        assert f"SIGINT sent to {process.pid}" in standing.words
        assert "SIGTERM sent to what it left behind" in standing.words
        assert "5 processes ended" in standing.words
        assert not any(alive(pid) for pid in pids)


def test_one_that_ignores_the_interrupt_is_only_terminated_when_asked():
    """A process that ignores SIGINT gets none, which is said; SIGTERM comes only after it was asked for."""
    with tree(DEAF_SHELL) as process:
        family = grown(process, 2)
        ladder = Ladder(family)
        ladder.climb("interrupt")
        standing = climbed(ladder, lambda one: one.stuck)
        assert DEAF in standing.words
        assert "SIGINT sent" not in standing.words
        assert "SIGTERM only when it is asked for" in standing.words
        assert (standing.until, standing.then) == (None, "")
        ladder.climb("terminate")
        assert climbed(ladder, lambda one: one.over)


def test_each_step_waits_for_the_one_before():
    """The next step is told with its time, is not taken before, and is taken then."""
    clock = Clock()
    with tree(STUBBORN) as process:
        ladder = Ladder(grown(process, 2), wait=5, clock=clock)
        ladder.climb("kill")
        first = ladder.step()
        assert f"SIGTERM sent to {process.pid}" in first.words
        assert (first.until, first.then) == (clock.now + 5, "SIGKILL")
        clock.now += 4.9
        assert "SIGKILL" not in ladder.step().words
        assert alive(process.pid)
        clock.now += 0.2
        standing = climbed(ladder, lambda one: one.over)
        assert "SIGKILL sent to 2 processes" in standing.words


def test_the_hardest_step_is_never_taken_unasked():
    """One that withstands all that was allowed is left, and named with what could still be done."""
    clock = Clock()
    with tree(STUBBORN) as process:
        ladder = Ladder(grown(process, 2), wait=1, clock=clock)
        ladder.climb("terminate")
        given = ladder.step()
        assert not given.stuck
        assert (given.until, given.then) == (clock.now + 1, "")
        clock.now += 1.1
        standing = ladder.step()
        assert standing.stuck
        assert not standing.over
        assert "2 processes left" in standing.words
        assert standing.words.endswith("SIGKILL only when it is asked for")
        assert alive(process.pid)


def test_the_protocol_comes_first():
    """Asked by its own protocol, it gets no signal while it has time to obey."""
    asked = []

    def ask():
        asked.append(True)
        return "asked by its protocol"

    clock = Clock()
    with tree("sleep 300; :") as process:
        ladder = Ladder(grown(process, 2), ask, wait=5, clock=clock)
        ladder.climb("interrupt")
        assert ladder.step().words.startswith("asked by its protocol")
        assert (ladder.step().until, ladder.step().then) == (clock.now + 5, "SIGINT")
        assert "SIGINT" not in ladder.step().words
        clock.now += 5
        climbed(ladder, lambda one: one.over)
        assert asked == [True]


def test_a_paused_run_can_be_stopped():
    """A run that stands still takes the signal at once: it is made to go on."""
    with tree("sleep 300; :") as process:
        family = grown(process, 2)
        os.kill(process.pid, signal.SIGSTOP)
        until(lambda: family.look()[0].state == "T")
        ladder = Ladder(family)
        ladder.climb("interrupt")
        climbed(ladder, lambda one: one.over)
        assert not alive(process.pid)


def test_a_killing_leaves_nobody_to_start_another():
    """Even a tree that starts new processes all the time is gone after it was killed."""
    script = "trap '' INT TERM; while :; do sleep 0.01; (sleep 300 &) ; done"
    clock = Clock()
    with tree(script, mark="MONITOR_TEST_MARK=fork") as process:
        family = Family(begun(process), "MONITOR_TEST_MARK=fork")
        until(lambda: len(family.look()) > 4)
        ladder = Ladder(family, wait=1, clock=clock)
        ladder.climb("kill")
        ladder.step()
        clock.now += 2
        climbed(ladder, lambda one: one.over)
        assert family.look() == ()


def test_one_that_became_another_program_is_left_alone():
    """When the verified process runs another command by now, neither it nor its children get a signal."""
    clock = Clock()
    with tree("sleep 300; :") as process:
        family = Family(replace(begun(process), command="dirtywork run"))
        until(lambda: len(family.look()) == 2)
        ladder = Ladder(family, wait=1, clock=clock)
        ladder.climb("kill")
        assert "it runs another command now" in ladder.step().words
        clock.now += 2
        assert ladder.step().stuck
        assert alive(process.pid)
        assert len(family.look()) == 2


def test_another_users_process_is_told_and_left(monkeypatch):
    """What runs as another user is told as not touched, and does not keep the abort from being done."""
    with tree("sleep 300 & wait") as process:
        family = grown(process, 2)
        child = family.look()[1].identity.pid
        monkeypatch.setattr(
            "monitor.processes.ladder.untouchable", lambda one: "it belongs to another user" if one.pid == child else ""
        )
        monkeypatch.setattr(
            "monitor.processes.family.untouchable", lambda one: "it belongs to another user" if one.pid == child else ""
        )
        ladder = Ladder(family)
        ladder.climb("interrupt")
        standing = climbed(ladder, lambda one: one.over)
        assert "not touched: sleep 300: it belongs to another user" in standing.words
        assert alive(child)
