"""What keeps an agent: full disks, full pipes, and a monitor that is gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kept_runs import kept, python
from waiting import until

import monitor
from monitor.errors import MonitorError
from monitor.keeping.connection import Pipe
from monitor.keeping.store import Store
from monitor.launch.command import Prepared
from monitor.launch.launched import LaunchedFinder
from monitor.launch.start import launch, prune, reached
from monitor.processes.signals import ignores
from monitor.targets import FINDERS, find

ROOT = Path(monitor.__file__).parents[1]
TALKS = """
import sys, time
for number in range(100000):
    print('{"event": "Said", "text": "%d"}' % number, flush=True)
    time.sleep(0.01)
"""
STARTS = """
import sys, os
from pathlib import Path
from monitor.launch.start import launch
from monitor.launch.command import prepare
from monitor.reaching import channel_of
from monitor.targets import FINDERS
found = launch(prepare([sys.executable, "-c", sys.argv[1]], "native"), Path.cwd(), FINDERS)
found.stops = sys.argv[2] == "stop"
channel = channel_of(found)
channel.receipts()
print(found.folder, flush=True)
sys.stdin.read()
"""


def started(code, on_exit, folder):
    """A monitor of its own that started an agent and can be killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTS, code, on_exit],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    return process, Path(process.stdout.readline().decode().strip())


def run_at(folder):
    return LaunchedFinder(FINDERS).open(folder)


def test_the_monitor_is_killed_and_the_agent_goes_on(tmp_path):
    """Killed with -9, the monitor takes nobody with it: the agent writes on, and a later monitor finds and ends it."""
    process, folder = started(TALKS, "go-on", tmp_path)
    found = run_at(folder)
    process.kill()
    process.communicate()
    size = (folder / "output").stat().st_size
    until(lambda: (folder / "output").stat().st_size > size + 100)
    assert found.alive()
    assert found.project() == tmp_path
    root = found.identity()
    os.kill(root.pid, signal.SIGINT)
    until(lambda: found.ended() is not None)
    assert found.ended()["code"] in (-signal.SIGINT, 1)
    assert found.alive() is False


def test_the_monitor_is_killed_and_the_agent_stops_where_that_was_asked(tmp_path):
    """With `--on-exit stop` the agent is ended even when the monitor was killed with -9."""
    process, folder = started(TALKS, "stop", tmp_path)
    found = run_at(folder)
    process.kill()
    process.communicate()
    until(lambda: found.ended() is not None)
    assert not found.alive()


def test_a_program_that_is_not_there(tmp_path):
    """A command that cannot be started is one line that says why, and leaves nothing running."""
    with pytest.raises(MonitorError, match="no such program"):
        launch(Prepared("other", ("no-such-program-at-all",)), tmp_path, FINDERS)
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(MonitorError, match="cannot be started"):
        launch(Prepared("other", (str(broken),)), tmp_path, FINDERS)


def test_a_keeper_that_does_not_start_in_time_is_told(tmp_path, monkeypatch):
    """On a machine too busy to start it, `monitor run` says so in one line."""
    monkeypatch.setattr("monitor.launch.start._PATIENCE", 0.0)
    with pytest.raises(MonitorError, match="keeper cannot be started"):
        launch(python("print(1)"), tmp_path, FINDERS)


def test_the_agent_takes_signals_and_has_a_session_of_its_own(tmp_path):
    """The keeper's own patience with signals is not handed down, and nothing of the terminal's reaches the agent."""
    with kept(python("import time; time.sleep(300)"), tmp_path) as found:
        root = found.identity()
        assert ignores(root.pid, signal.SIGINT) is False
        assert os.getsid(root.pid) == root.pid
        told = json.loads((found.folder / "agent.json").read_text())
        assert os.getsid(told["keeper"]) != os.getsid(0)
        os.kill(told["keeper"], signal.SIGTERM)
        os.kill(told["keeper"], signal.SIGHUP)
        assert found.alive()
        assert oct(found.folder.stat().st_mode)[-3:] == "700"
        assert oct((found.folder / "output").stat().st_mode)[-3:] == "600"
        assert oct((found.folder / "launch.json").stat().st_mode)[-3:] == "600"


