"""A session that is opened by its path and found in its folder stands in the list once."""

from __future__ import annotations

import json

import codex_logs
import pytest
from found_machine import Pretended, dirtywork, lcode, pi, transcript
from kept_runs import until
from opencode_database import Database
from openhands_folder import ID as CONVERSATION
from openhands_folder import Talk

from monitor.agents.opencode import database
from monitor.finding.fleet import Fleet
from monitor.finding.listers import listers
from monitor.finding.survey import Survey
from monitor.opening import opened

ID = "20261128-150000-abcdef"


def codex(home):
    path = home / ".codex/sessions/2026/11/30" / f"rollout-2026-11-30T07-44-27-{codex_logs.THREAD}.jsonl"
    path.parent.mkdir(parents=True)
    told = [codex_logs.meta(), codex_logs.told("task_started"), codex_logs.user("Mend it")]
    path.write_text("".join(json.dumps(row) + "\n" for row in told))
    return path


def opencode(home):
    del home
    made = Database(database.database())
    made.session()
    made.held.close()
    return made.path


def openhands(home):
    talk = Talk(home / ".openhands" / "conversations" / CONVERSATION)
    talk.said("Fix the failing test")
    return talk.folder


def worked(home):
    folder = dirtywork(home, "build-1")
    (folder / "transcript.jsonl").write_text('{"type": "start", "task": "Build"}\n')
    return folder


MADE = {
    "claude": transcript,
    "codex": codex,
    "dirtywork": worked,
    "lcode": lambda home: lcode(home, ID),
    "opencode": opencode,
    "openhands": openhands,
    "pi": lambda home: pi(home, "8f5b765e-1111-4222-8333-000000000001"),
}


@pytest.mark.parametrize("agent", sorted(MADE))
@pytest.mark.parametrize("way", ["whole", "from beside it", "by a link"])
def test_one_row(private_home, tmp_path, monkeypatch, agent, way):
    """However its path is written; while it is followed, and afterwards, when its journal lies there too."""
    path = MADE[agent](private_home)
    if way == "from beside it":
        monkeypatch.chdir(path.parent)
    target = {"whole": str(path), "from beside it": f"./{path.name}", "by a link": str(tmp_path / "link" / path.name)}[
        way
    ]
    (tmp_path / "link").symlink_to(path.parent, target_is_directory=True)
    with opened(target, None, screen=True) as mine:
        until(lambda: mine.snapshot.seq >= 0)
        fleet = Fleet(Survey(listers(), Pretended))
        fleet.adopt(mine)
        fleet.look()
        rows = (*fleet.view.live, *fleet.view.ended)
        assert [(one.listed.agent, one.attached) for one in rows] == [(agent, True)], rows
        assert fleet.source(rows[0].key) is mine
        fleet.close()
    later = Survey(listers(), Pretended).look().runs
    assert [one.agent for one in later] == [agent], later


def test_every_agent_that_is_listed_is_proved_here():
    """Another lister needs another line above."""
    assert set(MADE) == {name for name, _ in listers()} - {"monitor run", "journal"}
