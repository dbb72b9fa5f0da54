"""Sessions of the real Claude Code with hooks, followed as `monitor TARGET` does."""

from __future__ import annotations

from contextlib import contextmanager

from waiting import until

from monitor.actions import Action
from monitor.opening import supervised


def waits(name):
    """A call that runs until a file is there."""
    return ("Bash", {"command": f"until [ -e {name} ]; do sleep 0.05; done; echo went {name}", "description": "wait"})


@contextmanager
def watched(started):
    """The run under a supervisor, as `monitor TARGET` opens it."""
    found = started.found()
    until(found.process, "its process")
    supervisor = supervised(found, started.repo)
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.close()
        assert not supervisor.problem


def running(started, count):
    """Wait until the call runs that came with this many requests."""
    until(lambda: started.transcript().count('"type":"tool_use"') >= count, f"call {count}")


def receipt(supervisor, action):
    return next((one.receipt for one in supervisor.snapshot.actions if one.id == action), "")


def act(supervisor, *given, **more):
    """Do something as soon as it can be done."""
    action = Action(*given, **more)
    until(lambda: supervisor.can(action.verb) == "", f"that one can {action.verb}")
    supervisor.act(action)
    return action
