"""A thread of an app-server under the operator's hand: what is said on the wire, and what its answers are taken for."""

from __future__ import annotations

import json
import subprocess

import codex_wire as wire
import pytest

from monitor.actions import Action
from monitor.agents.codex.control import CodexChannel
from monitor.agents.codex.foreign import resuming
from monitor.agents.codex.launching import START
from monitor.channels.sent import Sent
from monitor.processes.identity import identify
from monitor.streams.record import Record


class Pipe:
    """A wire that keeps what is said, each line taken at once."""

    problem = ""
    waits = False

    def __init__(self):
        self.said = []
        self.finished = False
        self._news = []

    def say(self, line):
        self.said.append(json.loads(line))
        self._news.append((len(self.said), ""))
        return len(self.said)

    def poll(self):
        taken, self._news = self._news, []
        return taken

    def finish(self):
        self.finished = True

    def close(self):
        self.problem = "closed"


class Server:
    """What the app-server says, as the channel hears it from the log."""

    def __init__(self, channel, pipe):
        self.channel, self.pipe = channel, pipe
        self.told, self.offset = [], 0

    def says(self, *rows):
        for row in rows:
            data = json.dumps(row).encode()
            self.channel.hear(Record(wire.KEPT, 1, self.offset, len(data), data))
            self.offset += len(data)
        self.told += self.channel.receipts()

    def begins(self, *, turn=True):
        thread = {"id": START, "result": {"thread": {"id": wire.THREAD}}}
        self.says(wire.noted("agent->client", thread), *([wire.turn("turn/started")] if turn else []))

    def answers(self, **more):
        number = self.pipe.said[-1]["id"]
        self.says(wire.noted("agent->client", {"id": number, **more}))

    def steps(self, action):
        return [one.receipt for one in self.told if one.id == action]


@pytest.fixture
def agent():
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process
        process.kill()


@pytest.fixture
def pipe():
    return Pipe()


@pytest.fixture
def channel(agent, pipe):
    return CodexChannel(pipe, lambda: identify(agent.pid), resuming=resuming)


@pytest.fixture
def server(channel, pipe):
    return Server(channel, pipe)


def test_the_task_begins_the_first_turn(agent, pipe):
    """Asked once the thread is known and all is heard that was there; asked once."""
    channel = CodexChannel(pipe, lambda: identify(agent.pid), task="Rename it", begin=10)
    server = Server(channel, pipe)
    server.told += channel.receipts()
    assert pipe.said == []
    server.begins(turn=False)
    server.says()
    assert [(one["method"], one["params"]["input"][0]["text"]) for one in pipe.said] == [("turn/start", "Rename it")]


def test_words_are_steered_into_the_turn(server, channel, pipe):
    """With the turn that they are meant for; seen when the user's message stands in the thread, done with the turn."""
    server.begins()
    channel.send(Action("1", "feedback", "Look\nagain."))
    said = pipe.said[-1]
    assert (said["method"], said["params"]["expectedTurnId"], said["params"]["clientUserMessageId"]) == (
        "turn/steer",
        "t1",
        "1",
    )
    server.says(wire.user("Look\nagain.", "1"), wire.turn("turn/completed", "completed"))
    assert server.steps("1") == ["queued", "delivered", "seen", "done"]


def test_a_warning_comes_in_the_monitors_voice(server, channel, pipe):
    """What the monitor says is not the user's."""
    server.begins()
    channel.send(Action("1", "warn", "Look again."))
    assert pipe.said[-1]["params"]["input"][0]["text"].startswith("Notice from monitor")


def test_a_turn_that_ended_meanwhile_is_followed_by_another(server, channel, pipe):
    """A steer that came too late begins the next turn; anything else that Codex refuses has failed, with its words."""
    server.begins()
    channel.send(Action("1", "feedback", "Look."))
    late = {"code": -32600, "message": "no active turn to steer"}
    server.says(wire.turn("turn/completed", "completed"))
    server.answers(error=late)
    assert pipe.said[-1]["method"] == "turn/start"
    server.answers(error={"code": -32600, "message": "input is too large"})
    assert server.steps("1")[-1] == "failed"
    assert "input is too large" in server.told[-1].evidence


