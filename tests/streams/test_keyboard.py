"""Giving the keyboard back to a program that something is piped into."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios

import pytest

_SCRIPT = """
import os, sys
from monitor.errors import MonitorError
from monitor.streams.terminal import reclaim_keyboard
{before}
try:
    piped = reclaim_keyboard()
except MonitorError as error:
    print(error.code, error)
else:
    print(os.isatty(0), os.read(piped, 100), os.get_inheritable(piped), os.read(0, 100))
"""


def run(before: str, **more) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(before=before)], capture_output=True, text=True, check=False, **more
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.fixture
def terminal():
    """Both sides of a terminal."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


def _adopt(theirs: int) -> str:
    return f"import fcntl, termios; fcntl.ioctl({theirs}, termios.TIOCSCTTY, 0)"


def test_keys_and_pipe_are_told_apart(terminal):
    """Keys come from the terminal on descriptor 0, the piped bytes from the descriptor returned."""
    ours, theirs = terminal
    os.write(ours, b"key\n")
    out = run(_adopt(theirs), input="piped", start_new_session=True, pass_fds=[theirs])
    assert out == "True b'piped' False b'key\\n'"


def test_nothing_is_piped_in(terminal):
    """With the terminal itself as input there is nothing to read, and it is said how it is meant."""
    _, theirs = terminal
    out = run(_adopt(0), stdin=theirs, start_new_session=True)
    assert out == "2 Nothing is piped in. Use it as: AGENT … | monitor -"


def test_no_input_at_all():
    """A closed descriptor 0 is no pipe."""
    assert run("os.close(0)", stdin=subprocess.DEVNULL).startswith("2 Nothing is piped in")


def test_no_terminal():
    """Without a terminal the command that needs none is named, and nothing was changed."""
    out = run("", input="piped", start_new_session=True)
    assert out.startswith("2 There is no terminal to show the screen on. `monitor watch -` works without one; ")


def test_the_terminal_of_these_tests_is_one(terminal):
    """The terminal the tests above use behaves as one."""
    assert termios.tcgetattr(terminal[1])
