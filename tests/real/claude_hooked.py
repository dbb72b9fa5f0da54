"""Sessions of the real Claude Code with hooks, followed as `monitor TARGET` does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager, suppress

import psutil
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.hooks.places import mail
from monitor.opening import supervised


def waits(name):
    """A call that runs until a file is there."""
    return ("Bash", {"command": f"until [ -e {name} ]; do sleep 0.05; done; echo went {name}", "description": "wait"})


class OnceHooked(Sequence):
    """A first turn, then short calls until hooks have run, and only then the rest.

    When a running session takes up settings that were written meanwhile is its own matter; that its hooks run is seen.
    """

    def __init__(self, first, *rest):
        self._turns = [first, *rest]
        self.short = 0
        """How many short calls it took."""

    def __len__(self):
        return len(self._turns) + self.short

    def __iter__(self):
        return iter(self._turns)

    def __getitem__(self, number):
        if number == self.short + 1 and not [*mail("claude").glob("*/met")]:
            self.short = number
        if 0 < number <= self.short:
            return Turn(calls=(("Bash", {"command": "sleep 0.1", "description": "pass the time"}),))
        place = number - self.short if number else 0
        if place >= len(self._turns):
            raise IndexError(number)
        return self._turns[place]


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


def running(started, count, name):
    """Wait until the call runs that waits for a file and came with this many requests: the hook before it has ended."""
    until(lambda: started.transcript().count('"type":"tool_use"') >= count, f"call {count}")
    until(lambda: _at_work(started.process.pid, f"until [ -e {name} ]"), f"the shell that waits for {name}")


def _at_work(pid, command):
    """Whether something that a process started runs a command."""
    try:
        below = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return False
    for one in below:
        with suppress(psutil.Error):
            if command in " ".join(one.cmdline()):
                return True
    return False


def receipt(supervisor, action):
    return next((one.receipt for one in supervisor.snapshot.actions if one.id == action), "")


def act(supervisor, *given, **more):
    """Do something as soon as it can be done."""
    action = Action(*given, **more)
    until(lambda: supervisor.can(action.verb) == "", f"that one can {action.verb}")
    supervisor.act(action)
    return action
