"""The real dirtywork, played a script on this machine and followed while it runs."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from installed import invocation, needs, version
from model import ScriptedModel, Turn

from monitor.agents.dirtywork.find import FINDER
from monitor.agents.protocol import Found
from monitor.events import (
    Event,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
)
from monitor.streams.record import Input, Record

pytestmark = needs("dirtywork")

LINES = b'<resources>\n    <string name="app_name">Hello</string>\n</resources>\n'
WRONG = {"path": "app/strings.xml", "old_string": "app_name: Hello", "new_string": "app_name: Block"}
RIGHT = {"path": "app/strings.xml", "old_string": ">Hello<", "new_string": ">Block<"}
CLAIM = "The app is renamed."


class Agent:
    """One run of the real program in a home of its own."""

    def __init__(self, home: Path, repo: Path, model: ScriptedModel) -> None:
        self.runs = home / ".dirtywork/runs"
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "OPENAI_API_KEY": "made-up"}
        words = ["run", "Rename the app", "--repo", str(repo), "--sandbox", "none", "--model", model.name]
        self.process = subprocess.Popen(
            [*invocation("dirtywork"), *words, "--base-url", f"{model.url}/v1"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def until(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        """Wait until the condition holds; the agent's own end is no reason to wait longer."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "it did not come about"
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            assert condition(), self.process.communicate()[0].decode()


class Follower:
    """Reads a run's files plainly, as far as they have grown."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.events: list[Event] = []
        self._decoder = found.decoder()
        self._read: dict[int, tuple[int, int]] = {}
        self._states: dict[int, bytes] = {}

    def read(self) -> list[Event]:
        """Take in what is new; everything so far."""
        for source in self.found.inputs():
            for record in self._records(source):
                self.events += self._decoder.feed(record)
        return self.events

    def of(self, kind: type) -> list:
        return [event for event in self.read() if isinstance(event, kind)]

    def _records(self, source: Input) -> list[Record]:
        assert source.path is not None
        data = source.path.read_bytes()
        if source.shape == "document":
            news = data != self._states.get(source.index)
            self._states[source.index] = data
            return [Record(source, 1, 0, len(data), data)] if news else []
        line, offset = self._read.get(source.index, (1, 0))
        records = []
        for one in data[offset:].splitlines(keepends=True):
            if one.endswith(b"\n"):
                records.append(Record(source, line, offset, len(one), one[:-1]))
                line, offset = line + 1, offset + len(one)
        self._read[source.index] = line, offset
        return records


@pytest.fixture
def repo(tmp_path):
    """A scratch repository with one file."""
    folder = tmp_path / "repo"
    (folder / "app").mkdir(parents=True)
    (folder / "app/strings.xml").write_bytes(LINES)
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*git, *command], check=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    return folder


@pytest.fixture
def begin(tmp_path, repo):
    """Starts the agent; ends what it started."""
    agents = []

    def started(model: ScriptedModel) -> Agent:
        home = tmp_path / "home"
        home.mkdir()
        agents.append(Agent(home, repo, model))
        return agents[-1]

    yield started
    for agent in agents:
        agent.process.kill()
        agent.process.communicate()


def found_at(agent: Agent) -> Found:
    agent.until(lambda: FINDER.open(agent.runs) if agent.runs.is_dir() else None)
    found = FINDER.open(agent.runs)
    assert found is not None
    return found


def test_failed_edits_and_a_false_claim_are_seen_live(begin):
    """Two edits fail, done is claimed twice, and all of it is decoded from the files as they grow."""
    last = threading.Event()
    turns = [
        Turn(calls=(("edit_file", WRONG),)),
        Turn(calls=(("edit_file", WRONG),)),
        Turn(CLAIM),
        Turn(CLAIM, until=last),
    ]
    with ScriptedModel(turns) as model:
        agent = begin(model)
        found = found_at(agent)
        follower = Follower(found)
        agent.until(turns[3].asked.is_set)
        agent.until(lambda: len(follower.of(ToolReturned)) == 2 and follower.of(RequestEnded))

        assert found.alive() is True
        project = found.project()
        assert project is not None
        assert (project / "app/strings.xml").read_bytes() == LINES
        (begun,) = follower.of(RunStarted)
        assert (begun.agent, begun.version, begun.project) == ("dirtywork", version("dirtywork"), str(project))
        assert begun.session == found.title
        for call, back in zip(follower.of(ToolCalled), follower.of(ToolReturned), strict=True):
            assert call.call == back.call
            assert (call.kind, call.changes[0].old) == ("write", WRONG["old_string"])
            assert (back.outcome, back.failure, back.files[0].file) == ("failed", "not_found", "app/strings.xml")
        assert [one.by for one in follower.of(Prompted)] == ["user", "harness"]
        assert follower.of(RunEnded) == []

        last.set()
        agent.until(lambda: agent.process.poll() is not None)
        assert agent.process.returncode == 0
        assert [one.text for one in follower.of(RequestEnded)] == [CLAIM, CLAIM]
        assert [one.changed for one in follower.of(TreeMeasured)] == [False, False]
        assert [one.status for one in follower.of(RunEnded)] == ["completed"]
        assert follower.of(Unreadable) == []
        assert found.alive() is False
        assert found.project() is None


def test_a_killed_run_is_known_to_be_gone(begin):
    """Killed in the middle of a turn, run.json says running for ever; its process is known to be gone."""
    held = threading.Event()
    turns = [Turn(calls=(("edit_file", RIGHT),)), Turn("never said", until=held)]
    with ScriptedModel(turns) as model:
        agent = begin(model)
        follower = Follower(found_at(agent))
        agent.until(turns[1].asked.is_set)
        agent.until(lambda: any(one.changed for one in follower.of(TreeMeasured)))
        assert follower.of(TreeMeasured)[-1].files == ("app/strings.xml",)
        assert follower.found.alive() is True
        agent.process.kill()
        agent.process.wait()
        assert follower.found.alive() is False
        assert follower.found.project() is None
        assert follower.of(RunEnded) == []
        assert [one.outcome for one in follower.of(ToolReturned)] == ["ok"]
