"""A policy on the real Claude Code: what it does unattended, proved by what the model receives."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from claude_sessions import session
from installed import needs
from turns import Turn
from waiting import until

from monitor.commands.hooks import install
from monitor.hooks.places import mail

pytestmark = [
    needs("Claude Code"),
    pytest.mark.xdist_group("claude"),
]
WAITS = ("Bash", {"command": "until [ -e a ]; do sleep 0.05; done", "description": "wait"})


@pytest.mark.parametrize("interactive", [True, False], ids=["in a terminal", "with -p"])
def test_a_false_claim_is_refused_as_often_as_the_policy_says(tmp_path, interactive):
    """Watched unattended, a session that claims to be done over a failed edit is held twice, each time with the reason."""
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.py").write_text("x = 1\n")
    policy = tmp_path / "policy.toml"
    policy.write_text('refuse = "not-made"\nrefusals = 2\n[failed_writes]\nstop = "notify"\n')
    edit = {"file_path": str(repo / "a.py"), "old_string": "y = 1", "new_string": "y = 2"}
    read = ("Read", {"file_path": str(repo / "a.py")})
    turns = [
        Turn(calls=(read,)),
        Turn(calls=(WAITS,)),
        Turn(calls=(("Edit", edit),)),
        Turn("Done."),
        Turn("Done."),
        Turn("Done."),
    ]
    assert install("claude", repo, refuse="never", yes=True) == 0
    with session(repo, turns, interactive=interactive) as started:
        until(lambda: started.transcript().count('"type":"tool_use"') >= 2, "the call that waits")
        target = str(started.found().inputs()[0].path)
        watch = subprocess.Popen(
            [sys.executable, "-m", "monitor", "watch", target, "--policy", policy, "--project", repo],
            env=dict(os.environ), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            until(lambda: [*mail("claude").glob("*/armed")], "the order to ask before a stop")
            (repo / "a").touch()
            last = started.asked(6)
            assert last.count("Stop hook feedback:") == 2
            assert "a change that you tried to make was not made" in last
            until(lambda: started.transcript().count("stop_hook_summary") >= 3, "the stop that was let be")
            assert len(started.conversations()) == 6
        finally:
            watch.terminate()
            rows = [json.loads(line) for line in watch.communicate(timeout=30)[0].splitlines()]
    refused = {
        row["action"]["at"]: row["action"]["receipt"] for row in rows if row.get("action", {}).get("action") == "refuse"
    }
    assert len(refused) == 2
    assert {row["action"]["by"] for row in rows if "action" in row} == {"policy"}
