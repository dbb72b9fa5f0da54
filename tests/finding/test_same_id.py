"""A session that lies in two projects' folders, as one does that was copied to another place."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.agents.claude.process import config_folder
from monitor.errors import MonitorError
from monitor.targets import find

SESSION = "8f5b765e-1111-4222-8333-444455556666"
ROW = '{"parentUuid":null,"isSidechain":false,"type":"user","sessionId":"%s","message":{"content":"go"}}\n'


def kept(project, session=SESSION):
    path = config_folder() / "projects" / project / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ROW % session)
    return path


@pytest.mark.parametrize("asked", [SESSION, SESSION[:8]])
def test_their_files_are_named(private_home, asked):
    """An id that two files have leads on by their paths, each of which opens the run it names."""
    paths = {kept("-home-a"), kept("-home-b")}
    with pytest.raises(MonitorError) as told:
        find(asked)
    assert told.value.text == f"{asked}: 2 sessions begin like this"
    assert told.value.hint.startswith("Name one by its file: ~/")
    targets = told.value.hint.removeprefix("Name one by its file: ").split(", ")
    assert {Path(one).expanduser() for one in targets} == paths
    assert {find(one).inputs()[0].path for one in targets} == paths


def test_a_third_with_another_id(private_home):
    """Beside others that begin alike every file is named, each once."""
    names = [kept("-home-a"), kept("-home-b"), kept("-home-b", SESSION[:-1] + "7")]
    with pytest.raises(MonitorError) as told:
        find(SESSION[:8])
    assert all(f"~/{path.relative_to(Path.home())}" in told.value.hint for path in names)
    assert find(SESSION[:-1] + "7").inputs()[0].path == names[2]
