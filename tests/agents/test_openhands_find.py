"""How OpenHands' histories are found, and the runs of a file that holds several."""

from __future__ import annotations

import json

import pytest
from openhands_logs import Log

from monitor.agents.openhands.find import FINDER, runs_in
from monitor.commands.report import judged
from monitor.errors import MonitorError
from monitor.several import each_run
from monitor.targets import find


def history(command="ls") -> Log:
    log = Log()
    log.said("Mend it")
    log.ran(command)
    log.did("finish", final_thought="Done.")
    return log


def test_a_list_of_events_is_one_run(tmp_path):
    """A list of events is known by its first, whatever the file's name, and however it is spaced."""
    path = tmp_path / "x"
    for data in (history().document(), json.dumps(history().entries, indent=1).encode(), history().document()[:-9]):
        path.write_bytes(data)
        assert find(str(path)).agent == "openhands"


def test_a_line_is_a_run_of_its_own(tmp_path):
    """Of a file with several runs each is named by its line, and the whole file by all of them."""
    path = tmp_path / "output.jsonl"
    lines = [history(f"echo {number}").instance(instance_id=f"repo-{number}") for number in (1, 2)]
    path.write_bytes(b"\n".join([lines[0], b"", lines[1], b"{broken"]))
    assert each_run(str(path)) == [f"{path}:1", f"{path}:3", f"{path}:4"]
    with pytest.raises(MonitorError, match="3 runs in one file"):
        find(str(path))
    with pytest.raises(MonitorError, match="no run on that line"):
        find(f"{path}:2")
    reports = [judged(run, None) for run in each_run(str(path))]
    assert [one["runs"][0]["session"] for one in reports] == ["repo-1", "repo-2", None]
    assert sum(one["inputs"][0]["bytes"] for one in reports) == path.stat().st_size - 1
    assert [one["inputs"][0]["unreadable"] for one in reports] == [0, 0, 1]
    assert [one["claims"][0]["place"]["line"] for one in reports if one["claims"]] == [1, 3]


def test_a_file_with_one_run_is_that_run(tmp_path):
    """Nothing is to be chosen where there is one."""
    path = tmp_path / "output.jsonl"
    path.write_bytes(history().instance() + b"\n")
    assert each_run(str(path)) == [str(path)]
    assert find(str(path)).title == "output.jsonl:1"


def test_a_line_longer_than_what_is_looked_at(tmp_path):
    """A run whose line is long is found by how the line begins."""
    path = tmp_path / "output.jsonl"
    path.write_bytes(history("x" * 200_000).instance())
    assert judged(str(path), None)["runs"][0]["calls"] == 2


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"instance_id": "x"}\n', b'[{"id": 1}]', b"text"])
def test_other_files_are_not_taken(tmp_path, data):
    """A document of another program is left alone."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert FINDER.open(path) is None
    assert not runs_in(path)
    assert FINDER.open(tmp_path) is None
