"""`monitor run` without a terminal, of an agent that monitor alone talks to: it ends with what it was asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import monitor

ROOT = Path(monitor.__file__).parents[1]
CALL = """
import sys
from monitor.commands.run import start
sys.exit(start(sys.argv[1:], agent="acp", task="Mend it", on_exit="go-on", project=None, theme=None, ascii_only=False))
"""
AGENT = """
import json, sys
how = sys.argv[1]
def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    match asked["method"]:
        case "initialize":
            name = "lcode" if how == "loop" else "mine"
            say(id=asked["id"], result={"protocolVersion": 1, "agentInfo": {"name": name}})
        case "session/new" if how == "no session":
            say(id=asked["id"], error={"code": -32000, "message": "log in first"})
        case "session/new":
            say(id=asked["id"], result={"sessionId": "s1"})
        case "session/prompt" if how == "error":
            say(id=asked["id"], error={"code": -32603, "message": "the model is gone"})
        case "session/prompt":
            told = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Done."}}
            say(method="session/update", params={"sessionId": "s1", "update": told})
            say(id=asked["id"], result={"stopReason": "max_turn_requests" if how == "loop" else "end_turn"})
"""


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("answered", 0, "Done is claimed"),
        ("error", 1, "The agent ended on an error: the model is gone"),
        ("loop", 1, "LOOPING"),
        ("no session", 1, "The agent ended on an error: log in first"),
    ],
)
def test_it_ends_with_what_it_was_asked(tmp_path, how, code, said):
    """Nobody would ask for more: its input is closed, so that it ends; its own code, always 0, tells nothing."""
    done = subprocess.run(
        [sys.executable, "-c", CALL, sys.executable, "-c", AGENT, how], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert said in " ".join(done.stdout.split())
    assert done.returncode == code
    assert "goes on" not in done.stderr
