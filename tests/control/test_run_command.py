"""`monitor run` without a terminal: the agent's streams, its exit code, and what is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import until

import monitor
from monitor.config import state_folder
from monitor.launch.launched import LaunchedFinder
from monitor.targets import FINDERS

ROOT = Path(monitor.__file__).parents[1]
CALL = """
import sys
from monitor.commands.run import start
from monitor.errors import MonitorError
try:
    sys.exit(start(sys.argv[3:], agent=sys.argv[1], on_exit=sys.argv[2], project=None, theme=None, ascii_only=False))
except MonitorError as error:
    sys.exit(f"monitor: {error}")
"""
TELLS = """
import sys
print('{"event": "RunStarted", "agent": "mine", "task": "do"}')
print('{"event": "Prompted", "text": "do"}')
print('{"event": "RequestEnded", "text": "Done."}')
print('{"event": "RunEnded", "status": "completed"}', flush=True)
print("and a word on stderr", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
WAITS = """
import time
print('{"event": "RunStarted", "agent": "mine"}', flush=True)
time.sleep(300)
"""


def command(agent, on_exit, *words):
    return [sys.executable, "-c", CALL, agent, on_exit, *words]


def run(tmp_path, agent, *words):
    return subprocess.run(
        command(agent, "go-on", *words), cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_an_agent_that_is_done_at_once_is_measured(tmp_path):
    """The start was measured before it began, so that its claim can be judged, however fast it is."""
    done = run(tmp_path, "native", sys.executable, "-c", TELLS, "0")
    assert done.stdout.startswith("UNCHANGED: ")


def test_an_agent_that_works_elsewhere_is_not_called_idle(tmp_path):
    """Where it says that it works in another folder, nothing is said of the one it was started in."""
    (tmp_path / "here").mkdir()
    tells = TELLS.replace('"task": "do"', f'"cwd": "{tmp_path}/there"')
    done = run(tmp_path / "here", "native", sys.executable, "-c", tells, "0")
    assert done.stdout.startswith("CLAIMED: Done is claimed; nothing could be measured: the agent works in")


@pytest.mark.parametrize("code", [0, 7])
def test_its_exit_code_is_the_agents(tmp_path, code):
    """Without a terminal the report is printed at the end, the agent's own streams are not, and its code is kept."""
    done = run(tmp_path, "native", sys.executable, "-c", TELLS, str(code))
    assert done.returncode == code
    assert "mine" in done.stdout
    assert '"event"' not in done.stdout
    assert ("last words: and a word on stderr" in done.stderr) is (code != 0)
    assert "goes on" not in done.stderr


def test_a_command_that_is_not_there(tmp_path):
    """One line says what is wrong."""
    done = run(tmp_path, "", "no-such-program-at-all")
    assert done.stderr.splitlines()[-1].startswith("monitor: no-such-program-at-all: no such program")
    assert "Traceback" not in done.stderr


def only_run():
    """The one run that was started."""
    folders = list(state_folder("runs").iterdir())
    return LaunchedFinder(FINDERS).open(folders[0]) if folders else None


@pytest.mark.parametrize("on_exit", ["go-on", "stop"])
def test_the_agent_goes_on_or_is_stopped_at_the_exit(tmp_path, on_exit):
    """Interrupted, monitor leaves the agent running and says how to attach again, or ends it, as was asked."""
    process = subprocess.Popen(
        command("native", on_exit, sys.executable, "-c", WAITS), cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        until(lambda: (found := only_run()) and found.alive() and (found.folder / "output").stat().st_size)
        found = only_run()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if on_exit == "go-on":
            assert found.alive()
            assert f"the agent goes on; attach again with: monitor {found.title}" in errors
            os.kill(found.identity().pid, signal.SIGKILL)
        else:
            assert "SIGINT sent to" in errors
            assert "1 process ended" in errors
        until(lambda: found.ended() is not None)
        assert not found.alive()
    finally:
        process.kill()
        process.communicate()
        if (found := only_run()) and (left := found.identity()):
            os.kill(left.pid, signal.SIGKILL)
