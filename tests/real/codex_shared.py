"""A thread in the real Codex's shared server, at work for its user, who is another client; and monitor's watch of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import contextmanager

from codex_launched import CODEX, configured, receipt, wait_for
from model import ScriptedModel

from monitor.agents.codex.find import FINDER
from monitor.agents.codex.launching import first
from monitor.agents.codex.process import home
from monitor.channels.kept import connected
from monitor.channels.websocket import WebSocket
from monitor.opening import supervised

SOCKET = ("app-server-control", "app-server-control.sock")


class User:
    """The user's own window: another client of the server."""

    def __init__(self):
        self.heard = []
        self.socket = WebSocket(wait_for(lambda: connected(home().joinpath(*SOCKET)), "the server's socket"), "/rpc")

    def says(self, line):
        self.socket.say(line)
        wait_for(lambda: self.socket.poll() and not self.socket.waits, "that it is sent")

    def hears(self, method):
        """Wait until the server has said this since asked last; its message."""

        def came():
            self.socket.poll()
            self.heard += [json.loads(text) for text in self.socket.heard()]
            return next((one for one in self.heard if one.get("method") == method or one.get("id") == method), None)

        found = wait_for(came, f"{method}, and not {self.heard}")
        self.heard = self.heard[self.heard.index(found) + 1 :]
        return found


@contextmanager
def shared(repo, turns, agents=None, before=lambda _: True, **more):
    """A server with a thread at work on a script for its user, and monitor's watch of it once `before` holds."""
    with ScriptedModel(turns, agents=agents) as model:
        configured(model, repo, **more)
        with subprocess.Popen(
            [str(CODEX), "app-server", "--listen", "unix://"], cwd=repo, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as server:  # fmt: skip
            try:
                user = User()
                for line in first({"cwd": str(repo)}):
                    user.says(line)
                thread = user.hears("thread/started")["params"]["thread"]["id"]
                asks = {"threadId": thread, "input": [{"type": "text", "text": "Say hi instead"}]}
                user.says(json.dumps({"id": "u1", "method": "turn/start", "params": asks}))
                found = wait_for(lambda: FINDER.open(home()), "the rollout")
                wait_for(found.process, "its process")
                wait_for(lambda: before(model), "what comes before monitor")
                supervisor = supervised(found, repo)
                supervisor.start()
                try:
                    yield supervisor, model, user
                finally:
                    supervisor.close()
                    assert not supervisor.problem
                    user.socket.close()
            finally:
                os.killpg(server.pid, signal.SIGKILL)


def came(supervisor, action, *receipts):
    wait_for(lambda: receipt(supervisor, action) in receipts, f"{receipts}: {supervisor.snapshot.actions}")
    return [step for step, _ in next(one.steps for one in supervisor.snapshot.actions if one.id == action)]


def can(supervisor, verb):
    wait_for(lambda: supervisor.can(verb) == "", f"{verb}: {supervisor.can(verb)}")
