"""A running session through its hooks: what can be done, and how far it got."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from monitor.actions import Action
from monitor.agents.claude.hooked import HookedChannel
from monitor.agents.lcode.hooked import LcodeHooks
from monitor.channels.signalling import SignalChannel
from monitor.events import Prompted, RequestEnded, ToolReturned, Waiting
from monitor.hooks import program
from monitor.hooks.installing import carry_out, plan_install, plan_remove
from monitor.hooks.mailbox import Mailbox
from monitor.hooks.places import mail, place_of
from monitor.processes.identity import identify
from monitor.streams.record import Input, Record

SESSION = "c1a64d2c-51dd-4cca-b4f9-cc6fee235a1c"


@pytest.fixture
def agent():
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process
        process.kill()


@pytest.fixture
def signals(agent):
    return SignalChannel(lambda: identify(agent.pid), offering=lambda text: f"claude --resume x -p {text}")


def installed(agent="claude"):
    place = place_of(agent, None)
    carry_out(plan_install(place))
    return place


def hook(name, agent="claude", **more):
    """What the agent's hook prints."""
    event = {"event": name} if agent == "lcode" else {"hook_event_name": name, "session_id": SESSION, **more}
    words = [str(mail(agent)), *([str(more["process"])] if agent == "lcode" else [])]
    done = subprocess.run(
        [sys.executable, "-I", "-S", program.__file__, *words],
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
    )
    return done.stdout.decode()


def record(row):
    data = json.dumps(row).encode()
    return Record(Input(0, "t", "transcript"), 1, 0, len(data), data)


def steps(channel, action):
    return [one.receipt for one in channel.receipts() if one.id == action]


def attachment(kind, **more):
    return record({"type": "attachment", "attachment": {"type": kind, **more}})


@pytest.fixture
def channel(signals):
    installed()
    made = HookedChannel(SESSION, lambda: None, signals)
    made.observe(Prompted(text="Rename", request=1))
    yield made
    made.close()


def test_without_hooks_it_is_as_before(signals):
    """Words need the hooks, and how to get them is said; signals work without."""
    channel = HookedChannel(SESSION, lambda: None, signals)
    assert channel.can("feedback").startswith("its hooks are not installed (monitor hooks install); it takes no words")
    assert channel.can("abort") == ""
    assert channel.how("abort") == signals.how("abort")
    assert not list(mail("claude").iterdir())
    channel.close()


def test_hooks_come_and_go_while_it_is_watched(signals, monkeypatch):
    """Installed while a monitor is attached they are used; removed, what waits is told as failed."""
    now = [1_000.0]
    channel = HookedChannel(SESSION, lambda: None, signals, clock=lambda: now[0])
    place = installed()
    now[0] += 10
    channel.receipts()
    assert channel.can("feedback") == ""
    channel.send(Action("1", "feedback", "Look."))
    carry_out(plan_remove(place))
    now[0] += 10
    told = [one for one in channel.receipts() if one.id == "1"]
    assert (told[-1].receipt, told[-1].evidence) == ("failed", "its hooks were removed")
    channel.close()


def test_words_from_the_box_to_the_transcript(channel):
    """Queued in the box, delivered when the hook took them, seen when the transcript has them, done with the request."""
    channel.send(Action("1", "feedback", "Look."))
    assert steps(channel, "1") == ["queued"]
    assert "Look." in hook("PostToolUse")
    assert steps(channel, "1") == ["delivered"]
    channel.hear(attachment("hook_additional_context", content=["Look."]))
    assert steps(channel, "1") == ["seen"]
    channel.observe(RequestEnded(text="Done."))
    assert steps(channel, "1") == ["done"]


def test_an_abort_ends_the_run_and_not_the_session(channel, agent):
    """Done when the transcript says that the run was ended; the process lives, and is signalled only when it is asked again."""
    plan = channel.plan()
    assert [step.asked for step in plan.steps] == [False, True, True, True]
    channel.send(Action("1", "abort", ""))
    reason = json.loads(hook("PreToolUse"))["stopReason"]
    channel.hear(attachment("hook_stopped_continuation", message=reason))
    assert steps(channel, "1")[-2:] == ["seen", "done"]
    assert agent.poll() is None


