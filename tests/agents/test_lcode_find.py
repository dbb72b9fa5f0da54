"""How lcode's runs are found."""

from __future__ import annotations

import json
import os

import pytest
from lcode_logs import ID, assistant, ended, file_events, line, of, reply, result, session, start, user

from monitor.agents.lcode.decode import RESULT, SESSION, STREAM
from monitor.agents.lcode.find import FINDER
from monitor.events import RequestEnded, RunStarted

OTHER = "20261130-073803-2b5e1f"
MESSAGES = (user("Mend it"), assistant(text="Done."))


@pytest.fixture(autouse=True)
def no_folder_of_anybodys(monkeypatch):
    """No session of the person who runs the tests is looked at."""
    monkeypatch.delenv("LCODE_HOME", raising=False)


def role(found):
    return found and (found.inputs()[0].role, found.inputs()[0].shape)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (start() + b"\n" + reply(text="x") + b"\n", (STREAM, "lines")),
        (b"\n" + result("bash", "x") + b"\n", (STREAM, "lines")),
        (ended() + b"\n", (STREAM, "lines")),
        (line("result", status="error", error="no server") + b"\n", (STREAM, "lines")),
        (start() + b"\n" + b"x" * (1 << 17), (STREAM, "lines")),
        (line("assistant", text="x" * (1 << 17), tool_calls=[]) + b"\n", (STREAM, "lines")),
        (session(*MESSAGES), (SESSION, "document")),
        (json.dumps(json.loads(session(*MESSAGES)), indent=1, sort_keys=True).encode(), (SESSION, "document")),
        (session(user("x" * (1 << 20))), (SESSION, "document")),
        (json.dumps(json.loads(ended()), indent=2).encode(), (RESULT, "document")),
    ],
)
def test_its_files_are_known_by_what_they_hold(tmp_path, data, expected):
    """Whatever the name, and where it is longer than what is looked at."""
    (tmp_path / "some.log").write_bytes(data)
    found = FINDER.open(tmp_path / "some.log")
    assert role(found) == expected
    assert found is not None
    assert (found.agent, found.title, found.alive(), found.project()) == ("lcode", "some.log", None, None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"text\n",
        b"[1]",
        b'{"type": "assistant", "message": {"content": []}}\n',
        b'{"type": "result", "subtype": "success", "result": "x"}\n',
        b'{"type": "start"}\n',
        b'{"cwd": "/p", "model": "m", "messages": []}',
        b'{"messages": [], "trajectory_format": "x"}',
        b'{"jsonrpc": "2.0", "method": "session/update"}\n',
    ],
)
def test_what_is_not_its_own_is_left_alone(tmp_path, data):
    """Other agents write lines with a type too."""
    (tmp_path / "out.jsonl").write_bytes(data)
    assert FINDER.open(tmp_path / "out.jsonl") is None
    assert not FINDER.sniff(data)


def test_what_cannot_be_opened_is_no_run(tmp_path):
    """Missing, a folder of something else, a named pipe: nothing is found, and nothing is waited for."""
    os.mkfifo(tmp_path / "pipe")
    assert FINDER.open(tmp_path / "none") is None
    assert FINDER.open(tmp_path) is None
    assert FINDER.open(tmp_path / "pipe") is None


def test_a_session_is_named_by_its_file(tmp_path):
    """The id stands in the name alone; in a copy of another name there is none."""
    for name, expected in ((f"{ID}.json", ID), ("copy.json", "")):
        (tmp_path / name).write_bytes(session(*MESSAGES))
        found = FINDER.open(tmp_path / name)
        assert found is not None
        events = file_events(found)
        assert [one.session for one in of(events, RunStarted)] == [expected]
        assert [one.text for one in of(events, RequestEnded)] == ["Done."]
        assert found.title == expected or name


def saved(folder, *ids):
    folder.mkdir(parents=True)
    for number, one in enumerate(ids):
        (folder / f"{one}.json").write_bytes(session(*MESSAGES, title=one))
        os.utime(folder / f"{one}.json", (number, number))
    return folder


def test_a_folder_opens_its_newest_session(tmp_path):
    """Lcode's own folder, or that of its sessions; a session half written beside it is not one."""
    folder = saved(tmp_path / "lcode/sessions", OTHER, ID)
    (folder / f".{OTHER}.json.partial").write_bytes(b"{")
    for one in (folder, folder.parent):
        found = FINDER.open(one)
        assert found is not None
        assert found.title == ID


@pytest.mark.parametrize("where", ["home", "LCODE_HOME", "XDG_STATE_HOME"])
def test_a_session_is_found_by_its_id(tmp_path, private_home, monkeypatch, where):
    """In each of the folders that lcode may have been told to use, by a beginning of its id."""
    folder = private_home / ".local/state/lcode/sessions"
    if where == "LCODE_HOME":
        folder = tmp_path / "own/sessions"
        monkeypatch.setenv(where, str(tmp_path / "own"))
    elif where == "XDG_STATE_HOME":
        folder = tmp_path / "state/lcode/sessions"
        monkeypatch.setenv(where, str(tmp_path / "state"))
    saved(folder, OTHER, ID)
    assert [found.title for found in FINDER.named(ID)] == [ID]
    assert [found.title for found in FINDER.named(ID[:18])] == [ID]
    assert sorted(found.title for found in FINDER.named(ID[:15])) == sorted((ID, OTHER))
    for nothing in ("20", "../x", "zzzz", "20261130-073803-167467"):
        assert list(FINDER.named(nothing)) == []


def test_without_any_folder_there_is_no_session(monkeypatch):
    """Nothing is there to look into, and nothing breaks."""
    monkeypatch.setenv("LCODE_HOME", "/nowhere/at/all")
    assert list(FINDER.named(ID)) == []
