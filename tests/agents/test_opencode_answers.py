"""Answers to OpenCode's questions go to the calls they are meant for."""

from __future__ import annotations

import json

import pytest
from opencode_logs import CWD, SESSION, STREAM, Talk
from waiting import until

from monitor.actions import Action
from monitor.agents.opencode.control import OpenCodeChannel
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.events import Waiting
from monitor.streams.record import Record


class Answered:
    """A server that keeps which question was answered how."""

    way = "its server"

    def __init__(self):
        self.answers = []

    def reply(self, question, folder, answer, words):
        self.answers.append((question, answer))


@pytest.fixture
def asked():
    """Two calls that ask at once, heard before any of it is folded: how the run names them, and the channel."""
    talk, server = Talk(), Answered()
    message = talk.reply(talk.asked())
    state = {"status": "running", "input": {"command": "rm a"}}
    calls = [talk.part("tool", message, tool="bash", callID=f"call_{number}", state=state) for number in range(2)]
    for number in range(2):
        talk.tell("permission.asked", id=f"per_{number}", tool={"messageID": message, "callID": f"call_{number}"})
    channel, decoder, events = OpenCodeChannel(server, SESSION, CWD, lambda: None), OpenCodeDecoder(), []
    for event in talk.events:
        data = json.dumps(event).encode()
        record = Record(STREAM, 1, 0, len(data), data)
        channel.hear(record)
        events += decoder.feed(record)
    for event in events:
        channel.observe(event)
    assert [one.call for one in events if isinstance(one, Waiting)] == calls
    yield channel, server, calls
    channel.close()


def steps(channel, server, action):
    """Send it, and how far it got once its server has it, or it was refused."""
    told = []
    channel.send(action)

    def arrived():
        told.extend(one.receipt for one in channel.receipts() if one.id == action.id)
        return told[-1:] in (["delivered"], ["failed"])

    until(arrived)
    return told[-1], server.answers


def test_of_two_that_ask_at_once_the_one_that_is_named_is_answered(asked):
    """Whichever was heard last; and what was answered is not answered again, nor is the other in its place."""
    channel, server, (first, second) = asked
    assert steps(channel, server, Action("1", "allow", subject=first)) == ("delivered", [("per_0", "once")])
    assert steps(channel, server, Action("2", "allow", subject=first)) == ("failed", [("per_0", "once")])
    told, answers = steps(channel, server, Action("3", "deny", subject=second))
    assert (told, answers[1:]) == ("delivered", [("per_1", "reject")])
