"""What belongs to a run among the processes, and is paused with it."""

from __future__ import annotations

import os
import signal

import pytest
from process_trees import alive, begun, commands, grown, tree
from waiting import until

from monitor.processes import table
from monitor.processes.family import Family
from monitor.processes.identity import carries
from monitor.processes.pausing import go_on, is_paused, pause
from monitor.processes.signals import deliver

pytestmark = pytest.mark.skipif(not table.PROC.joinpath("self/stat").exists(), reason="this kernel has no /proc")
SHELLS = "setsid bash -c 'sleep 300 & sleep 300; :' & sleep 300 & wait"
"""A tool's shell in a session of its own with two children, and a child beside it."""


def test_shells_in_sessions_of_their_own_belong_to_the_run():
    """All descendants are found, those in other sessions too, each after its parent."""
    with tree(SHELLS) as process:
        family = grown(process, 5)
        members = family.look()
        assert (members[0].identity.pid, members[0].depth) == (process.pid, 0)
        assert sorted(one.depth for one in members) == [0, 1, 1, 2, 2]
        assert len({one.session for one in members}) == 2


def test_what_outlives_its_shell_is_still_the_runs():
    """A grandchild whose parents were killed is reparented and goes on; it is still known, by session and by sight."""
    with tree(SHELLS) as process:
        family = grown(process, 5)
        shell = next(one for one in family.look() if one.depth == 1 and one.session != process.pid)
        os.kill(shell.identity.pid, signal.SIGKILL)
        until(lambda: not alive(shell.identity.pid))
        process.kill()
        process.wait()
        assert commands(family) == ["sleep 300"] * 3
        os.kill(family.look()[0].identity.pid, signal.SIGKILL)
        until(lambda: len(family.look()) == 2)


def test_an_orphan_never_seen_is_known_by_its_session():
    """What a dead shell of the run left in the run's session is found, though it was never seen as a child."""
    with tree("setsid bash -c '(sleep 1; (sleep 300 &) ) & sleep 300; :' & sleep 300") as process:
        family = grown(process, 5)
        until(lambda: sum(one.identity.command == "sleep 300" for one in family.look()) == 3)
        orphan = next(
            one
            for one in family.look()
            if one.identity.command == "sleep 300" and one.depth == 1 and one.session != process.pid
        )
        entry = table.read(orphan.identity.pid)
        assert entry is not None
        assert entry.parent not in {one.identity.pid for one in family.look()}


def test_a_daemon_is_known_by_the_runs_mark():
    """One that left parents and session before anybody looked is known by the mark in its environment; without it, not."""
    script = "setsid bash -c 'setsid sleep 300 &' & sleep 0.2; sleep 300; :"
    mark = "MONITOR_TEST_MARK=7f3a"
    with tree(script, mark=mark) as process:
        until(lambda: sum(one.startswith("sleep 300") for one in commands(Family(begun(process), mark))) == 2)
        assert sum(one.startswith("sleep 300") for one in commands(Family(begun(process)))) == 1
        assert carries(process.pid, mark)
        assert not carries(process.pid, "MONITOR_TEST_MARK=7f")


def test_neighbours_in_the_users_own_session_are_not_the_runs():
    """What merely shares the session in which the user started the agent is not touched."""
    with tree("sleep 300 & bash -c 'sleep 301; :' & wait") as shell:
        family = grown(shell, 4)
        agent = next(one for one in family.look() if one.identity.command.startswith("bash") and one.depth == 1)
        of_agent = Family(agent.identity)
        assert [one.identity.command for one in of_agent.look()][1:] == ["sleep 301"]


def test_pause_and_continue_reach_them_all():
    """Paused, all processes stand still, those in other sessions too; continued, all go on."""
    with tree(SHELLS) as process:
        family = grown(process, 5)
        stands, words = pause(family)
        assert stands
        assert words.startswith("5 processes stand still")
        assert {one.state for one in family.look()} == {"T"}
        assert is_paused(family.look())
        goes, words = go_on(family)
        assert goes
        assert words.startswith("5 processes go on")
        until(lambda: "T" not in {one.state for one in family.look()})


def test_nothing_is_paused_where_nothing_runs():
    """A run whose process is gone is neither paused nor continued."""
    with tree("sleep 300; :") as process:
        family = grown(process, 2)
        os.kill(family.look()[1].identity.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        assert pause(family) == (False, "no processes stand still; clocks and connections of the agent go on")
        assert go_on(family) == (False, "it is gone")


def test_a_process_that_is_slow_to_stop_is_waited_for(monkeypatch):
    """On a busy system what was told to stand may go on for a moment: it is counted once it stands, not before."""
    with tree(SHELLS) as process:
        family = grown(process, 5)
        told, looks, look = [], [], family.look

        def looked():
            looks.append(1)
            for identity in told if len(looks) > 6 else ():
                deliver(identity, signal.SIGSTOP)
            return look()

        monkeypatch.setattr(family, "look", looked)
        monkeypatch.setattr("monitor.processes.pausing.deliver", lambda identity, _: told.append(identity) or "")
        stands, words = pause(family)
        assert stands
        assert words.startswith("5 processes stand still")
        assert {one.state for one in look()} == {"T"}
        assert len(told) == 5
