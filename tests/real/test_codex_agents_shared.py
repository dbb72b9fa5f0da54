"""Sub-agents of a thread in the real Codex's shared server: what monitor can do about them as one more client."""

from __future__ import annotations

import pytest
from codex_delegating import WAYS, spawns
from codex_launched import CODEX, WAITS, asked, bare, wait_for
from codex_shared import came, can, shared
from turns import Turn

from monitor.actions import Action

pytestmark = [
    pytest.mark.skipif(CODEX is None, reason="Codex is not installed: run tests/real/install.py"),
    pytest.mark.xdist_group("codex"),
]


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def working(supervisor):
    """The sub-agents that have not ended."""
    return [one for one in supervisor.snapshot.actors if one.id and one.running]


def seen(supervisor, model):
    """What is known of the sub-agents, and how far the model was asked."""
    return supervisor.how("abort"), supervisor.snapshot.actors, len(asked(model)), supervisor.snapshot.sources


@pytest.mark.parametrize("way", WAYS)
def test_an_abort_reaches_the_sub_agents(repo, way):
    """Codex lets them outlast the turn of their root: each is interrupted too, those begun before monitor came as well."""
    go = ("exec_command", {"cmd": "until [ -e more ]; do sleep 0.05; done", "yield_time_ms": 25_000})
    turns = [
        Turn(calls=(spawns(way, "<<early>> it", name="early"),)),
        Turn(calls=(go,)),
        Turn(calls=(spawns(way, "<<late>> it", name="late"),)),
        Turn(calls=(WAITS,)),
    ]
    agents = {"<<early>>": [Turn(calls=(WAITS,))], "<<late>>": [Turn(calls=(WAITS,))]}
    with shared(repo, turns, agents, lambda model: len(asked(model)) == 3, tables=WAYS[way][1]) as (
        supervisor, model, _,
    ):  # fmt: skip
        can(supervisor, "abort")
        wait_for(lambda: "1 sub-agent" in supervisor.how("abort"), "the early one", lambda: seen(supervisor, model))
        (repo / "more").touch()
        wait_for(
            lambda: "its turn and those of 2 sub-agents" in supervisor.how("abort"),
            "both",
            lambda: seen(supervisor, model),
        )
        wait_for(lambda: supervisor.snapshot.run.calls == 6, f"all in their tools: {supervisor.snapshot.run.calls}")
        assert len(working(supervisor)) == 2
        supervisor.act(Action("1", "abort"))
        assert came(supervisor, "1", "done") == ["queued", "delivered", "seen", "done"]
        evidence = next(one.evidence for one in supervisor.snapshot.actions if one.id == "1")
        assert evidence == "its turn has ended: interrupted; no turn of 2 sub-agents runs any more"
        wait_for(lambda: supervisor.snapshot.verdict.state == "aborted", "the verdict")
        wait_for(lambda: not working(supervisor), f"their ends: {supervisor.snapshot.actors}")
        assert {one.status for one in supervisor.snapshot.actors if one.id} == {"interrupted"}
        (repo / "go").touch()
        assert len(asked(model)) == 6


@pytest.mark.parametrize("way", WAYS)
def test_a_question_of_a_sub_agent_can_be_answered(repo, way):
    """It waits like one of the root's, and the operator's answer reaches it."""
    call = (
        "exec_command",
        {"cmd": "touch made", "sandbox_permissions": "require_escalated", "justification": "need it"},
    )
    turns = [Turn(calls=(WAITS,)), Turn(calls=(spawns(way, "<<asks>> it"),)), Turn(calls=(WAITS,)), Turn("Done.")]
    agents = {"<<asks>>": [Turn(calls=(call,)), Turn("Read.")]}
    more = {"approval": "on-request", "sandbox": "workspace-write", "tables": WAYS[way][1]}
    with shared(repo, turns, agents, **more) as (supervisor, model, user):
        can(supervisor, "feedback")
        (repo / "go").touch()
        user.hears("item/commandExecution/requestApproval")
        wait_for(lambda: supervisor.snapshot.waiting, "the question")
        can(supervisor, "deny")
        supervisor.act(Action("1", "deny", subject=supervisor.snapshot.waiting_call))
        came(supervisor, "1", "done")
        wait_for(lambda: "rejected by user" in "".join(asked(model)), "the answer")
        assert not (repo / "made").exists()
