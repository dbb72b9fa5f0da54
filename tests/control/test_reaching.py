"""Each run gets the channel by which it can be reached, or the reason why it cannot; and the rooms keep apart."""

from __future__ import annotations

import ast
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from kept_runs import kept, python

import monitor
from monitor.agents.acp.find import FINDER as ACP
from monitor.agents.dirtywork.find import RunFolder
from monitor.agents.lcode.find import LcodeRun
from monitor.agents.lcode.process import NONE
from monitor.agents.native.find import FINDER as NATIVE
from monitor.control import NoChannel
from monitor.processes.family import Family
from monitor.processes.identity import identify
from monitor.reaching import channel_of

ROOT = Path(monitor.__file__).parent


def imports(path):
    """What a file imports, by its first two words."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        yield from (".".join(name.split(".")[:2]) for name in names)


@pytest.mark.parametrize("path", sorted((ROOT / "keeping").glob("*.py")), ids=lambda path: path.name)
def test_the_keeper_needs_nothing_but_python(path):
    """The keeper imports the standard library and itself, so that it starts quickly and stays small."""
    assert all(name == "monitor.keeping" or name.split(".")[0] in sys.stdlib_module_names for name in imports(path))


@pytest.mark.parametrize("path", sorted((ROOT / "processes").glob("*.py")), ids=lambda path: path.name)
def test_processes_know_no_agent(path):
    """Processes know only what an action may be, and how text is cleaned."""
    ours = {name for name in imports(path) if name.startswith("monitor.")}
    assert ours <= {"monitor.processes", "monitor.actions", "monitor.text"}


def test_what_cannot_be_reached_says_why(tmp_path):
    """A pipe, a wire log and a result of lcode have no channel; each with its reason, and a command where one is known."""
    pipe = channel_of(NATIVE.pipe("the pipe"))
    assert isinstance(pipe, NoChannel)
    assert "process is not known" in pipe.can("abort")
    assert isinstance(channel_of(ACP.pipe("wire")), NoChannel)
    assert "nothing tells which lcode" in channel_of(LcodeRun(tmp_path / "r.json", "result", "r")).can("abort")
    lcode = channel_of(LcodeRun(tmp_path / "20261130-113342-2ef5b6.json", "session", "s"))
    assert lcode.can("abort") == NONE
    assert shlex.split(lcode.offer("go on")) == [
        "lcode", "-p", "Feedback on what you did so far. Nothing of it is applied yet:\ngo on",
        "--resume", "20261130-113342-2ef5b6",
    ]  # fmt: skip


def test_a_finished_dirtywork_run_can_be_resumed(tmp_path):
    """A run whose process is gone takes feedback as a resume, and no abort."""
    folder = tmp_path / "slug"
    folder.mkdir()
    (folder / "run.json").write_text(
        '{"slug": "slug", "repo": "r", "worktree": "w", "branch": "b", "base_commit": "c", "status": "completed"}'
    )
    channel = channel_of(RunFolder(folder))
    assert channel.can("abort") == "no process of this run is known"
    assert channel.can("feedback") == ""
    assert channel.how("feedback") == "resumes it as a new run:"
    assert channel.offer("mend it") == "dirtywork resume slug '--feedback=mend it'"


def test_silence_without_a_monitor_ends_the_input(tmp_path):
    """An agent that waits for words that nobody will say is told that none will come, once it has long been silent."""
    code = "import sys; print('{}', flush=True); sys.stdin.read(); sys.exit(4)"
    with kept(python(code), tmp_path) as found:
        assert found.alive()
    patched = (
        "import sys; from pathlib import Path; from monitor.keeping import keeper;"
        "keeper._SILENCE = keeper._STEP = 0.2; sys.exit(keeper.main(Path(sys.argv[1])))"
    )
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "launch.json").write_bytes((found.folder / "launch.json").read_bytes())
    environment = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
    subprocess.run([sys.executable, "-c", patched, str(folder)], env=environment, check=True, timeout=60)
    assert '"code": 4' in (folder / "ended.json").read_text()


def test_looking_at_processes_costs_little():
    """A look at all processes of the machine takes a small part of the pace at which it is done."""
    with subprocess.Popen(["sleep", "300"]) as process:
        try:
            family = Family(identify(process.pid))
            times = []
            for _ in range(5):
                before = os.times()
                family.look()
                after = os.times()
                times.append(after.user + after.system - before.user - before.system)
            assert len(family.look()) == 1
            assert min(times) < 0.2
        finally:
            process.kill()
