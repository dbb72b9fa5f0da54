"""The screen is left in the middle of an abort: what is said of it on the terminal, of real processes."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from kept_runs import kept, python
from process_trees import alive, killed
from ui_terminal import Terminal
from waiting import until

from monitor.commands.last_word import last_word
from monitor.config import state_folder
from monitor.launch.launched import Launched, LaunchedFinder
from monitor.processes.family import Family
from monitor.processes.identity import Identity, identify
from monitor.processes.plan import Plan
from monitor.snapshot import ActionFacts, Snapshot
from monitor.targets import FINDERS
from monitor.ui.screens.box import GUARD

GONE = Identity(0, 0.0, "", 0)
"""Stands for an agent that has ended: what carries its mark is still found."""

AGENT = """
import json, pathlib, signal, subprocess, sys, time
go = pathlib.Path(sys.argv[1])
def told(*_):
    pathlib.Path(sys.argv[1] + ".told").touch()
    while not go.exists(): time.sleep(0.01)
    sys.exit(3)
signal.signal(signal.SIGINT, told)
subprocess.Popen(["sleep", "300"], start_new_session=True)
for event in ({"event": "RunStarted", "agent": "mine"}, {"event": "Prompted", "text": "do"}):
    print(json.dumps(event), flush=True)
while True: time.sleep(1)
"""


@contextmanager
def running(go: Path) -> Iterator[Terminal]:
    """The screen over an agent that takes SIGINT and ends once a file is there; its child has its own session."""
    agent = go.with_suffix(".py")
    agent.write_text(AGENT)
    words = ("-m", "monitor", "run", "--agent", "other", "--", "python3", str(agent), str(go))
    terminal = Terminal("", 120, 30, command=words)
    try:
        terminal.until(lambda: terminal.shows("do") and terminal.shows("A abort"))
        until(lambda: len(started().look()) == 2)
        yield terminal
    finally:
        if any(state_folder("runs").glob("*/agent.json")):
            family = started()
            until(lambda: not killed(family))
        terminal.close()


def started() -> Family:
    """The processes of the one run that was started."""
    (folder,) = state_folder("runs").iterdir()
    found = LaunchedFinder(FINDERS).open(folder)
    root = identify(json.loads((folder / "agent.json").read_text())["pid"])
    assert isinstance(found, Launched)
    return Family(root or GONE, found.mark)


def abort(terminal: Terminal, then: str = "") -> None:
    """Ask for the abort; `then` is the very next key."""
    terminal.press("A")
    terminal.until(lambda: terminal.shows("Abort this run?"))

    def answered() -> bool:
        return not terminal.shows("Abort this run?") or b"\x1b[?1049l" in terminal.written

    while not answered():
        rests = time.monotonic() + 1.5 * GUARD
        terminal.until(lambda rests=rests: time.monotonic() > rests)
        before = len(terminal.written)
        terminal.press("A" + then)
        terminal.until(lambda before=before: answered() or b"too soon" in terminal.written[before:])


def after(terminal: Terminal) -> str:
    """What stands on the terminal once the screen is gone."""
    return bytes(terminal.written).decode("utf-8", "replace").rpartition("\x1b[?1049l")[2].replace("\r\n", "\n")


def test_quitting_in_an_abort_waits_for_its_end(tmp_path: Path) -> None:
    """`q` with the abort only just asked for: it is carried out, and its end is told with what is gone."""
    go = tmp_path / "go"
    with running(go) as terminal:
        abort(terminal, "q")
        terminal.until((tmp_path / "go.told").exists)
        terminal.until(lambda: "the abort goes on" in after(terminal))
        go.touch()
        assert terminal.wait() == 3, "the agent's own exit code"
    (said,) = [line for line in after(terminal).splitlines() if "the abort is done" in line]
    assert said.startswith("monitor: the abort is done: SIGINT sent to ")
    assert "2 processes ended: " in said
    assert "sleep 300" in said
    assert "kill " not in after(terminal)


def test_quitting_in_an_abort_that_comes_to_no_end(tmp_path: Path) -> None:
    """Where the agent does not end, it is told which processes remain, and the command that ends them."""
    with running(tmp_path / "go") as terminal:
        abort(terminal, "q")
        assert terminal.wait() == 0
        lines = after(terminal).splitlines()
        (said,) = [line for line in lines if "the abort is not done" in line]
        assert "SIGINT sent to " in said
        (left,) = [line for line in lines if "to end what is left" in line]
        pids = [int(word) for word in left.partition("kill ")[2].split()]
        assert len(pids) == 2
        assert all(alive(pid) for pid in pids)
        assert any("2 processes of the run still running" in line and "sleep 300" in line for line in lines)


def test_a_signal_in_an_abort_reports_at_once(tmp_path: Path) -> None:
    """Told to end in the middle of an abort, the screen does not wait for it, and says how it stands."""
    with running(tmp_path / "go") as terminal:
        abort(terminal)
        terminal.until((tmp_path / "go.told").exists)
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.wait() == 128 + signal.SIGTERM
        assert "the abort is not done: SIGINT sent to " in after(terminal)


def test_an_interrupt_leaves_the_agent_alone(tmp_path: Path) -> None:
    """SIGINT to the screen of a started run ends the screen with 130; the agent goes on, and it is told how to return."""
    with running(tmp_path / "go") as terminal:
        os.kill(terminal.pid, signal.SIGINT)
        assert terminal.wait() == 128 + signal.SIGINT
        assert "the agent goes on; attach again with: monitor " in after(terminal)
        assert "abort" not in after(terminal)
        assert not (tmp_path / "go.told").exists()


def test_an_abort_from_the_overview(tmp_path: Path) -> None:
    """Left in the middle of an abort of one of many runs, its end is told the same."""
    go = tmp_path / "go"
    with kept(python(AGENT, str(go), agent="other", listens=False), tmp_path) as found:
        until(lambda: b"Prompted" in (found.folder / "output").read_bytes())
        terminal = Terminal("", 120, 30, command=("-m", "monitor"))
        try:
            terminal.until(lambda: terminal.shows("mine") and terminal.shows("RUNNING"))
            terminal.until(lambda: terminal.shows("A abort"))
            abort(terminal, "q")
            terminal.until(lambda: "the abort goes on" in after(terminal))
            until((tmp_path / "go.told").exists)
            go.touch()
            assert terminal.wait() == 0
            assert "the abort is done: SIGINT sent to " in after(terminal)
        finally:
            terminal.close()


@dataclass
class Told:
    """A run as its snapshots say."""

    actions: tuple[ActionFacts, ...]
    asked: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(actions=self.actions)

    def plan(self) -> Plan | None:
        return None


@pytest.mark.parametrize("receipt", ["done", "failed"])
def test_an_abort_that_was_over_is_not_told_again(receipt: str) -> None:
    """What the screen had shown to its end needs no last word, nor does a run that nobody aborted."""
    for actions in ((), (ActionFacts("1", "abort", "operator", receipt),)):
        told = Told(actions)
        last_word(told, say=told.said.append)
        assert not told.said


def test_an_abort_of_which_nothing_is_heard() -> None:
    """Of an abort without any news that is said, after as long as it is waited for."""
    told = Told((ActionFacts("1", "abort", "operator", "queued"),))
    last_word(told, say=told.said.append, longest=0.01)
    assert told.said[-1] == "the abort is not done: there is no news of it"
