"""A session of OpenCode's at work, followed and reached over its server."""

from __future__ import annotations

from waiting import until

from monitor.actions import Action
from monitor.agents.opencode.control import OpenCodeChannel
from monitor.supervisor import Supervisor


class Watch:
    """A run as it is followed, and what became of each action."""

    def __init__(self, found, channel=None):
        self.channel = channel or OpenCodeChannel(found.server, found.session, found.folder, lambda: None, wait=0.3)
        self.acted = []
        self.run = Supervisor(found, live=True, channel=self.channel, tap=self._tap)

    def _tap(self, event, run):
        if type(event).__name__ == "Acted":
            self.acted.append(event)

    def until(self, condition):
        def stepped():
            self.run.step()
            return condition()

        return until(stepped)

    def steps(self, name):
        return [one.receipt for one in self.acted if one.id == name]

    def evidence(self, name):
        return next((one.evidence for one in reversed(self.acted) if one.id == name), "")

    def send(self, *args, **more):
        self.run.act(Action(*args, **more))

    def close(self):
        self.run.close()


def done(fake, words="Done", prompt="", message=""):
    """The session answers, and rests."""
    message = message or fake.talk.reply(prompt)
    fake.talk.spoken(message, words, pieces=(words,))
    fake.talk.ended(message, "stop", prompt)
    fake.working = False
    fake.talk.idle()
    fake.flush()
