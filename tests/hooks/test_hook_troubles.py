"""The hook program where something around it is broken or gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hook_calls import SESSION, WORDS, event, run, told

from monitor.hooks import program
from monitor.hooks.places import command, mail


@pytest.mark.parametrize(
    "data", [b"", b"no JSON", SESSION.encode(), b'["' + SESSION.encode() + b'"]', b"\xff" + SESSION.encode()]
)
def test_broken_input_is_silence(box, data):
    """With letters in the box, what is no event takes none of them."""
    box.leave("words", WORDS, "text")
    assert told(data) is None
    assert [one.event for one in box.letters()] == [""]


def test_what_cannot_be_said_is_put_back(box):
    """An agent that closed the program's output gets the letter with the next event."""
    box.leave("words", WORDS, "text")
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(["/bin/sh", "-c", command("claude")], stdin=subprocess.PIPE, stdout=writing) as process:
        os.close(writing)
        process.communicate(event("PreToolUse"))
    assert process.returncode == 0
    assert told(event("PreToolUse")) is not None


def test_a_program_that_is_gone_refuses_nothing(monkeypatch, tmp_path):
    """Python ends with 2 for a missing file, which an agent takes for a refusal: the command ends with 0."""
    monkeypatch.setattr(program, "__file__", str(tmp_path / "gone" / "program.py"))
    for agent in ("claude", "lcode"):
        assert run(event("PreToolUse"), agent).returncode == 0
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    monkeypatch.setattr(program, "__file__", __file__)
    for agent in ("claude", "lcode"):
        assert run(event("PreToolUse"), agent).returncode == 0


def test_nobody_answers_for_a_monitor_that_is_gone(box):
    """The lock of a monitor that died is free: the hook does not wait, and asks nothing more."""
    box.arm({"wait": 8.0, "again": False})
    os.close(box._lock)
    box._lock = os.open(os.devnull, os.O_RDONLY)
    assert told(event("Stop", last_assistant_message="Done.")) is None
    assert box.asked() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_box_that_cannot_be_written_is_silence(box):
    """Where no letter can be taken, none is handed over."""
    box.leave("words", WORDS, "text")
    folder = mail("claude") / SESSION
    folder.chmod(0o500)
    try:
        assert told(event("PreToolUse")) is None
    finally:
        folder.chmod(0o700)


def test_a_disk_that_takes_nothing_holds_nothing_up(box):
    """Words are handed over without writing; a question that cannot be written is not asked, and the agent may stop."""
    shell = f"ulimit -f 0; {command('claude')}"
    full = ["/bin/sh", "-c", shell]
    box.arm({"wait": 8.0, "again": False})
    done = subprocess.run(full, input=event("Stop", last_assistant_message="Done."), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    box.leave("words", WORDS, "text")
    done = subprocess.run(full, input=event("PostToolUse"), capture_output=True, check=False)
    assert json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] == "text"


def test_a_state_that_cannot_be_read_is_silence():
    """A file where a box should be, or no folder of boxes at all."""
    (mail("claude") / SESSION).write_text("no folder")
    assert told(event("PreToolUse")) is None
    (mail("claude") / SESSION).unlink()
    gone = ["/bin/sh", "-c", command("claude")]
    mail("claude").rmdir()
    done = subprocess.run(gone, input=event("PreToolUse"), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
