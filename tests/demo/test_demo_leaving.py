"""The demo that is told to end, without a screen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from waiting import until


def agents(folder: Path) -> list[psutil.Process]:
    """The scripted agents that work below a folder."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "monitor.demo.agent" in words and any(word.startswith(str(folder)) for word in words):
            found.append(process)
    return found


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("working", [False, True], ids=["at once", "at work"])
def test_a_signal_leaves_neither_the_scratch_project_nor_its_agent_behind(
    tmp_path: Path, private_home: Path, name: str, working: bool
) -> None:
    """Told to end before the agent is there or while it works, it takes both away, and exits as a shell expects."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = os.environ | {"TMPDIR": str(scratch), "HOME": str(private_home)}
    number = signal.Signals[name]
    with subprocess.Popen(
        [sys.executable, "-m", "monitor", "demo"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until(lambda: list(scratch.glob("monitor-demo-*")), "the scratch project")
        if working:
            until(lambda: agents(scratch), "the agent")
        process.send_signal(number)
        said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    assert list(scratch.iterdir()) == []
    assert agents(scratch) == []
