"""A disk that fills up while a run goes on is a trouble of its own on the screen."""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
from kept_runs import kept, python, until

from monitor.journal import Journal
from monitor.launch.launched import LOST
from monitor.opening import supervised
from monitor.supervisor import Supervisor
from monitor.ui.present.facts import facts

SPEAKS = """
import signal, sys, time
def speak(*_): print('{"event": "Said", "text": "%s"}' % " ".join(map(str, range(500))), flush=True)
signal.signal(signal.SIGUSR1, speak)
print('{"event": "RunStarted", "agent": "mine"}', flush=True)
while True: time.sleep(1)
"""
NEVER = resource.RLIM_INFINITY


@contextmanager
def followed(found, journal=None):
    """The run under a supervisor."""
    supervisor = supervised(found, None) if journal is None else Supervisor(found, live=True, journal=journal)
    supervisor.start()
    try:
        until(lambda: supervisor.snapshot.run.agent == "mine" or supervisor.problem)
        assert not supervisor.problem
        yield supervisor
    finally:
        supervisor.close()


def told(supervisor):
    """What stands in the strip beside the verdict."""
    return [words for level, words in facts(supervisor.snapshot, live=True) if level == "warn"]


def room(found, size):
    """How large a file of the keeper's may grow from here on: what is beyond fails, as on a full disk."""
    keeper = json.loads((found.folder / "agent.json").read_bytes())["keeper"]
    _, hard = resource.prlimit(keeper, resource.RLIMIT_FSIZE)
    resource.prlimit(keeper, resource.RLIMIT_FSIZE, (size, hard))


def speak(found):
    """Have the agent, which has begun, say something of about 2,000 bytes."""
    until(lambda: b'"mine"}\n' in (found.folder / "output").read_bytes())
    root = found.identity()
    assert root is not None
    os.kill(root.pid, signal.SIGUSR1)


def test_what_the_agent_says_is_not_kept(tmp_path):
    """While it is so the screen says it with how much is lost, and that there was a gap once there is room again."""
    with kept(python(SPEAKS, listens=False), tmp_path) as found, followed(found) as supervisor:
        assert told(supervisor) == []
        room(found, 1_000)
        speak(found)
        until(lambda: told(supervisor))
        (words,) = told(supervisor)
        assert words.startswith("the disk is full: ")
        assert words.endswith(" bytes of what the agent said are not kept, and not seen here")
        room(found, NEVER)
        speak(found)
        until(lambda: told(supervisor) and told(supervisor)[0].startswith("the disk was full for a while: "))
        lost = json.loads((found.folder / LOST).read_bytes())["lost"]
        assert told(supervisor) == [
            f"the disk was full for a while: {lost:,} bytes of what the agent said are not kept, and not seen here"
        ]
        until(lambda: sum(len(supervisor.rows.row(index).text) for index in range(len(supervisor.rows))) > 100)


def test_no_byte_of_room_is_left(tmp_path):
    """Where not even that can be written down, an empty file says it."""
    with kept(python(SPEAKS, listens=False), tmp_path) as found, followed(found) as supervisor:
        room(found, 0)
        speak(found)
        until(lambda: told(supervisor) == ["the disk is full: what the agent says is not kept, and not seen here"])
        assert (found.folder / LOST).read_bytes() == b""
        room(found, NEVER)


def test_a_later_monitor_knows_of_the_gap(tmp_path):
    """That a part was lost is said too by a monitor that was not there."""
    with kept(python(SPEAKS, listens=False), tmp_path) as found:
        room(found, 1_000)
        speak(found)
        until((found.folder / LOST).exists)
        with followed(found) as supervisor:
            until(lambda: told(supervisor))
            assert "of what the agent said are not kept" in told(supervisor)[0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_the_journal_finds_no_room(tmp_path):
    """That monitor's own record is not complete stands in the same place."""
    journal = Journal(tmp_path / "journal.jsonl", os.open("/dev/full", os.O_WRONLY))
    with kept(python(SPEAKS, listens=False), tmp_path) as found, followed(found, journal) as supervisor:
        until(lambda: told(supervisor))
        assert told(supervisor) == ["the journal could not be written: No space left on device"]


def test_a_run_that_lost_nothing(tmp_path):
    """No file, no trouble; one that holds something else is taken for a loss of unknown size."""
    with kept(python(SPEAKS, listens=False), tmp_path) as found:
        assert found.problem == ""
        (found.folder / LOST).write_text('[1]{"lost": "many"')
        assert found.problem == "the disk is full: what the agent says is not kept, and not seen here"
