"""The real dirtywork, followed live: our measurements of its worktree beside its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from installed import invocation, needs
from model import ScriptedModel, Turn
from test_dirtywork_live import CLAIM, RIGHT, begin, found_at, repo  # noqa: F401 - two of them are fixtures
from waiting import until

from monitor.events import RunEnded, TreeMeasured
from monitor.opening import started
from monitor.supervisor import Supervisor

pytestmark = needs("dirtywork")

CALL = """
import sys
from monitor.commands.run import start
sys.exit(start(sys.argv[1:], agent="", on_exit="go-on", project=None, theme=None, ascii_only=False))
"""
SAME = {"path": "app/strings.xml", "content": (
    '<resources>\n    <string name="app_name">Hello</string>\n</resources>\n'
)}  # fmt: skip
COMMIT = {"command": "git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m nothing"}


class Followed:
    """A run of the real agent, measured and watched by us while it goes on; its start before its prompt is read."""

    def __init__(self, agent):
        self.agent = agent
        self.found = found_at(agent)
        self.told = []
        agent.until(self.found.project)
        project = self.found.project()
        measuring, watch = started(project, "dirtywork")
        self.supervisor = Supervisor(
            self.found,
            live=True,
            project=project,
            measuring=measuring,
            watch=watch,
            tap=lambda event, _: self.told.append(event),
        )
        self.supervisor.start()
        agent.until(lambda: self.of("start"))

    def of(self, *when, by="monitor"):
        return [
            one for one in self.told
            if isinstance(one, TreeMeasured) and one.by == by and (not when or one.when in when)
        ]  # fmt: skip

    def to_the_end(self):
        """Let the agent end, and everything be told."""
        self.agent.until(lambda: self.agent.process.poll() is not None)
        until(lambda: any(isinstance(one, RunEnded) for one in self.told))
        until(lambda: self.supervisor.ended and not self.supervisor.snapshot.worktree.pending)
        self.supervisor.close()


@pytest.mark.parametrize(
    ("calls", "changed"),
    [
        ((), False),
        ((("edit_file", RIGHT),), True),
        ((("write_file", SAME),), False),
        ((("bash", COMMIT),), True),
    ],
    ids=["nothing", "an edit", "the same bytes again", "an empty commit"],
)
def test_ours_and_its_own_agree(begin, calls, changed):  # noqa: F811 - the fixture
    """Whether the worktree changed since the start of the run is the same by both, at its end."""
    held = threading.Event()
    turns = [Turn(calls=(call,)) for call in calls] + [Turn(CLAIM), Turn(CLAIM)]
    first = turns[0]
    turns[0] = Turn(first.text, calls=first.calls, until=held)
    with ScriptedModel(turns) as model:
        agent = begin(model)
        followed = Followed(agent)
        project = followed.found.project()
        assert project is not None
        assert project.parent.name == ".worktrees", "the folder is the worktree, not the repository"
        held.set()
        followed.to_the_end()
    assert followed.of(by="agent")[-1].changed is changed
    assert followed.of("claim", "end")[-1].since_start is changed
    shown = followed.supervisor.snapshot
    assert shown.worktree.by == "monitor"
    assert shown.worktree.since_start is changed


@pytest.mark.parametrize(("calls", "verdict"), [((("edit_file", RIGHT),), "CHANGED"), ((), "UNCHANGED")])
def test_one_that_monitor_starts_is_measured_where_it_works(repo, calls, verdict):  # noqa: F811 - the fixture
    """The verdict is that of its worktree, not of the repository it was started in, where nothing ever changes."""
    turns = [Turn(calls=calls)] if calls else []
    with ScriptedModel([*turns, Turn(CLAIM)]) as model:
        words = ["run", "Rename the app", "--repo", str(repo), "--sandbox", "none"]
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                CALL,
                *invocation("dirtywork"),
                *words,
                "--model",
                model.name,
                "--base-url",
                f"{model.url}/v1",
            ],
            env={**os.environ, "OPENAI_API_KEY": "made-up"},
            cwd=repo,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.stdout.startswith(f"{verdict}: "), done.stdout + done.stderr
    assert "edited outside" not in done.stdout
    assert done.stdout.count("(by the agent itself)") + done.stdout.count("(by the monitor)") == 1
