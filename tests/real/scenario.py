"""One scenario that five real agents play: a failed edit, a refused connection, the edit again, a good edit, "Done."."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import claude_launched
import codex_launched
import opencode_launched
import pytest
from drift import gone
from known_events import Known
from lcode_agent import Lcode
from model import ScriptedModel
from test_dirtywork_live import Agent, found_at
from turns import Turn
from waiting import until

from monitor.agents.codex.find import FINDER as CODEX_FINDER
from monitor.agents.codex.process import home as codex_home
from monitor.agents.lcode.find import FINDER as LCODE_FINDER
from monitor.agents.protocol import Decoder, Found
from monitor.opening import piped, supervised
from monitor.report.build import build
from monitor.sources import Sources
from monitor.streams.reader import Reader
from monitor.streams.record import Input, Record
from monitor.supervisor import Supervisor
from monitor.targets import find

REFUSED = "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn't connect to server"
FETCH = f': curl -sS https://example.com/x; echo "{REFUSED}"; exit 7'
"""What a refused connection looks like; nothing leaves this machine."""
OLD, NEW, NOT_THERE = "print('hello')", "print('hi')", "print('nope')"
PATIENCE = opencode_launched.PATIENCE
"""Seconds: as long as the slowest of them may take."""


@dataclass(slots=True)
class Told:
    """What one source of a run said: its records, and what was made of them."""

    decoder: Decoder
    """As it was before the first of them."""
    records: list[Record]
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def unknown(self) -> dict[str, int]:
        """The record types that were not known, with their counts."""
        return {name: count for one in self.report["inputs"] for name, count in one["unknown_types"].items()}


@dataclass(slots=True)
class Play:
    """One agent at its play: where, and what its sources told, the live one first."""

    folder: Path
    patched: pytest.MonkeyPatch
    known: Known
    """What its live source must show."""
    held: threading.Event = field(default_factory=threading.Event)
    """The first reply of its model is held until the folder was measured."""
    told: list[Told] = field(default_factory=list)

    def script(self, read: tuple, edit: Callable[[str, str], tuple], fetch: tuple) -> list[Turn]:
        """The turns in the words of one agent's tools."""
        missed = edit(NOT_THERE, NEW)
        calls = (missed, fetch, missed, edit(OLD, NEW))
        return [
            Turn(thinking=("I look.",), calls=(read,), until=self.held),
            *[Turn(calls=(call,)) for call in calls],
            Turn("Done."),
        ]

    def listen(self) -> None:
        """From now on each supervisor's records are kept."""
        told = self.told

        class Heard(Sources):
            def __init__(self, found: Found, reader: Callable[[Input], Reader], hear: Callable[[Record], None]) -> None:
                records: list[Record] = []
                told.append(Told(found.decoder(), records))
                super().__init__(found, reader, lambda record: (records.append(record), hear(record))[1])

        self.patched.setattr("monitor.supervisor.Sources", Heard)

    def followed(self, run: Supervisor) -> None:
        """A started run, begun once the folder was measured, to its claim and all that is known to tell of it."""
        wait_for(lambda: run.snapshot.worktree.measured, "the first measurement")
        self.held.set()
        wait_for(lambda: run.snapshot.claims, "the claim", lambda: (run.snapshot.sources, run.snapshot.run))
        wait_for(lambda: run.snapshot.verdict.state == "changed", f"its verdict, {run.snapshot.verdict}")
        end = time.monotonic() + PATIENCE
        while gone(self.known, [*self.told[-1].records]) and time.monotonic() < end:
            time.sleep(0.05)
        self.told[-1].report = build(run.snapshot, run.accounts())

    def read(self, found: Found) -> None:
        """What the finished run's own files tell."""
        run = Supervisor(found, live=False)
        run.read_all()
        self.told[-1].report = build(run.snapshot, run.accounts())
        run.close()


wait_for = partial(until, patience=PATIENCE)
"""Waits as long as the real agent may take."""


