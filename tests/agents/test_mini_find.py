"""How mini-swe-agent's trajectories are found."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from mini_logs import HEAD, SUBMIT, document, heard, reply

from monitor.agents.mini_swe_agent.find import FINDER
from monitor.targets import find


@pytest.mark.parametrize(
    "data",
    [
        document(reply("ls")),
        json.dumps(json.loads(document(reply("ls"))), indent=2).encode(),
        json.dumps(json.loads(document(reply("ls"))), sort_keys=True).encode(),
        document(reply("ls"))[:-40],
        json.dumps([HEAD[0] | {"content": f"To finish: {SUBMIT}"}, HEAD[1], reply("ls"), heard("")]).encode(),
    ],
)
def test_a_trajectory_is_known_by_what_it_holds(tmp_path, data):
    """Whatever its name, its order of fields or its spaces; also one that was cut off."""
    path = tmp_path / "x"
    path.write_bytes(data)
    assert find(str(path)).agent == "mini-swe-agent"


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"info": {}}', b"text", b'{"info": 1, "messages": []}'])
def test_other_files_are_not_taken(tmp_path, data):
    """A document of another program is left alone."""
    path = tmp_path / "x.traj.json"
    path.write_bytes(data)
    assert FINDER.open(path) is None


def test_a_file_that_goes_while_its_folder_is_looked_into(tmp_path, monkeypatch):
    """What is there no more once it was looked at hides nothing of what is."""
    for name in ("a.traj.json", "gone.traj.json"):
        (tmp_path / name).write_bytes(document(reply("ls")))
    look = Path.stat

    def stat(path, **more):
        found = look(path, **more)
        if path.name.startswith("gone"):
            path.unlink()
        return found

    monkeypatch.setattr(Path, "stat", stat)
    assert FINDER.open(tmp_path).title == "a.traj.json"


def test_of_a_folder_the_newest(tmp_path):
    """A folder opens as the trajectory written last."""
    for number, name in enumerate(("a.traj.json", "b.traj.json")):
        (tmp_path / name).write_bytes(document(reply("ls")))
        os.utime(tmp_path / name, (number, number))
    assert FINDER.open(tmp_path).title == "b.traj.json"
    assert FINDER.open(tmp_path / "nothing") is None
