"""The hook program, called as an agent calls it."""

from __future__ import annotations

import json
import os
import subprocess

from monitor.actions import Action
from monitor.hooks.places import command

SESSION = "c1a64d2c-51dd-4cca-b4f9-cc6fee235a1c"
WORDS = Action("w1", "feedback", "Read the file again.")


def event(name, **more):
    """What Claude Code says on the program's standard input."""
    return json.dumps({"cwd": "/p", "hook_event_name": name, "session_id": SESSION, **more}).encode()


def run(data, agent="claude"):
    """The installed command, as an agent's shell runs it."""
    environment = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        ["/bin/sh", "-c", command(agent)], input=data, capture_output=True, env=environment, check=False
    )


def told(data):
    """What Claude Code is told, as JSON; the command must have ended well and quietly."""
    done = run(data)
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout) if done.stdout else None
