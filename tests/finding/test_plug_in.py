"""An agent of another package, installed beside monitor; and a program that tells its own story. Both as in the README."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from moon import LOG, example, installed, run

from monitor.commands.report import judged


@pytest.fixture
def site(tmp_path):
    """A folder of packages in which the example is installed."""
    return installed(tmp_path / "site", example("plug-in"))


@pytest.fixture
def log(private_home):
    path = private_home / ".moon" / "run-1.log"
    path.parent.mkdir()
    path.write_text(LOG)
    return path


def test_its_runs_are_judged_and_listed(site, log):
    """By path, by name, in the list, and by the doctor: an agent of another package is one of ours."""
    told = json.loads(run(site, "report", str(log), "--format", "json", "--fail-on", "never").stdout)
    assert told["runs"][0]["agent"] == "moon"
    assert told["claims"][0]["text"] == "It shone."
    assert told["inputs"][0]["unknown_types"] == {"wane": 1}
    assert json.loads(run(site, "report", "run-1", "--format", "json").stdout) == told
    listed = json.loads(run(site, "runs", "--json").stdout)["runs"]
    assert [(one["agent"], one["session"], one["state"], one["how"]) for one in listed] == [
        ("moon", "run-1", "ended", "its last line")
    ]
    assert "moon-agent 1.0: its logs, ~/.moon/*.log; 1 run" in run(site, "doctor").stdout


def test_its_stream_is_recognised(site):
    """Piped in, the first lines show whose it is."""
    lines = run(site, "watch", "-", stdin=LOG).stdout.splitlines()
    assert json.loads(lines[-1])["verdict"]["claimed_done"] is True


def test_without_it_nobody_knows_its_logs(log, tmp_path):
    """The package is what makes the difference."""
    assert run(tmp_path, "report", str(log)).returncode == 3


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import no_such_module", "ModuleNotFoundError"),
        ("FINDER = 3", "its FINDER has no open"),
        ("raise SystemExit", "moon-agent 1.0: SystemExit"),
    ],
)
def test_one_that_is_broken_harms_no_other(site, private_home, code, problem):
    """It is named with what is wrong; everything else works."""
    (site / "moon_agent.py").write_text(code)
    native = private_home / "run.jsonl"
    native.write_text('{"event": "RunStarted", "agent": "mine"}\n{"event": "RequestEnded", "text": "Done."}\n')
    assert json.loads(run(site, "report", str(native), "--format", "json").stdout)["claims"][0]["text"] == "Done."
    assert problem in run(site, "doctor").stdout


def test_a_program_that_tells_its_own_story(tmp_path):
    """The twenty lines of the README work, and a failed edit under a claim of done is found."""
    log = tmp_path / "run.jsonl"
    script = tmp_path / "tiny.py"
    script.write_text(example("emit"))
    (tmp_path / "hello.txt").write_text("Good morning, world\n")
    with log.open("w") as out:
        subprocess.run([sys.executable, str(script)], cwd=tmp_path, stdout=out, check=True)
    told = judged(str(log), None)
    assert (told["verdict"]["state"], told["verdict"]["claimed_done"]) == ("not made", True)
    assert told["failed_writes"][0]["file"] == "hello.txt"
    assert told["inputs"][0]["unreadable"] == 0
    assert len([line for line in example("emit").splitlines() if line.strip()]) <= 21
