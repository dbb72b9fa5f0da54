"""How SWE-agent's trajectories are found."""

from __future__ import annotations

import json

import pytest
from swe_logs import document, step

from monitor.agents.swe_agent.find import FINDER
from monitor.targets import find


@pytest.mark.parametrize(
    "data",
    [
        document(step("ls")),
        json.dumps(json.loads(document(step("ls"))), indent=2).encode(),
        json.dumps(json.loads(document(step("ls"))), sort_keys=True).encode(),
        document(step("ls", "x" * 100_000)),
        document(step("ls"))[:-30],
    ],
)
def test_a_trajectory_is_known_by_what_it_holds(tmp_path, data):
    """Whatever its name, its order of fields or its length; also one that was cut off."""
    path = tmp_path / "x"
    path.write_bytes(data)
    assert find(str(path)).agent == "swe-agent"


@pytest.mark.parametrize("data", [b"", b"{}", b'{"trajectory": [{"step": 1}]}', b"text"])
def test_other_files_are_not_taken(tmp_path, data):
    """A document of another program is left alone, even under the name of a trajectory."""
    path = tmp_path / "x.traj"
    path.write_bytes(data)
    assert FINDER.open(path) is None


def test_of_a_folder_the_newest(tmp_path):
    """A folder opens as the trajectory in it."""
    (tmp_path / "a.traj").write_bytes(document(step("ls")))
    assert FINDER.open(tmp_path).title == "a.traj"