def test_a_turn_that_cannot_begin_is_asked_for_once(server, channel, pipe):
    """Words for which Codex begins no turn have failed, with its words; it is not asked again and again."""
    server.begins(turn=False)
    channel.send(Action("1", "feedback", "Look."))
    server.says(wire.noted("client->agent", pipe.said[-1]))
    server.answers(error={"code": -32600, "message": "no turn can be started now"})
    server.says()
    assert [one["method"] for one in pipe.said] == ["turn/start"]
    assert server.steps("1") == ["queued", "delivered", "failed"]
    assert "no turn can be started now" in server.told[-1].evidence


def test_now_interrupts_and_then_begins(server, channel, pipe):
    """The next turn is begun when the interrupted one has ended, not before."""
    server.begins()
    channel.send(Action("1", "feedback", "Stop.", when="now"))
    server.says()
    assert [one["method"] for one in pipe.said] == ["turn/interrupt"]
    server.says(wire.turn("turn/completed", "interrupted"))
    assert [one["method"] for one in pipe.said] == ["turn/interrupt", "turn/start"]


def test_what_comes_while_a_turn_is_asked_for(server, channel, pipe):
    """Words in that moment go into the turn once it has begun; words for now end it."""
    server.begins(turn=False)
    channel.send(Action("1", "feedback", "One."))
    channel.send(Action("2", "feedback", "Two."))
    channel.send(Action("3", "feedback", "Three.", when="now"))
    server.says()
    assert [one["method"] for one in pipe.said] == ["turn/start"]
    server.says(wire.turn("turn/started"))
    assert [one["method"] for one in pipe.said[1:]] == ["turn/steer", "turn/interrupt"]
    server.says(wire.turn("turn/completed", "interrupted"))
    assert pipe.said[-1]["params"]["input"][0]["text"] == "Three."


def test_questions_are_answered_or_refused(server, channel, pipe):
    """The call that is named is answered; what monitor cannot do is refused at once, so that nothing waits for ever."""
    server.begins()
    assert channel.can("allow") == "nothing waits for approval"
    for number, call in ((5, "c1"), (6, "c2")):
        asks = {
            "id": number,
            "method": "item/fileChange/requestApproval",
            "params": {"threadId": wire.THREAD, "itemId": call},
        }
        server.says(wire.noted("agent->client", asks))
    channel.send(Action("1", "deny", "No.", subject="c2"))
    assert pipe.said[-1] == {"id": 6, "result": {"decision": "decline"}}
    channel.send(Action("2", "allow", subject="c9"))
    channel.send(Action("3", "allow", subject="c1"))
    assert pipe.said[-1] == {"id": 5, "result": {"decision": "accept"}}
    server.says(wire.noted("agent->client", {"id": 7, "method": "item/tool/requestUserInput", "params": {}}))
    assert (pipe.said[-1]["id"], pipe.said[-1]["error"]["code"]) == (7, -32601)
    assert [server.steps(action)[-1] for action in "123"] == ["done", "failed", "done"]


def test_an_abort_interrupts_and_closes(server, channel, pipe):
    """What waits is dropped, the turn interrupted, and the input closed once the turn has ended."""
    server.begins()
    channel.send(Action("1", "feedback", "Later.", when="later"))
    channel.send(Action("2", "abort"))
    server.says()
    assert pipe.said[-1]["method"] == "turn/interrupt"
    assert not pipe.finished
    server.says(wire.turn("turn/completed", "interrupted"))
    assert pipe.finished
    assert server.steps("1")[-1] == "failed"
    assert server.steps("2")[-1] == "delivered"


def test_a_thread_that_cannot_begin_says_why(server, channel):
    """A setting that Codex refuses is told as the reason why no words go."""
    error = {"code": -32600, "message": "unknown model"}
    server.says(wire.noted("agent->client", {"id": START, "error": error}))
    assert channel.can("feedback") == "Codex gave no thread: unknown model"
    assert channel.how("feedback") == ""


def test_what_an_earlier_monitor_sent_is_followed(agent, pipe, tmp_path):
    """A message of a monitor that is gone is seen by a later one, from the same log; the thread can be resumed by command."""
    sent = Sent(tmp_path / "sent.jsonl")
    sent.add("1", Action("1", "feedback", "Look."))
    channel = CodexChannel(pipe, lambda: identify(agent.pid), sent=sent, resuming=resuming)
    server = Server(channel, pipe)
    server.begins()
    server.says(wire.user("Look.", "1"), wire.turn("turn/completed", "completed"))
    assert server.steps("1") == ["queued", "delivered", "seen", "done"]
    assert channel.offer("go on").startswith(f"codex exec resume {wire.THREAD} ")
