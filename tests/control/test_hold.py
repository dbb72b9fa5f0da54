"""Runs that are only watched: what but one monitor can have is left to others until the operator acts."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from found_machine import sleeper
from kept_runs import kept, python, receipts, watched
from waiting import until

from monitor.actions import Action
from monitor.agents.claude.hooked import HookedChannel
from monitor.agents.lcode.hooked import LcodeHooks
from monitor.channels.hold import RESTS, Hold
from monitor.channels.kept import KeptWire
from monitor.channels.named import UNHEARD, NamedWire
from monitor.channels.signalling import SignalChannel
from monitor.channels.wire import CLOSED
from monitor.config import state_folder
from monitor.hooks.installing import carry_out, plan_install
from monitor.hooks.places import mail, place_of
from monitor.processes.identity import identify
from monitor.reaching import channel_of

TALKS = """
import sys, json
print(json.dumps({"event": "RunStarted", "agent": "talks"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"event": "Noticed", "text": "heard"}), flush=True)
print(json.dumps({"event": "RunEnded", "status": "completed"}), flush=True)
"""


def test_a_run_that_is_watched_is_free_for_another(tmp_path):
    """A started run serves one monitor: who only watches leaves it alone, takes it when he acts, and gives it back."""
    hold = Hold(wanted=False)
    with kept(python(TALKS), tmp_path) as found, watched(found, channel_of(found, hold)) as watcher:
        watcher.reads("RunStarted")
        assert (watcher.channel.can("feedback"), watcher.channel.can("abort")) == (RESTS, "")
        with watched(found, channel_of(found)) as owner:
            owner.until(lambda: owner.channel.can("feedback") == "")
            owner.channel.send(Action("1", "feedback", "From its owner."))
            owner.until(lambda: owner.steps("1") == ["queued", "delivered"])
            hold.take()
            watcher.until(lambda: watcher.channel.can("feedback") == "another monitor already controls this run")
            hold.let_go()
            watcher.until(lambda: watcher.channel.can("feedback") == RESTS)
        watcher.step()
        assert watcher.channel.can("feedback") == RESTS, "that its owner is gone is no reason to take it"
        hold.take()
        watcher.until(lambda: watcher.channel.can("feedback") == "")
        watcher.channel.send(Action("2", "feedback", "From the overview."))
        hold.let_go()
        watcher.until(lambda: watcher.steps("2") == ["queued", "delivered"])
        watcher.until(lambda: watcher.channel.can("feedback") == RESTS)
        with watched(found, channel_of(found)) as other:
            other.until(lambda: other.channel.can("feedback") == "")


def test_a_wire_lets_go_only_when_all_is_said():
    """What is under way is told first, an end of the input is written; and a keeper that is gone is said when asked."""
    ours, theirs = socket.socketpair()
    hold = Hold()
    wire = KeptWire(ours, hold=hold, clock=lambda: 0.0)
    number = wire.say("a")
    hold.let_go()
    assert (wire.poll(), wire.problem) == ([], "")
    theirs.send(b'{"n": %d}\n' % number)
    assert (wire.poll(), wire.problem) == ([(number, "")], "")
    wire.finish()
    until(lambda: (wire.poll(), wire.problem)[1] == RESTS)
    assert theirs.recv(1000).endswith(b'{"close": true}\n')
    assert theirs.recv(1000) == b""
    assert wire.say("b")
    assert wire.poll() == [(2, RESTS)]
    hold.take()
    assert (wire.poll(), wire.problem) == ([], CLOSED)
    wire.close()
    theirs.close()


def test_an_agent_that_listens_is_not_connected_to(private_home):
    """It may serve the first who comes: who only watches does not come, nor looks who it is."""
    folder = state_folder("control")
    hold = Hold(wanted=False)
    wire = NamedWire(folder, hold)
    wire.know("nobody")
    assert wire.problem == UNHEARD
    with socket.socket(socket.AF_UNIX) as listens:
        here = Path.cwd()
        os.chdir(folder)
        try:
            listens.bind("s-1.sock")
        finally:
            os.chdir(here)
        listens.listen()
        listens.setblocking(False)
        wire = NamedWire(folder, hold)
        wire.know("s-1")
        assert (wire.poll(), wire.problem, wire.identity()) == ([], RESTS, None)
        with pytest.raises(BlockingIOError):
            listens.accept()
        hold.take()
        assert (wire.poll(), wire.problem) == ([], "")
        taken, _ = listens.accept()
        wire.say("hello")
        hold.let_go()
        until(lambda: (wire.poll(), wire.problem)[1] == RESTS)
        assert taken.recv(100) == b"hello\n"
        assert taken.recv(100) == b""
        taken.close()


@pytest.fixture
def agent(tmp_path):
    with sleeper(tmp_path / "w") as process:
        yield lambda: identify(process.pid)


def test_a_session_with_hooks_has_no_box_while_it_is_watched(private_home, agent):
    """Its mailbox, which one monitor answers, is made when the operator acts, and left when what he sent is over."""
    carry_out(plan_install(place_of("claude", None)))
    hold = Hold(wanted=False)
    channel = HookedChannel("c1a64d2c-51dd-4cca-b4f9-cc6fee235a1c", lambda: None, SignalChannel(agent), hold=hold)
    assert (channel.can("feedback"), channel.can("deny"), channel.can("pause")) == (RESTS, RESTS, "")
    assert not list(mail("claude").iterdir())
    hold.take()
    channel.receipts()
    assert channel.can("feedback") == ""
    channel.send(Action("1", "feedback", "Look."))
    hold.let_go()
    assert receipts(channel, "1", ("queued",))
    assert channel.hooked, "words wait in it"
    channel.close()


def test_lcode_with_hooks_has_no_box_while_it_is_watched(private_home, agent):
    """As with Claude Code, by its process."""
    carry_out(plan_install(place_of("lcode", None)))
    hold = Hold(wanted=False)
    channel = LcodeHooks(agent, SignalChannel(agent), hold=hold)
    assert (channel.can("feedback"), channel.can("abort")) == (RESTS, "")
    assert not list(mail("lcode").iterdir())
    hold.take()
    channel.receipts()
    assert (channel.can("feedback"), channel.can("deny")) == ("", "")
    hold.let_go()
    channel.receipts()
    assert channel.can("feedback") == RESTS
    assert not list(mail("lcode").iterdir())
    channel.close()


def test_the_hold_wakes_who_waits():
    """Once for each change of the wish, and not where it is the same."""
    woken: list[bool] = []
    hold = Hold(wanted=False)
    hold.wake = lambda: woken.append(hold.wanted)
    hold.let_go()
    hold.take()
    hold.take()
    hold.let_go()
    assert woken == [True, False]