@contextmanager
def started(run: Supervisor) -> Iterator[Supervisor]:
    run.start()
    try:
        yield run
    finally:
        run.close()
        assert not run.problem


def claude(play: Play) -> None:
    repo = claude_launched.bare(play.folder, play.patched)
    file = repo / "hello.py"
    file.write_text(f"{OLD}\n")
    script = play.script(
        ("Read", {"file_path": str(file)}),
        lambda old, new: ("Edit", {"file_path": str(file), "old_string": old, "new_string": new}),
        ("Bash", {"command": FETCH, "description": "fetch"}),
    )
    options = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")
    with ScriptedModel(script) as model, claude_launched.launched(repo, play.patched, model, *options) as found:
        with started(supervised(found, repo)) as run:
            play.followed(run)
        wait_for(lambda: any('"Done."' in one.read_text() for one in transcripts()), "the claim in its transcript")
    (transcript,) = transcripts()
    play.read(find(str(transcript)))


def transcripts() -> list[Path]:
    """Those of Claude Code's sessions."""
    return [*(Path.home() / ".claude" / "projects").glob("*/*.jsonl")]


def codex(play: Play) -> None:
    repo = codex_launched.bare(play.folder, play.patched)
    script = play.script(
        ("exec_command", {"cmd": "cat hello.py"}), codex_launched.patch, ("exec_command", {"cmd": FETCH})
    )
    with codex_launched.working(repo, script) as (run, _):
        play.followed(run)
    found = CODEX_FINDER.open(codex_home())
    assert found is not None
    play.read(found)


def opencode(play: Play) -> None:
    repo = opencode_launched.bare(play.folder, play.patched)
    file = str(repo / "app.py")
    script = play.script(
        ("read", {"filePath": file}),
        lambda old, new: ("edit", {"filePath": file, "oldString": old, "newString": new}),
        ("bash", {"command": FETCH, "description": "fetch"}),
    )
    with ScriptedModel(script) as model, opencode_launched.launched(repo, play.patched, model) as found:
        with started(supervised(found, repo)) as run:
            play.followed(run)
        name = found.title
    play.read(find(name))


def dirtywork(play: Play) -> None:
    repo, home = play.folder / "repo", Path.home()
    repo.mkdir()
    (repo / "hello.py").write_text(f"{OLD}\n")
    git = ["git", "-C", str(repo), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*git, *command], check=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})
    script = play.script(
        ("read_file", {"path": "hello.py"}),
        lambda old, new: ("edit_file", {"path": "hello.py", "old_string": old, "new_string": new}),
        ("bash", {"command": FETCH}),
    )
    with ScriptedModel(script) as model:
        agent = Agent(home, repo, model)
        try:
            found = found_at(agent)
            wait_for(lambda: found.project() is not None, "its folder")
            with started(supervised(found, found.project())) as run:
                play.followed(run)
            agent.process.wait(PATIENCE)
        finally:
            agent.process.kill()
            agent.process.communicate()
    play.read(found_at(agent))


def lcode(play: Play) -> None:
    script = play.script(
        ("read_file", {"path": "hello.py"}),
        lambda old, new: ("edit_file", {"path": "hello.py", "old_string": old, "new_string": new}),
        ("bash", {"command": FETCH}),
    )
    with ScriptedModel(script) as model, Lcode(play.folder, model) as agent:
        (agent.repo / "hello.py").write_text(f"{OLD}\n")
        process = agent.ask()
        assert process.stdout is not None
        with started(piped(LCODE_FINDER.pipe("the pipe"), os.dup(process.stdout.fileno()), agent.repo)) as run:
            play.followed(run)
            session = run.snapshot.run.session
        process.wait(PATIENCE)
        play.patched.setenv("HOME", str(agent.home))
        (found,) = LCODE_FINDER.named(session)
        play.read(found)


PLAYS: Mapping[str, Callable[[Play], None]] = {
    "Claude Code": claude, "Codex": codex, "OpenCode": opencode, "dirtywork": dirtywork, "lcode": lcode,
}  # fmt: skip
"""Each agent by the name under which it is installed."""
