"""A run whose terminal is a tmux pane: what can be done there, in which order, and how far it got."""

from __future__ import annotations

import os
import shutil
import signal

import pytest
from panes import tmux_server
from waiting import until

from monitor.actions import Action
from monitor.channels.orders import ASKS
from monitor.channels.pane import COOKED
from monitor.channels.paned import PaneChannel
from monitor.channels.signalling import SignalChannel
from monitor.control import NoChannel
from monitor.events import Prompted, RequestEnded, Waiting
from monitor.hand import Hand
from monitor.processes import ladder
from monitor.ui.present.address import ways

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Told:
    """What the agent says that it does."""

    def __init__(self) -> None:
        self.word = ""

    def __call__(self) -> str:
        return self.word


@pytest.fixture
def server(tmp_path):
    with tmux_server(tmp_path) as made:
        yield made


@pytest.fixture
def seat(server):
    return server.seat()


@pytest.fixture
def told():
    return Told()


def watched(seat, told, **more):
    """The channel of the recorder's run, its pane found."""
    identity = seat.identity
    signals = SignalChannel(lambda: identity, offering=lambda text: f"claude --resume x -p {text}", **more)
    channel = PaneChannel(signals, lambda: signals.identity, told)
    until(lambda: channel.receipts() or not isinstance(channel.terminal, str), "the pane")
    return channel


@pytest.fixture
def channel(seat, told):
    made = watched(seat, told, remains=lambda: "claude --resume x opens it again")
    yield made
    made.close()


def got_to(channel, action, receipt):
    """Wait for a receipt; its evidence, and all steps so far."""
    steps = []

    def came():
        steps.extend((one.receipt, one.evidence) for one in channel.receipts() if one.id == action)
        return [evidence for name, evidence in steps if name == receipt]

    return until(came, f"{receipt} of {action}")[-1], [name for name, _ in steps]


def test_words_are_pasted_and_seen_in_the_transcript(channel, seat):
    """Without hooks words can be sent all the same: delivered when tmux took them, seen as a prompt, done with its turn."""
    assert channel.can("feedback") == ""
    channel.send(Action("1", "feedback", "Look\nagain."))
    assert got_to(channel, "1", "delivered")[0].startswith("pasted into tmux work:0.0")
    assert seat.hears(b"\r") == b"\x1b[200~Look\nagain.\x1b[201~\r"
    channel.observe(Prompted(text="Something else", by="user"))
    assert channel.receipts() == []
    channel.observe(Prompted(text="Before\n\n<pasted_content>\nLook\n  again.\n</pasted_content>", by="user"))
    assert got_to(channel, "1", "seen")[1] == ["seen"]
    channel.observe(RequestEnded(text="Done."))
    assert got_to(channel, "1", "done")[1] == ["done"]


def test_an_old_prompt_is_no_evidence(channel, seat):
    """A prompt that is older than the paste, as an earlier log holds it, is not taken for it."""
    channel.send(Action("1", "feedback", "Go on."))
    got_to(channel, "1", "delivered")
    channel.observe(Prompted(text="Go on.", by="user", at=1_000.0))
    assert channel.receipts() == []


def test_now_ends_the_turn_and_then_pastes(channel, seat, told):
    """Escape first; the words follow when the agent's own record says that the turn has ended, and not before."""
    channel.observe(Prompted(text="Rename", by="user"))
    told.word = "busy"
    channel.send(Action("1", "feedback", "Stop that.", when="now"))
    assert seat.hears(b"\x1b") == b"\x1b"
    until(lambda: [one for one in channel.receipts() if "Escape was pressed" in one.evidence], "its receipt")
    assert seat.heard.read_bytes() == b"\x1b"
    channel.observe(RequestEnded(how="interrupted"))
    got_to(channel, "1", "delivered")
    assert seat.hears(b"\r") == b"\x1b\x1b[200~Stop that.\x1b[201~\r"


def test_now_without_an_end_pastes_nothing(seat, told):
    """A turn that Escape does not end gets no words, and it is said."""
    now = [1_000.0]
    identity = seat.identity
    signals = SignalChannel(lambda: identity)
    channel = PaneChannel(signals, lambda: signals.identity, told, clock=lambda: now[0])
    until(lambda: channel.receipts() or not isinstance(channel.terminal, str), "the pane")
    told.word = "busy"
    channel.send(Action("1", "feedback", "Stop that.", when="now"))
    seat.hears(b"\x1b")
    until(lambda: [one for one in channel.receipts() if "Escape was pressed" in one.evidence], "its receipt")
    now[0] += 10
    assert got_to(channel, "1", "failed")[0] == "Escape did not end its turn; nothing was pasted"
    assert seat.heard.read_bytes() == b"\x1b"
    channel.close()


def test_a_question_in_the_terminal_is_not_answered_by_words(channel, seat, told):
    """While it asks something, a paste and Enter would be the answer: nothing is typed, by what is known before and then."""
    channel.observe(Waiting(about="Bash"))
    channel.send(Action("1", "feedback", "Look."))
    assert got_to(channel, "1", "failed")[0] == ASKS
    channel.observe(Waiting(over=True))
    told.word = "waiting"
    channel.send(Action("2", "feedback", "Look."))
    assert got_to(channel, "2", "failed")[0] == ASKS
    assert seat.heard.read_bytes() == b""


