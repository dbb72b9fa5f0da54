"""Sub-agents of a thread of an app-server under the operator's hand: what is theirs is not taken for the thread's."""

from __future__ import annotations

import json
import subprocess

import codex_wire as wire
import pytest

from monitor.actions import Action
from monitor.agents.codex.control import CodexChannel
from monitor.agents.codex.crew import Crew
from monitor.agents.codex.frame import read
from monitor.agents.codex.launching import START
from monitor.agents.codex.stopping import IDLE, Stopping
from monitor.agents.codex.thread import ThreadState
from monitor.channels.receipts import Receipts
from monitor.processes.identity import identify
from monitor.streams.record import Record

FIRST, SECOND, STRANGER = (f"01a22d2e-000{number}-7563-b0d6-6593a2bc72a7" for number in (1, 2, 9))


class Said:
    """A wire that takes each line at once."""

    problem = ""
    waits = False

    def __init__(self):
        self.lines = []
        self.finished = False

    def say(self, line):
        self.lines.append(json.loads(line))
        return len(self.lines)

    def poll(self):
        return []

    def finish(self):
        self.finished = True

    def close(self):
        """Nothing is open."""


def turn(method, whose, status="inProgress"):
    told = {"id": f"turn of {whose}", "rootTurnId": "t1", "status": status}
    return {"method": method, "params": {"threadId": whose, "turn": told}}


class Held:
    """What one client of a shared server hears and says."""

    def __init__(self):
        self.said, self.heard = Said(), []
        self.receipts = Receipts("test")
        self.state = ThreadState(self.said.say, "p")
        self.state.id = wire.THREAD
        self.crew = Crew(wire.THREAD)
        self.stopping = Stopping(self.receipts, self.state, self.crew, self.said.say)

    def hears(self, *messages):
        for one in messages:
            for frame in self.crew.hear(read(one.get("msg", one))):
                self.heard.append((frame.method, frame.params.get("threadId")))
                self.state.hear(frame)
                for line in self.crew.joining(frame, [FIRST, SECOND]):
                    self.said.say(line)
                own = frame.method == "turn/completed" and frame.params["threadId"] == wire.THREAD
                self.stopping.heard(frame.params["turn"]["status"] if own else None)

    def methods(self):
        return [(one["method"], one["params"].get("threadId")) for one in self.said.lines]

    def steps(self):
        return [(one.receipt, one.evidence) for one in self.receipts.take()]


@pytest.fixture
def held():
    return Held()


def test_an_abort_ends_every_turn(held):
    """It is asked for each turn that runs, and done when the last has ended, in whatever order they do."""
    held.hears(wire.turn("turn/started"), turn("turn/started", FIRST), turn("turn/started", SECOND))
    assert held.stopping.how().startswith("interrupts its turn and those of 2 sub-agents; the thread stays open")
    held.stopping.begin(Action("1", "abort"))
    assert sorted(held.methods()) == sorted(("turn/interrupt", one) for one in (FIRST, SECOND, wire.THREAD))
    held.hears(turn("turn/completed", FIRST, "interrupted"), wire.turn("turn/completed", "interrupted"))
    assert [step for step, _ in held.steps()] == ["queued", "delivered"]
    held.hears(turn("turn/completed", SECOND, "interrupted"))
    words = "its turn has ended: interrupted; no turn of 2 sub-agents runs any more"
    assert held.steps() == [("seen", words), ("done", words)]
    assert held.stopping.why_not() == IDLE


def test_one_that_had_ended_keeps_nothing_waiting(held):
    """Where the server refuses to end a turn, that turn does not run any more."""
    held.hears(wire.turn("turn/started"), turn("turn/started", FIRST))
    held.stopping.begin(Action("1", "abort"))
    refused = next(one["id"] for one in held.said.lines if one["params"]["threadId"] == FIRST)
    held.hears({"id": refused, "error": {"message": "no such turn"}}, wire.turn("turn/completed", "interrupted"))
    assert held.steps()[-1][0] == "done"


def test_a_sub_agent_alone_can_be_ended(held):
    """The thread's own turn is over, a sub-agent works on: there is something to abort."""
    held.hears(wire.turn("turn/started"), turn("turn/started", FIRST), wire.turn("turn/completed", "completed"))
    assert held.stopping.why_not() == ""
    assert held.stopping.how().startswith("interrupts the turn of 1 sub-agent;")
    held.stopping.begin(Action("1", "abort"))
    assert held.methods() == [("turn/interrupt", FIRST)]


