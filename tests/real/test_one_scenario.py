"""One scenario, played by five real agents: a failed edit, a refused connection, the edit again, a good edit, "Done."."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import claude_sessions
import codex_launched
import opencode_launched
import pytest
from claude_sessions import CLAUDE
from codex_launched import CODEX
from lcode_agent import Lcode
from model import ScriptedModel
from opencode_launched import OPENCODE
from test_dirtywork_live import Agent, found_at
from turns import Turn

from monitor.agents.codex.find import FINDER as CODEX_FINDER
from monitor.agents.codex.process import home as codex_home
from monitor.agents.lcode.find import FINDER as LCODE_FINDER
from monitor.opening import piped, supervised
from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find

REFUSED = "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn't connect to server"
FETCH = f': curl -sS https://example.com/x; echo "{REFUSED}"; exit 7'
"""What a refused connection looks like; nothing leaves this machine."""
OLD, NEW, NOT_THERE = "print('hello')", "print('hi')", "print('nope')"
FACTS = {
    "writes": [(False, ["not_found", "not_found"])],
    "sites": [("example.com", 1, False)],
    "claims": ["Done."],
    "claimed": True,
    "counts": (6, 5),
}
"""What is said of each of them, whichever agent played it."""
PATIENCE = 60.0
Told = tuple[dict[str, object], dict[str, object]]
"""What was said live, and from the files."""


def needs(program: object, name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(program is None, reason=f"{name} is not installed: run tests/real/install.py")


def turns(read: tuple, edit: Callable[[str, str], tuple], fetch: tuple, held: threading.Event) -> list[Turn]:
    """The script in the words of one agent's tools; the first reply is held until the folder was measured."""
    missed = edit(NOT_THERE, NEW)
    calls = (missed, fetch, missed, edit(OLD, NEW))
    return [Turn(calls=(read,), until=held), *[Turn(calls=(call,)) for call in calls], Turn("Done.")]


def facts(report) -> dict[str, object]:
    """What every agent and every source must agree on."""
    row = report["runs"][0]
    return {
        "writes": [
            (one["outstanding"], [bad["failure"] for bad in one["failures"]]) for one in report["failed_writes"]
        ],
        "sites": [(one["site"], one["failed_calls"], one["answered"]) for one in report["sites"]],
        "claims": [one["text"] for one in report["claims"]],
        "claimed": report["verdict"]["claimed_done"],
        "counts": (row["turns"], row["calls"]),
    }


def wait_for(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"it never came about: {what}"
        time.sleep(0.01)


def followed(run: Supervisor, held: threading.Event) -> dict[str, object]:
    """A started run to its claim, begun once the folder was measured; what is said of it, and that it changed."""
    wait_for(lambda: run.snapshot.worktree.measured, "the first measurement")
    held.set()
    wait_for(lambda: run.snapshot.claims, "the claim")
    wait_for(lambda: run.snapshot.verdict.state == "changed", f"its verdict, {run.snapshot.verdict}")
    return facts(build(run.snapshot, run.accounts()))


def kept(found) -> dict[str, object]:
    """What the finished run's own files tell."""
    run = Supervisor(found, live=False)
    run.read_all()
    report = build(run.snapshot, run.accounts())
    run.close()
    assert not any(one["unreadable"] for one in report["inputs"])
    return facts(report)


@contextmanager
def started(run: Supervisor) -> Iterator[Supervisor]:
    run.start()
    try:
        yield run
    finally:
        run.close()
        assert not run.problem


def claude(folder: Path, held: threading.Event, _: pytest.MonkeyPatch) -> Told:
    repo = folder / "repo"
    repo.mkdir()
    file = repo / "hello.py"
    file.write_text(f"{OLD}\n")
    script = turns(
        ("Read", {"file_path": str(file)}),
        lambda old, new: ("Edit", {"file_path": str(file), "old_string": old, "new_string": new}),
        ("Bash", {"command": FETCH, "description": "fetch"}),
        held,
    )
    with claude_sessions.session(repo, script, interactive=False) as session:
        found = session.found()
        wait_for(found.process, "its process")
        with started(supervised(found, repo)) as run:
            live = followed(run, held)
        session.process.wait(PATIENCE)
    return live, kept(session.found())


def codex(folder: Path, held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Told:
    repo = codex_launched.bare(folder, monkeypatch)
    script = turns(
        ("exec_command", {"cmd": "cat hello.py"}), codex_launched.patch, ("exec_command", {"cmd": FETCH}), held
    )
    with codex_launched.working(repo, script) as (run, _):
        live = followed(run, held)
    found = CODEX_FINDER.open(codex_home())
    return live, kept(found)


def opencode(folder: Path, held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Told:
    repo = opencode_launched.bare(folder, monkeypatch)
    file = str(repo / "app.py")
    script = turns(
        ("read", {"filePath": file}),
        lambda old, new: ("edit", {"filePath": file, "oldString": old, "newString": new}),
        ("bash", {"command": FETCH, "description": "fetch"}),
        held,
    )
    with ScriptedModel(script) as model, opencode_launched.launched(repo, monkeypatch, model) as found:
        with started(supervised(found, repo)) as run:
            live = followed(run, held)
        name = found.title
    return live, kept(find(name))


def dirtywork(folder: Path, held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Told:
    repo, home = folder / "repo", Path.home()
    repo.mkdir()
    (repo / "hello.py").write_text(f"{OLD}\n")
    git = ["git", "-C", str(repo), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*git, *command], check=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})
    script = turns(
        ("read_file", {"path": "hello.py"}),
        lambda old, new: ("edit_file", {"path": "hello.py", "old_string": old, "new_string": new}),
        ("bash", {"command": FETCH}),
        held,
    )
    with ScriptedModel(script) as model:
        agent = Agent(home, repo, model)
        try:
            found = found_at(agent)
            wait_for(lambda: found.project() is not None, "its folder")
            with started(supervised(found, found.project())) as run:
                live = followed(run, held)
            agent.process.wait(PATIENCE)
        finally:
            agent.process.kill()
            agent.process.communicate()
    return live, kept(found_at(agent))


def lcode(folder: Path, held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Told:
    script = turns(
        ("read_file", {"path": "hello.py"}),
        lambda old, new: ("edit_file", {"path": "hello.py", "old_string": old, "new_string": new}),
        ("bash", {"command": FETCH}),
        held,
    )
    with ScriptedModel(script) as model, Lcode(folder, model) as agent:
        (agent.repo / "hello.py").write_text(f"{OLD}\n")
        process = agent.ask()
        assert process.stdout is not None
        with started(piped(LCODE_FINDER.pipe("the pipe"), os.dup(process.stdout.fileno()), agent.repo)) as run:
            live = followed(run, held)
            session = run.snapshot.run.session
        process.wait(PATIENCE)
        monkeypatch.setenv("HOME", str(agent.home))
        (found,) = LCODE_FINDER.named(session)
    return live, kept(found)


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(claude, marks=needs(CLAUDE, "Claude Code")),
        pytest.param(codex, marks=needs(CODEX, "Codex")),
        pytest.param(opencode, marks=needs(OPENCODE, "OpenCode")),
        dirtywork,
        lcode,
    ],
)
def test_the_same_is_said_of_every_agent(play, tmp_path, monkeypatch):
    """Live and from its files, the same failed writes, failing site, claim and counts; live the folder has changed."""
    live, files = play(tmp_path, threading.Event(), monkeypatch)
    assert live == FACTS
    assert files == FACTS
