"""An agent that speaks ACP under the operator's hand, where it gives no session."""

from __future__ import annotations

import json
import subprocess

import pytest

from monitor.actions import Action
from monitor.agents.acp.control import AcpChannel, first_line
from monitor.agents.acp.decode import AcpDecoder
from monitor.events import Noticed, RequestEnded
from monitor.processes.identity import identify
from monitor.streams.record import Input, Record

SOURCE = Input(0, "output", "wire")
REFUSED = {"code": -32000, "message": "Authentication required"}


class Pipe:
    """A wire that keeps what is said."""

    problem = ""
    waits = False

    def __init__(self):
        self.said = [json.loads(first_line())]

    def say(self, line):
        self.said.append(json.loads(line))
        return len(self.said)

    def poll(self):
        return []

    def close(self):
        """Nothing is held."""


class Agent:
    """What the agent answers to what was said last, as the channel hears it from the log, and as the log is decoded."""

    def __init__(self, channel, pipe):
        self.channel, self.pipe, self.decoder = channel, pipe, AcpDecoder()
        self.told, self.events = [], []

    def answers(self, **more):
        asked = self.pipe.said[-1]
        for sender, message in (("client->agent", asked), ("agent->client", {"id": asked["id"], **more})):
            data = json.dumps({"dir": sender, "msg": {"jsonrpc": "2.0", **message}}).encode()
            record = Record(SOURCE, 1, 0, len(data), data)
            self.channel.hear(record)
            self.events += self.decoder.feed(record)
        for _ in range(3):
            self.told += self.channel.receipts()


@pytest.fixture
def process():
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("initialized", [True, False])
def test_an_agent_that_gives_no_session_is_asked_once(process, initialized):
    """It says why, and is not asked again; nothing can be said to it, and the run has failed."""
    pipe = Pipe()
    channel = AcpChannel(pipe, lambda: identify(process.pid), cwd="/p", task="Mend it")
    agent = Agent(channel, pipe)
    if initialized:
        agent.answers(result={"protocolVersion": 1})
    agent.answers(error=REFUSED)
    assert [one["method"] for one in pipe.said] == ["initialize", "session/new"][: 1 + initialized]
    assert channel.can("feedback") == "the agent gave no session: Authentication required"
    channel.send(Action("1", "feedback", "Look."))
    assert channel.receipts()[-1].receipt == "failed"
    assert [type(one) for one in agent.events[-2:]] == [Noticed, RequestEnded]
    assert (agent.events[-1].how, agent.events[-1].text) == ("error", "Authentication required")
