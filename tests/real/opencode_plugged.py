"""The session of a window of the real OpenCode, reached through the plug-in."""

from __future__ import annotations

from opencode_launched import wait_for

from monitor.actions import Action
from monitor.agents.opencode.database import database
from monitor.agents.opencode.stored import newest
from monitor.reaching import channel_of
from monitor.supervisor import Supervisor
from monitor.targets import find


def session():
    """The session of the window, once it has one."""
    return wait_for(lambda: database().is_file() and newest(database()), "its session").session


class Watch:
    """The window's session, followed and reached as by `monitor`; opened again while a busy window answers too late."""

    def __init__(self, kind):
        name = session()
        self.found = wait_for(
            lambda: isinstance(found := find(name), kind) and found, f"{kind.__name__} of its session"
        )
        self.channel = channel_of(self.found)
        self._acted = []
        self.links = []
        self.run = Supervisor(self.found, live=True, channel=self.channel, tap=self._tap)

    def _tap(self, event, run):
        if type(event).__name__ == "Acted":
            self._acted.append(event)
        if type(event).__name__ == "SourceChanged":
            self.links.append(event.what)

    def until(self, condition, what):
        return wait_for(
            lambda: (self.run.step(), condition())[1], what, lambda: (self._acted, self.run.snapshot.verdict)
        )

    def steps(self, name):
        return list(dict.fromkeys(one.receipt for one in self._acted if one.id == name))

    def evidence(self, name):
        return next((one.evidence for one in reversed(self._acted) if one.id == name), "")

    def act(self, verb, text="", **more):
        """Do it once it can be done, to its end; its steps."""
        self.until(lambda: self.run.can(verb) == "", f"that it can be done: {self.run.can(verb)}")
        self.run.act(Action("1", verb, text, **more))
        self.until(lambda: self.steps("1")[-1:] in (["done"], ["failed"]), f"the end of {verb}")
        return self.steps("1")