def test_an_abort_with_nothing_running_says_so(channel, agent):
    """A request that is over has no boundary; asked harder, the session is ended by signals, and the letter taken back."""
    channel.send(Action("0", "abort"))
    channel.observe(RequestEnded(text="Done."))
    channel.send(Action("1", "abort"))
    channel.send(Action("2", "abort", force="terminate"))
    told = {one.id: one for one in channel.receipts()}
    assert told["1"].receipt == "failed"
    assert told["1"].evidence.startswith("its request is over")
    assert told["0"].evidence.startswith("taken back")
    assert told["2"].channel == "signals"
    assert hook("PreToolUse") == ""


def test_a_question_in_its_terminal_is_answered_there(channel):
    """The hook comes before the question, so a call that waits already is not denied; the next one can be."""
    channel.observe(Waiting(about="Bash"))
    assert "answered there" in channel.can("deny")
    channel.observe(Waiting(over=True))
    assert channel.can("deny") == ""


def test_what_an_earlier_monitor_left_is_followed(channel):
    """A monitor that was killed leaves its words; the next one tells what became of them."""
    Mailbox("claude", SESSION).leave("words", Action("old", "warn", "x"), "From before.")
    later = HookedChannel(SESSION, lambda: None, SignalChannel(lambda: None))
    assert "From before." in hook("PreToolUse")
    assert steps(later, "old") == ["queued", "delivered"]
    later.close()


def test_only_one_monitor_answers(channel):
    """A second monitor leaves the order to ask to the first."""
    channel.send(Action("1", "refuse"))
    channel.receipts()
    assert [*mail("claude").glob("*/armed")]
    second = HookedChannel(SESSION, lambda: None, SignalChannel(lambda: None))
    second.receipts()
    second.close()
    assert [*mail("claude").glob("*/armed")]


def test_what_must_not_happen_unwatched_is_taken_back(signals):
    """Closed, an end and a denial are taken back, words stay; without any the box goes."""
    installed()
    channel = HookedChannel(SESSION, lambda: None, signals)
    channel.observe(Prompted(text="x", request=1))
    for number, verb in enumerate(("abort", "deny", "refuse", "feedback")):
        channel.send(Action(str(number), verb, "x"))
    channel.receipts()
    channel.close()
    assert [path.suffix for path in (mail("claude") / SESSION).glob("*.*")] == [".words"]
    again = HookedChannel(SESSION, lambda: None, signals)
    hook("PostToolUse")
    again.receipts()
    again.close()
    assert not (mail("claude") / SESSION).exists()


def test_lcode_by_its_hooks(agent, signals):
    """Words behind a result, a denied call; the evidence stands in the results that the model gets."""
    assert (
        LcodeHooks(lambda: identify(agent.pid), signals)
        .can("feedback")
        .startswith("its hooks are not installed (monitor hooks install --agent lcode")
    )
    installed("lcode")
    channel = LcodeHooks(lambda: identify(agent.pid), signals)
    assert (channel.can("feedback"), channel.can("deny"), channel.can("abort")) == ("", "", "")
    channel.send(Action("1", "feedback", "Look."))
    channel.send(Action("2", "deny", "No."))
    assert hook("before_tool", "lcode", process=agent.pid) == "No."
    assert hook("after_tool", "lcode", process=agent.pid) == "Look."
    channel.observe(ToolReturned(call="a", output="Error: a hook blocked this bash call: No."))
    channel.observe(ToolReturned(call="b", output="ok\n[A hook ran after this (test -r, exit code 1):\nLook.]"))
    told = channel.receipts()
    assert [one.receipt for one in told if one.id == "2"][-1] == "done"
    assert [one.receipt for one in told if one.id == "1"][-1] == "seen"
    channel.close()