def test_those_begun_before_are_asked_for(held):
    """Only kin that the server holds is listened to: taking up a closed one would bring it back."""
    asked = json.loads(held.crew.asking())
    held.hears({"id": asked["id"], "result": {"data": [FIRST, wire.THREAD, STRANGER]}})
    assert held.methods() == [("thread/resume", FIRST), ("thread/turns/list", FIRST)]
    held.hears({"id": held.said.lines[1]["id"], "result": {"data": [{"id": "x", "status": "inProgress"}]}})
    assert held.crew.turns == {FIRST: "x"}
    assert (held.crew.knows(FIRST), held.crew.knows(SECOND)) == (True, False)


@pytest.mark.parametrize(
    "answer", [{"error": {"message": "no"}}, {"result": {"data": None}}, {"result": {"data": [{"id": 3}]}}]
)
def test_whatever_is_answered(held, answer):
    """An answer that holds nothing of use changes nothing."""
    held.hears({"id": json.loads(held.crew.asking())["id"], **answer}, {"id": f"monitor-turns:{FIRST}", **answer})
    assert (held.said.lines, held.crew.turns) == ([], {})


def test_a_stranger_is_none_of_them(held):
    """Threads of other runs in the same server are left alone."""
    stranger = turn("turn/started", STRANGER)
    stranger["params"]["turn"]["rootTurnId"] = "another"
    held.hears(wire.turn("turn/started"), stranger)
    assert held.stopping.how().startswith("interrupts its turn;")


def spawned(whose):
    item = {"type": "collabAgentToolCall", "id": "c", "tool": "spawnAgent", "receiverThreadIds": [whose]}
    return {"method": "item/completed", "params": {"threadId": wire.THREAD, "item": item}}


def test_one_that_begins_before_it_is_told_whose_it_is(held):
    """Where the server says only then who started it, its turn and its question count from the moment it does."""
    asks = {"method": "item/commandExecution/requestApproval", "id": 7, "params": {"threadId": FIRST, "itemId": "x"}}
    held.hears(turn("turn/started", FIRST), turn("turn/started", STRANGER), asks)
    assert (held.heard, held.crew.turns) == ([], {})
    held.hears(spawned(FIRST))
    told = [("turn/started", FIRST), ("item/commandExecution/requestApproval", FIRST), ("item/completed", wire.THREAD)]
    assert held.heard == told
    assert held.crew.turns == {FIRST: f"turn of {FIRST}"}
    held.hears(spawned(FIRST))
    assert held.heard == [*told, ("item/completed", wire.THREAD)], "each is heard once"


def test_of_strangers_only_so_much_is_kept(held):
    """However much a server tells of threads that are not the run's, little is kept of it, the newest."""
    held.hears(turn("turn/started", FIRST), *(turn("turn/started", STRANGER) for _ in range(250)), spawned(FIRST))
    assert held.crew.turns == {}
    held.hears(turn("turn/started", SECOND), spawned(SECOND))
    assert held.crew.turns == {SECOND: f"turn of {SECOND}"}


@pytest.fixture
def own():
    """The channel of a server that monitor started."""
    said = Said()
    with subprocess.Popen(["sleep", "300"]) as process:
        channel = CodexChannel(said, lambda: identify(process.pid))
        offset = 0

        def says(*rows):
            nonlocal offset
            for row in rows:
                data = json.dumps(row).encode()
                channel.hear(Record(wire.KEPT, 1, offset, len(data), data))
                offset += len(data)
            return channel.receipts()

        says(wire.noted("agent->client", {"id": START, "result": {"thread": {"id": wire.THREAD}}}))
        says(wire.turn("turn/started"))
        yield channel, said, says
        process.kill()


def test_the_end_of_a_sub_agents_turn_is_not_the_threads(own):
    """Neither words nor an abort are done by it."""
    channel, said, says = own
    channel.send(Action("1", "feedback", "Look."))
    says(wire.user("Look.", "1"))
    channel.send(Action("2", "abort"))
    told = says({"msg": turn("turn/completed", FIRST, "completed")})
    assert not [one for one in told if one.receipt == "done"]
    assert not said.finished
    told = says(wire.turn("turn/completed", "interrupted"))
    assert [one.id for one in told if one.receipt == "done"] == ["1"]
    assert said.finished


def test_a_question_outlasts_the_turn_of_another(own):
    """A sub-agent's question stays open when its root's turn ends, and goes with its own."""
    channel, said, says = own
    asks = {"method": "item/commandExecution/requestApproval", "id": 7, "params": {"threadId": FIRST, "itemId": "x"}}
    says({"msg": asks}, wire.turn("turn/completed", "completed"))
    assert channel.can("allow") == ""
    channel.send(Action("1", "allow", subject="x"))
    assert said.lines[-1] == {"id": 7, "result": {"decision": "accept"}}
    says({"msg": {**asks, "id": 8}}, {"msg": turn("turn/completed", FIRST, "interrupted")})
    assert channel.can("allow") == "nothing waits for approval"
