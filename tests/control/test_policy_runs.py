"""A policy on real runs: what it does to an agent, and what a dry run says of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import logs
import pytest

import monitor
from monitor.config import config_folder, state_folder
from monitor.launch.launched import LaunchedFinder
from monitor.targets import FINDERS

ROOT = Path(monitor.__file__).parents[1]
OBEYS = """
import json, sys, time
def say(**event): print(json.dumps(event), flush=True)
say(event="RunStarted", agent="mine", task="do")
say(event="Prompted", text="do")
say(event="ToolCalled", call="1", message="m", tool="edit", kind="write", changes=[{"file": "a", "old": "x", "new": "y"}])
say(event="ToolReturned", call="1", outcome="failed", failure="not_found", output="not found")
say(event="RequestEnded", text="Done.")
for line in sys.stdin:
    order = json.loads(line)
    if order["control"] == "message":
        say(event="Said", text="I was told: " + order["text"])
        say(event="RequestEnded", text="Done, really.")
    elif order["control"] == "abort":
        say(event="RunEnded", status="aborted")
        break
"""


def call(*words, cwd, **more):
    return subprocess.run(
        [sys.executable, "-m", "monitor", *map(str, words)], cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **more}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=90,
    )  # fmt: skip


def only_run():
    (folder,) = state_folder("runs").iterdir()
    return LaunchedFinder(FINDERS).open(folder)


@pytest.mark.parametrize("named", [True, False])
def test_a_policy_warns_and_then_ends_the_run(tmp_path, named):
    """Unattended, the agent is warned at its false claim, and its run is ended at the second: named, or the user's own."""
    policy = tmp_path / "mine.toml" if named else config_folder() / "policy.toml"
    policy.parent.mkdir(parents=True, exist_ok=True)
    policy.write_text('[failed_writes]\nwarn = "warn"\nstop = "abort"\n')
    words = ["--policy", policy] if named else []
    done = call("run", "--agent", "native", *words, "--", sys.executable, "-c", OBEYS, cwd=tmp_path)
    try:
        assert "Ended by the policy before it was done (failed_writes at stop: " in done.stdout, done.stderr
        heard = [json.loads(line) for line in (only_run().folder / "output").read_bytes().splitlines()]
        (told,) = [event for event in heard if event["event"] == "Said"]
        assert "make this change once more" in told["text"]
        assert heard[-1] == {"event": "RunEnded", "status": "aborted"}
    finally:
        if left := only_run().identity():
            os.kill(left.pid, signal.SIGKILL)


def rows(done):
    return [json.loads(line)["policy"] for line in done.stdout.splitlines()]


def test_a_dry_run_over_a_finished_log(tmp_path):
    """A dry run prints what would have been done, with reason and place, and nothing else."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:-1], *logs.answered(at=9.5), logs.FALSE_DONE[-1]))
    found = rows(call("watch", log, "--policy", "seed", "--dry-run", cwd=tmp_path))
    assert [(one["response"], one["reason"].partition(":")[0], one["held"], one["dry_run"]) for one in found] == [
        ("warn", "repeats at warn", None, True),
        ("warn", "failed_writes at warn", None, True),
        ("refuse", "done was claimed", None, True),
        ("abort", "failed_writes at stop", None, True),
        ("notify", "not made", None, True),
    ]
    assert all(one["finding"]["places"] for one in found if one["response"] in ("warn", "abort"))


def test_a_dry_run_waits_for_nobody(tmp_path):
    """A log that just stops, over which no process is known to work, is read to its end and not followed."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:-1]))
    found = rows(call("watch", log, "--policy", "seed", "--dry-run", cwd=tmp_path))
    assert [(one["response"], one["held"]) for one in found] == [
        ("warn", None), ("warn", None), ("refuse", None), ("abort", "the log ends there"),
    ]  # fmt: skip


def test_a_finished_log_is_not_acted_on(tmp_path):
    """Over a finished log a policy does nothing, and says why."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    done = call("watch", log, "--policy", "seed", cwd=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {one["policy"]["held"] for one in told if "policy" in one and one["policy"]["response"] != "notify"} == {
        "the run has ended"
    }
    assert not [one for one in told if "action" in one]


def test_a_dry_run_needs_a_policy(tmp_path):
    """A dry run without a policy is a wrong use."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    done = call("watch", log, "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--policy seed" in done.stderr
