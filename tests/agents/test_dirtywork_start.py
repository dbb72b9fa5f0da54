"""How a dirtywork run begins, and what it says of itself."""

from __future__ import annotations

import pytest
from dirtywork_logs import (
    WORKTREE,
    decode,
    of,
    start,
)

from monitor.events import (
    Prompted,
    RunStarted,
)


def test_a_run_says_what_it_is():
    """The start tells the agent, its version and its folder, which is the worktree and not the repository."""
    (begun,) = of(decode(start()), RunStarted)
    assert (begun.agent, begun.version, begun.model) == ("dirtywork", "0.14.0", "fake/model-1")
    assert begun.cwd == begun.project == WORKTREE
    assert (begun.session, begun.lag, begun.deltas, begun.change_required) == ("rename", "turn", False, None)
    assert begun.at == 1796024060.5
    assert begun.coverage["stalls"].sees == "none"
    assert "worktree" not in begun.coverage
    assert "failed_writes" not in begun.coverage


def test_a_run_in_a_container_says_that_its_folder_shows_nothing():
    """In a container the worktree is filled only at the end: what is measured there meanwhile is no measure."""
    (begun,) = of(decode(start(sandbox={"backend": "docker"})), RunStarted)
    assert begun.coverage["worktree"].sees == "none"


@pytest.fixture
def resume():
    return pytest.importorskip("dirtywork.resume")


def test_a_resumed_run_tells_task_history_and_feedback_apart(resume):
    """Of a resumed run's task, the task is the user's, the history the harness's, and the feedback the operator's."""
    earlier = resume.build_resume_task("Rename the app", "stalled", 9, "assistant: hm")
    task = resume.build_resume_task(earlier, "completed", 2, "run_end: completed", "Name it Block")
    events = decode(start(task=task, feedback="Name it Block", resumed_from="rename"))
    told = of(events, Prompted)
    assert [(one.by, one.into) for one in told] == [("user", "new"), ("harness", "running"), ("operator", "running")]
    assert told[0].text == "Rename the app"
    assert told[1].text.startswith("The last events of the earlier run were:\nrun_end: completed\n")
    assert "Name it Block" not in told[1].text
    assert told[1].text.endswith("call finish(summary=...).")
    assert told[2].text == "Name it Block"
    (begun,) = of(events, RunStarted)
    assert (begun.task, begun.change_required, begun.session) == ("Rename the app", True, "")


def test_a_resumed_run_without_feedback_demands_no_change(resume):
    """The other marker is taken off too."""
    task = resume.build_resume_task("Rename the app", "stuck", 4, "run_end: stuck")
    events = decode(start(task=task, resumed_from="rename"))
    assert [one.by for one in of(events, Prompted)] == ["user", "harness"]
    assert of(events, Prompted)[0].text == "Rename the app"
    assert of(events, RunStarted)[0].change_required is None
