"""The files in which processes name their sessions: read once for all who ask, and never taken for older than they are."""

from __future__ import annotations

import json
import os

import pytest
from claude_lines import OTHER, SESSION, prompt, write
from waiting import until

from monitor.agents.claude import process, session
from monitor.agents.claude.find import FINDER

LONG_AGO = (10**18, 10**18)


def register(named, status="busy", **more):
    told = {"pid": named, "sessionId": SESSION, "procStart": "1", "status": status} | more
    path = process.config_folder() / "sessions" / f"{named}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told))
    return path


def names(found):
    return [path.name for path in process.registrations(found)]


@pytest.fixture
def looked(monkeypatch):
    """The folders that were looked over."""
    folders = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: folders.append(str(path)) or scandir(path))
    return folders


def test_twenty_sessions_look_the_folder_over_once(looked):
    """However many sessions are followed, the files are gone through once for all; a new one is seen at once."""
    sessions = [f"{number:08x}-1111-4222-8333-000000000001" for number in range(20)]
    for number, name in enumerate(sessions):
        path = register(100_000 + number, sessionId=name)
    os.utime(path.parent, ns=LONG_AGO)
    assert [names(one) for one in sessions] == [[f"{100_000 + number}.json"] for number in range(20)]
    assert looked == [str(path.parent)]
    register(200_000, sessionId=sessions[0])
    assert names(sessions[0]) == ["100000.json", "200000.json"]
    assert looked == [str(path.parent)] * 2


def test_a_file_that_stands_still_is_not_opened_again(monkeypatch):
    """What it says is read once, and again only when the file is another."""
    path = register(100_000)
    os.utime(path, ns=LONG_AGO)
    opened = []
    read = process.read_head
    monkeypatch.setattr(process, "read_head", lambda path, most: opened.append(path) or read(path, most))
    for _ in range(5):
        assert names(SESSION) == ["100000.json"]
        process.carriers()
    assert len(opened) == 1
    register(100_000, status="idle")
    assert names(SESSION) == ["100000.json"]
    assert len(opened) > 1


def test_a_file_that_is_rewritten_names_another_session():
    """A process that goes over to another session is its process from then on, and the former one's no more."""
    path = register(100_000)
    os.utime(path.parent, ns=LONG_AGO)
    assert names(SESSION) == ["100000.json"]
    register(100_000, sessionId=OTHER)
    assert names(SESSION) == []
    until(lambda: names(OTHER) == ["100000.json"])


def test_transcripts_beside_are_gone_through_when_one_has_come(looked):
    """The folder of transcripts is looked over again only where something came into it."""
    folder = process.config_folder() / "projects" / "-home-dev-app"
    found = FINDER.open(write(folder / f"{SESSION}.jsonl", prompt("go")))
    os.utime(folder, ns=LONG_AGO)
    for _ in range(3):
        assert len(found.inputs()) == 1
    assert looked.count(str(folder)) == 1
    write(folder / "agent-a1.jsonl", prompt("look", agent="a1", isSidechain=True))
    assert [one.role for one in found.inputs()] == ["transcript", "subagent"]


def test_one_that_does_not_tell_its_session_yet_is_asked_again(looked):
    """A sub-agent's file that is still empty is read once it says whose it is."""
    folder = process.config_folder() / "projects" / "-home-dev-app"
    found = FINDER.open(write(folder / f"{SESSION}.jsonl", prompt("go")))
    path = write(folder / "agent-a1.jsonl")
    os.utime(folder, ns=LONG_AGO)
    assert len(found.inputs()) == 1
    path.write_bytes(write(folder / "other", prompt("look", agent="a1", isSidechain=True)).read_bytes())
    (folder / "other").unlink()
    os.utime(folder, ns=LONG_AGO)
    assert len(found.inputs()) == 2
    assert session.changed(folder) == LONG_AGO[1]