def test_the_ways_to_choose_from(channel, seat, told):
    """The box offers the paste and the cut; a warning, which one key sends, is never typed."""
    found = ways(lambda when: channel.how("feedback", when))
    assert [way.when for way in found] == ["next", "now"]
    assert found[0].words.startswith("a paste in its terminal, which is tmux work:0.0")
    assert found[1].words.startswith("Escape, then a paste")
    assert channel.can("warn").startswith("it takes no words while it runs")
    assert channel.how("warn") == ""


def test_escape_comes_before_signals(channel, seat, told):
    """An abort is Escape, done when the turn has ended; the process lives, and the plan says what harder ones do."""
    told.word = "busy"
    plan = channel.plan()
    assert [(step.force, step.asked) for step in plan.steps] == [
        ("ask", False), ("interrupt", True), ("terminate", True), ("kill", True),
    ]  # fmt: skip
    assert "the session stays open" in plan.steps[0].words
    assert plan.remains == "claude --resume x opens it again"
    channel.send(Action("1", "abort"))
    assert seat.hears(b"\x1b") == b"\x1b"
    got_to(channel, "1", "delivered")
    assert "SIGINT to the agent" in channel.plan().steps[-2].words, "asked again, it is interrupted first"
    channel.observe(RequestEnded(how="interrupted"))
    assert got_to(channel, "1", "done")[1] == ["seen", "done"]
    assert seat.identity


def test_a_turn_whose_end_no_record_tells(channel, seat, told):
    """A prompt that is taken back by Escape leaves nothing in the transcript: the session file says that nothing runs."""
    told.word = "busy"
    channel.send(Action("1", "abort"))
    got_to(channel, "1", "delivered")
    told.word = "idle"
    assert "session file" in got_to(channel, "1", "done")[0]


def test_asked_harder_signals_follow(channel, seat, told, monkeypatch):
    """Where Escape ended nothing, the next is by signals, and the first is given up."""
    monkeypatch.setattr(ladder, "WAIT", 0.1)
    told.word = "busy"
    channel.send(Action("1", "abort"))
    got_to(channel, "1", "delivered")
    identity = seat.identity
    channel.send(Action("2", "abort", force="kill"))
    told_of = {}

    def ended():
        told_of.update({one.id: one for one in channel.receipts()})
        return told_of["2"].receipt == "done"

    until(ended, "its end")
    assert (told_of["1"].receipt, told_of["1"].evidence) == ("failed", "signals follow")
    assert told_of["2"].channel == "signals"
    assert identity.pid


def test_what_is_done_is_what_was_shown(channel, seat, told):
    """An idle session has no turn to end: signals, where that was shown; never where Escape was."""
    told.word = "busy"
    assert channel.plan().steps[0].force == "ask"
    told.word = "idle"
    channel.send(Action("1", "abort"))
    assert got_to(channel, "1", "failed")[0].startswith("its request was over by then")
    assert channel.plan().steps[0].force == "interrupt"
    assert channel.how("abort") == "by signals to its process and all it started"
    channel.send(Action("2", "abort"))
    until(lambda: [one for one in channel.receipts() if one.id == "2" and one.channel == "signals"], "signals")
    assert seat.heard.read_bytes() in (b"", b"\x03")


def test_a_pane_that_cannot_be_typed_into_leaves_signals(server, told):
    """What tmux or the terminal refused once is not tried again at once: the reason is said, and signals are left."""
    seat = server.seat("lines")
    channel = watched(seat, told)
    told.word = "busy"
    channel.send(Action("1", "abort"))
    assert got_to(channel, "1", "failed")[0] == COOKED
    assert channel.terminal == COOKED
    assert channel.can("feedback").startswith(COOKED)
    assert channel.plan().steps[0].force == "interrupt"
    channel.close()


def test_a_run_that_is_only_shown_is_not_typed_into(seat):
    """Where it is not known what Escape does, the pane is shown and nothing is typed."""
    channel = watched(seat, None)
    hand = Hand(channel, None, lambda: 0.0)
    assert hand.terminal().name == "work:0.0"
    assert channel.can("feedback").startswith("it takes no words while it runs")
    assert channel.how("abort") == "by signals to its process and all it started"
    assert Hand(NoChannel("no way"), None, lambda: 0.0).terminal() == "no terminal of this run is known"
    channel.close()


def test_the_end_of_its_process_ends_what_is_open(channel, seat, told):
    """Killed meanwhile, the pane is forgotten; words that were on their way have failed."""
    channel.send(Action("1", "feedback", "Look."))
    got_to(channel, "1", "delivered")
    os.kill(seat.identity.pid, signal.SIGKILL)
    assert got_to(channel, "1", "failed")[0] == "its process is gone"
    assert "no process" in channel.terminal