def test_its_exit_code_and_last_words_are_kept(tmp_path):
    """How it ended stands in its folder, with the last line of its standard error."""
    code = "import sys; print('{}'); sys.stderr.write('one\\nall is \\x1b[31mlost\\n'); sys.exit(7)"
    found = launch(python(code), tmp_path, FINDERS)
    until(lambda: found.ended() is not None)
    assert found.ended()["code"] == 7
    assert found.last_words() == "all is ␛[31mlost"
    assert (found.folder / "output").read_text() == "{}\n"
    assert not (found.folder / "control.sock").exists()
    assert reached(found.folder) is None


def test_a_full_disk_costs_lines_and_says_so(tmp_path):
    """A line of its own says at once that lines are lost, another in the end how much; what comes after is whole."""
    full = Store(tmp_path / "output", reserve=True)
    full.add(b"one\ntwo")
    full._reserve = 1 << 60
    full.add(b" and a half\nthree\n")
    full.add(b"never kept\n")
    told = b"monitor: the output is not kept from here on, the disk being full"
    assert (tmp_path / "output").read_bytes().splitlines() == [b"one", b"two", told]
    assert full.lost == 29
    full._reserve = 0
    full.add(b"four\n")
    lines = (tmp_path / "output").read_bytes().split(b"\n")
    assert lines[0] == b"one"
    assert b"four" in lines
    assert any(b"29 bytes of the output were lost" in line for line in lines)


def test_nothing_is_started_that_could_not_be_seen(tmp_path, private_home, monkeypatch):
    """Where the disk has no room for the agent's output, it is not started, and one line says why."""
    monkeypatch.setattr("monitor.launch.start.RESERVE", 1 << 60)
    with pytest.raises(MonitorError, match="too little to keep what the agent says"):
        launch(python("print(1)"), tmp_path, FINDERS)
    assert list((private_home / ".local/state/monitor/runs").iterdir()) == []


def test_a_line_lost_in_part_is_lost_to_its_end(tmp_path):
    """When a line was begun while the disk was full, its rest is lost too."""
    full = Store(tmp_path / "output", reserve=True)
    full._reserve = 1 << 60
    full.add(b"lost beg")
    full._reserve = 0
    full.add(b"inning\nwhole\n")
    lines = (tmp_path / "output").read_bytes().splitlines()
    assert lines[-1] == b"whole"
    assert not any(b"inning" in line for line in lines)
    assert full.lost == len(b"lost beginning\n")


def test_standard_error_is_kept_up_to_a_limit(tmp_path):
    """More than the limit is counted, not kept."""
    errors = Store(tmp_path / "errors", most=10)
    errors.add(b"0123456789abc\n")
    errors.add(b"more\n")
    assert (tmp_path / "errors").stat().st_size <= 11
    assert errors.lost >= 9


def test_a_pipe_that_is_not_read_refuses_more(monkeypatch):
    """What waits for an agent is bounded; more is refused at once, and a broken pipe answers all that waits."""
    reads, writes = os.pipe()
    monkeypatch.setattr("monitor.keeping.connection._BACKLOG", 1_000_000)
    pipe = Pipe(os.fdopen(writes, "wb", buffering=0))
    for number in range(12):
        pipe.say(b"x" * 100_000, number)
    pipe.flush()
    assert ("it does not read its standard input") in dict(pipe.answers()).values()
    os.close(reads)
    pipe.flush()
    assert all(problem for _, problem in pipe.answers())
    pipe.say(b"late", 99)
    assert pipe.answers() == [(99, "its standard input is closed")]


def test_attaching_again_by_name_or_folder(tmp_path):
    """A started run is found again by its folder, and by a part of its name."""
    finder = LaunchedFinder(FINDERS)
    with kept(python(TALKS), tmp_path) as found:
        assert [one.title for one in finder.named(found.title[:20])] == [found.title]
        assert finder.open(found.folder / "output").title == found.title
        assert finder.named("") == finder.named("../x") == []
        until(lambda: (found.folder / "output").stat().st_size > 0)
        assert find(str(found.folder / "output")).agent == "native"


def test_old_runs_make_room(tmp_path):
    """Beyond the limit the oldest runs that ended go; one that runs, or ended of late, stays."""
    for number in range(5):
        folder = tmp_path / f"2026-0{number}"
        folder.mkdir()
        (folder / "output").write_bytes(b"x" * 1_000)
        if number != 1:
            (folder / "ended.json").write_text("{}")
    later = time.time() + 100_000
    prune(tmp_path, most=2_500, now=time.time())
    assert len(list(tmp_path.iterdir())) == 5
    prune(tmp_path, most=2_500, now=later)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["2026-01", "2026-03", "2026-04"]
