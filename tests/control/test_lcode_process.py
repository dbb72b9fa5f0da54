"""Which process works on a session of lcode: certain, or left unknown with the reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack, nullcontext
from pathlib import Path

import pytest
from kept_runs import receipts
from waiting import until

from monitor.actions import Action
from monitor.agents.lcode.find import LcodeRun
from monitor.agents.lcode.process import (
    NOBODY_WRITES,
    NONE,
    SEVERAL,
    SEVERAL_WRITE,
    SHARED,
    UNREADABLE,
    WINDOW,
    working,
    writing,
)
from monitor.reaching import channel_of


class Lcodes:
    """Programs called lcode that do nothing, and sessions as lcode saves them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.folder.mkdir()
        self._sessions = folder / "sessions"
        self._sessions.mkdir()
        self._program = folder / "lcode"
        self._program.write_text("import time\nprint('{}', flush=True)\ntime.sleep(300)\n")
        self._began = ExitStack()

    def begin(self, *words: str, output: Path | None = None) -> int:
        """One that runs in the project's folder."""
        command = [sys.executable, str(self._program), *words]
        with output.open("wb") if output else nullcontext(subprocess.PIPE) as out:
            process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out)
        self._began.enter_context(process)
        self._began.callback(process.kill)
        if output is not None:
            until(lambda: output.stat().st_size)
        else:
            assert process.stdout is not None
            process.stdout.readline()
        return process.pid

    def session(self, chance: str = "2ef5b6", *, later: float = 0.0, said: str = "Rename it", cwd: str = "") -> Path:
        """A session that was named now, or so many seconds later."""
        name = time.strftime("%Y%m%d-%H%M%S", time.localtime(time.time() + later))
        path = self._sessions / f"{name}-{chance}.json"
        told = {"cwd": cwd or str(self.folder), "messages": [{"role": "user", "content": said}]}
        path.write_text(json.dumps(told))
        return path

    def close(self) -> None:
        self._began.close()


@pytest.fixture
def lcodes(tmp_path):
    """Ended with the test."""
    made = Lcodes(tmp_path)
    yield made
    made.close()


def test_the_only_one_that_fits_is_found_and_ended(lcodes):
    """Begun in the session's folder at its moment with its prompt, it is the one; SIGINT ends it, and the resume is told."""
    pid = lcodes.begin("-p", "Rename it")
    path = lcodes.session()
    found, why = working(path)
    assert found is not None
    assert (found.pid, why) == (pid, "")
    channel = channel_of(LcodeRun(path, "session", path.name))
    assert channel.can("abort") == ""
    assert [row.pid for row in channel.plan().processes] == [pid]
    assert "--resume" in channel.can("feedback")
    channel.send(Action("1", "abort"))
    told = receipts(channel, "1", ("done", "failed"))
    assert told[-1].receipt == "done"
    assert f"SIGINT sent to {pid}" in told[-1].evidence
    channel.close()


def test_one_that_is_named_on_the_command_line(lcodes):
    """A session that a command line resumes is that process's, whenever it was begun; two of them are one too many."""
    path = lcodes.session(later=-90_000)
    lcodes.begin("-p", "Go on")
    assert working(path) == (None, NONE)
    pid = lcodes.begin("-p", "Go on", f"--resume={path.stem}")
    found, _ = working(path)
    assert found is not None
    assert found.pid == pid
    lcodes.begin("--resume", path.stem)
    assert working(path) == (None, SEVERAL)


@pytest.mark.parametrize(
    "words",
    [
        ("acp",),
        ("-c",),
        ("--continue",),
        ("--resume", "20200101-000000-aaaaaa"),
        ("-p", "Another prompt"),
        ("-r", ".."),
    ],
    ids=" ".join,
)
def test_what_works_on_another_session_is_not_taken_for_it(lcodes, words):
    """An editor's agent, one that goes on with another session, another prompt, another folder: none of them."""
    lcodes.begin(*words)
    assert working(lcodes.session()) == (None, NONE)


def test_what_is_not_certain_is_said(lcodes, tmp_path):
    """Two that fit, a second session of the same moment, a session of another moment, or one that cannot be read."""
    lcodes.begin("-p", "Rename it")
    assert working(lcodes.session("aaaaaa", later=WINDOW + 30)) == (None, NONE)
    assert working(lcodes.session("aaaaab", later=-30)) == (None, NONE)
    first, second = lcodes.session("bbbbbb"), lcodes.session("bbbbbc")
    assert working(first) == working(second) == (None, SHARED)
    second.write_text(json.dumps({"cwd": str(tmp_path), "messages": []}))
    assert working(first)[1] == "", "a session of another folder shares nothing"
    second.write_text("{")
    assert working(first) == (None, SHARED), "one that cannot be read might be of this folder"
    second.unlink()
    lcodes.begin()
    assert working(first) == (None, SEVERAL)
    first.write_text("{")
    assert working(first) == (None, UNREADABLE)


def test_who_writes_a_stream(lcodes, tmp_path):
    """A stream of events in a file is of the lcode whose standard output it is; nobody's, or two's, is left alone."""
    stream, other = tmp_path / "stream.jsonl", tmp_path / "other.jsonl"
    other.touch()
    pid = lcodes.begin("-p", "x", output=stream)
    found, _ = writing(stream)
    assert found is not None
    assert found.pid == pid
    assert writing(other) == (None, NOBODY_WRITES)
    assert writing(tmp_path / "missing") == (None, NOBODY_WRITES)
    channel = channel_of(LcodeRun(stream, "stream", "stream.jsonl"))
    assert channel.can("abort") == ""
    lcodes.begin("-p", "y", output=stream)
    assert writing(stream) == (None, SEVERAL_WRITE)


def test_other_users_and_programs_are_left_alone(lcodes, monkeypatch):
    """A program that is not lcode, and an lcode of another user, is no candidate."""
    lcodes.begin("-p", "Rename it")
    path = lcodes.session()
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert working(path) == (None, NONE)
