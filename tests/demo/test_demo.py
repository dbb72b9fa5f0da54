from __future__ import annotations

import io
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from told import decoded

from monitor import events
from monitor.demo.agent import Interrupted, run
from monitor.demo.files import FILES, TEXTS
from monitor.demo.project import scratch_project

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


def _command(project, *more):
    return [sys.executable, "-m", "monitor.demo.agent", str(project), *more]


@contextmanager
def _running(project):
    """The agent as a process of its own at its normal pace, until it has told of the prompt."""
    with subprocess.Popen(_command(project), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            head = b""
            while b'"Prompted"' not in head:
                line = process.stdout.readline()
                assert line, process.stderr.read()
                head += line
            yield process, head
        finally:
            process.kill()


def test_the_agent_speaks_only_the_event_vocabulary(project):
    """Run as a program, every line it prints is a valid event that an agent may tell, and it ends well."""
    ended = subprocess.run(_command(project, "--fast"), cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    told = decoded(ended.stdout)
    assert isinstance(told[0], events.RunStarted)
    assert isinstance(told[-1], events.RunEnded)
    assert told[-1].status == "completed"
    assert {type(event) for event in told} >= {
        events.Prompted, events.Thought, events.Said, events.ToolCalled, events.ToolReturned, events.ReplyEnded,
        events.RequestEnded, events.Used, events.Noticed,
    }  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_a_last_word(project, number):
    """Interrupted, it tells that it was, in whole lines, and exits as a shell expects."""
    with _running(project) as (process, head):
        process.send_signal(number)
        rest, errors = process.communicate(timeout=PATIENCE)
    told = decoded(head + rest)
    assert isinstance(told[-1], events.RunEnded)
    assert (told[-1].status, told[-1].reason) == ("interrupted", number.name)
    assert (process.returncode, told[-1].exit, errors) == (128 + number, 128 + number, b"")


def test_wherever_it_is_interrupted_no_call_stays_open(scratch):
    """Interrupted early, midway or late, the story leaves whole lines, a result for each call, and a last word."""
    unmade = 0
    for step in [*range(0, 120, 3), *range(120, 230, 37)]:
        out, left = io.BytesIO(), iter(range(step))

        def rest(_, left=left):
            if next(left, None) is None:
                raise Interrupted(signal.SIGINT)

        with scratch_project() as project:
            assert run(project, out, rest) == 130
        told = decoded(out.getvalue())
        calls = [event.call for event in told if isinstance(event, events.ToolCalled)]
        results = [event for event in told if isinstance(event, events.ToolReturned)]
        assert [event.call for event in results] == calls
        unmade += sum(event.outcome == "not_executed" for event in results)
        assert isinstance(told[-1], events.RunEnded)
    assert unmade


def test_when_nobody_listens_it_ends_quietly(project):
    """When its output is closed it ends by itself, without a word of complaint."""
    with _running(project) as (process, _):
        process.stdout.close()
        assert process.wait(PATIENCE) == 128 + signal.SIGPIPE
        assert process.stderr.read() == b""


def test_without_an_output_it_ends_quietly(project):
    """Started with its output closed it does nothing and says nothing."""
    words = ["sh", "-c", 'exec "$@" >&-', "sh", *_command(project)]
    ended = subprocess.run(words, cwd=ROOT, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGPIPE, b"")
    assert (project / TEXTS).read_text() == FILES[TEXTS]


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path):
    """Without its project it prints one line on stderr and exits 2."""
    words = _command(tmp_path / "nowhere", "--fast")
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "is no folder" in ended.stderr
