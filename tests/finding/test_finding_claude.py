"""Claude Code's sessions as they are listed."""

from __future__ import annotations

import json
import sys

import pytest
from found_machine import OTHER, SESSION, Pretended, look, one, register, row, sleeper, transcript

from monitor.agents.claude.about import about
from monitor.agents.listed import Program

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process's start time so")


def test_a_finished_session(private_home):
    """Its folder, first prompt and version come from its head; it ended, since no running process names it."""
    path = transcript(private_home)
    found = one(look())
    assert (found.agent, found.session, found.path, found.state) == ("claude", SESSION, path, "ended")
    assert (found.folder, found.title, found.version) == ("/home/mara/src/notes", "Add the German strings", "2.1.332")
    assert found.how == "no running process names this session"
    assert found.began == 1795878000.0


@linux
@pytest.mark.parametrize(
    ("status", "state"), [("busy", "live"), ("idle", "idle"), ("waiting", "waiting"), ("new", "live")]
)
def test_a_live_session(private_home, tmp_path, status, state):
    """What its verified process says of itself is its state; the process's own folder goes before the log's word."""
    transcript(private_home)
    with sleeper(tmp_path / "work") as process:
        register(private_home, process.pid, status=status)
        found = one(look())
    assert (found.state, found.pid, found.folder) == (state, process.pid, str(tmp_path / "work"))
    assert found.how == f"process {process.pid} says {status} of itself"


@linux
def test_a_file_that_says_busy_over_a_dead_process(private_home, tmp_path):
    """Killed, its file stays and still says busy: it is not running, and that is said."""
    transcript(private_home)
    with sleeper(tmp_path / "work") as process:
        register(private_home, process.pid)
    found = one(look())
    assert (found.state, found.pid) == ("ended", None)
    assert found.how == f"its process {process.pid} is gone, though its file still says busy"


@linux
def test_another_process_under_the_same_number(private_home, tmp_path):
    """A process that began at another time is not the session's, whatever its number."""
    transcript(private_home)
    with sleeper(tmp_path / "work") as process:
        register(private_home, process.pid, procStart="12345")
        assert one(look()).state == "ended"


def test_a_session_of_a_container(private_home):
    """Where the number belongs to another namespace, nobody here knows."""
    transcript(private_home)
    register(private_home, 1, pidDomain="linux:abc:pid:[1]")
    found = one(look())
    assert (found.state, found.how) == ("unknown", "process 1 carries it in another container")


@linux
def test_a_process_that_has_written_nothing_yet(private_home, tmp_path):
    """It is listed, and there is nothing to open."""
    with sleeper(tmp_path / "work") as process:
        register(private_home, process.pid, status="idle")
        found = one(look())
    assert (found.state, found.path, found.folder) == ("idle", None, str(tmp_path / "work"))
    assert "has written no transcript yet" in found.how


def test_a_process_that_names_no_session(private_home):
    """It may be the one that works on it: that is not known, and said with the process."""
    path = transcript(private_home)
    begun = path.stat().st_mtime - 60
    running = Pretended({"claude": [Program(77, begun, "/home/mara/src/notes")]})
    found = one(look(running))
    assert (found.state, found.pid, found.alive) == ("unknown", 77, True)
    elsewhere = Pretended({"claude": [Program(77, begun, "/home/mara/src/other")]})
    assert one(look(elsewhere)).state == "ended"
    later = Pretended({"claude": [Program(77, begun + 3600, "/home/mara/src/notes")]})
    assert one(look(later)).state == "ended"


def test_titles():
    """A title that a person gave goes first, then a made one, then the first prompt, then the last."""
    first = row(SESSION, "the first prompt").encode()
    made = json.dumps({"type": "ai-title", "aiTitle": "made", "sessionId": SESSION}).encode() + b"\n"
    given = json.dumps({"type": "custom-title", "customTitle": "given", "sessionId": SESSION}).encode() + b"\n"
    last = json.dumps({"type": "last-prompt", "lastPrompt": "asked last", "sessionId": SESSION}).encode() + b"\n"
    assert about(first, first).title == "the first prompt"
    assert about(first + made, first + made).title == "made"
    assert about(given + first + made, given + first + made).title == "given"
    assert about(b"", b"cut\n" + last).title == "asked last"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("<local-command-stdout>x</local-command-stdout>", ""),
        ("<command-name>/review</command-name>", "/review"),
        ("Caveat: The messages below were generated", ""),
        ("\n  two\nlines", "two"),
        ("a \x1b[31mred\x07 one", "a ␛[31mred␇ one"),
    ],
)
def test_what_is_no_prompt(text, title):
    """What the harness says is no title; a title is one clean line."""
    line = row(SESSION, text).encode()
    assert about(line, line).title == title


def test_what_is_no_transcript(private_home):
    """A file that only has the name, a broken line and an empty file are no runs."""
    transcript(private_home, SESSION, "no json\n")
    transcript(private_home, OTHER, "")
    assert look().runs == ()
