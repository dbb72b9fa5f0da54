"""What is asked again and again for what is new, though the clocks of file systems are coarse."""

from __future__ import annotations

import os
import time

import pytest
from opencode_database import Database
from opencode_logs import SESSION
from openhands_folder import ID, Talk

from monitor.agents import folders
from monitor.agents.opencode.rows import SessionRows
from monitor.agents.openhands.kept import KeptEvents


def conversation(tmp_path):
    talk = Talk(tmp_path / ID)
    talk.said("Mend it")
    return KeptEvents(talk.folder), talk.folder / "events"


def database(tmp_path):
    made = Database(tmp_path / "opencode.db")
    made.session()
    made.close()
    return SessionRows(made.path, SESSION), made.path


@pytest.mark.parametrize("made", [conversation, database])
def test_once_more_when_it_has_settled(tmp_path, monkeypatch, made):
    """What comes in the very moment of a look shows by no time of change: it is asked for once more, and only once."""
    asked, path = made(tmp_path)
    now = time.time_ns()
    os.utime(path, ns=(now, now))
    stamps = []
    for seconds in (0.1, 0.5, 10, 20):
        monkeypatch.setattr(folders.time, "time_ns", lambda ahead=seconds: now + int(ahead * 10**9))
        stamps.append(asked.stamp())
    assert stamps[0] == stamps[1] != stamps[2] == stamps[3]
