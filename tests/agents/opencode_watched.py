"""A session of OpenCode's at work, followed and reached over its server."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from waiting import until

from monitor.actions import Action
from monitor.agents.opencode.control import OpenCodeChannel
from monitor.agents.opencode.server import PASSWORD
from monitor.launch.command import Prepared
from monitor.reaching import channel_of
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


def stand_in(port: int) -> Prepared:
    """A program that says where a server listens, and tells which password it was given."""
    code = (
        "import os, time; print('opencode server listening on http://127.0.0.1:%d', flush=True);"
        f"open('given', 'w').write(os.environ.get({PASSWORD!r}, '')); time.sleep(300)" % port
    )
    return Prepared(
        "opencode", (sys.executable, "-c", code), task="Fix it", env={PASSWORD: "made-up"}, ask={"model": "fake/one"}
    )


@contextmanager
def events_of(found):
    """What a run tells, as it is followed."""
    heard = []
    run = Supervisor(found, live=True, channel=channel_of(found), tap=lambda event, _: heard.append(event))

    def tells(kind):
        run.step()
        return [one for one in heard if isinstance(one, kind)]

    try:
        yield tells
    finally:
        run.close()
