"""Control lines to agents that speak our own format: the demo's, and odd ones."""

from __future__ import annotations

import os
import signal
import sys

from kept_runs import kept, python, watched
from waiting import until

from monitor.actions import Action
from monitor.agents.native.control import NativeChannel
from monitor.channels.kept import KeptWire
from monitor.demo.files import SETTINGS
from monitor.demo.project import scratch_project
from monitor.launch.command import Prepared
from monitor.launch.start import launch, reached
from monitor.reaching import channel_of
from monitor.targets import FINDERS

SILENT = """
import sys, json, time
print(json.dumps({"event": "RunStarted", "agent": "silent"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"event": "Noticed", "text": "heard"}), flush=True)
print(json.dumps({"event": "RunEnded", "status": "completed"}), flush=True)
"""
HASTE = 0.5
"""Seconds each step of an abort is given here."""
DEAF = """
import json, time
print(json.dumps({"event": "RunStarted", "agent": "deaf"}), flush=True)
time.sleep(300)
"""


def hasty(found):
    """The channel of a run, with little patience."""
    return NativeChannel(KeptWire(reached(found.folder)), found.identity, mark=found.mark, wait=HASTE)


def test_a_newcomer_sees_feedback_being_seen():
    """Feedback to the demo's agent goes queued, delivered, seen; a warning too, in the monitor's voice."""
    with scratch_project() as project:
        prepared = Prepared("native", (sys.executable, "-m", "monitor.demo.agent", str(project)), listens=True)
        with kept(prepared, project) as found, watched(found, channel_of(found)) as watch:
            watch.reads("Prompted")
            assert watch.channel.can("feedback") == ""
            assert "control line" in watch.channel.how("feedback")
            watch.channel.send(Action("1", "feedback", "The screen is still English."))
            watch.channel.send(Action("2", "warn", "Two writes failed."))
            watch.until(lambda: watch.steps("1")[-1:] == ["seen"] and watch.steps("2")[-1:] == ["seen"])
            assert watch.steps("1") == ["queued", "delivered", "seen"]
            assert any(b"Notice from monitor" in one.data for one in watch.records)
            watch.channel.send(Action("3", "abort"))
            watch.until(lambda: watch.steps("3")[-1:] == ["done"])
            assert "asked to end by a control line" in watch.evidence("3")
            assert "SIGINT" not in watch.evidence("3")
            until(lambda: found.ended() is not None)
            assert (found.ended() or {})["code"] == 130
            assert (project / SETTINGS).is_file()


def test_what_cannot_be_known_is_said(tmp_path):
    """An agent that takes messages without a word leaves them delivered, and this is told; at its end they are lost."""
    with kept(python(SILENT), tmp_path) as found, watched(found, hasty(found)) as watch:
        watch.reads("RunStarted")
        watch.channel.send(Action("1", "feedback", "Hello?"))
        watch.reads("heard")
        watch.until(lambda: watch.steps("1") == ["queued", "delivered"])
        assert "has not told that it read it" in watch.evidence("1")
        watch.channel.send(Action("2", "abort"))
        watch.until(lambda: watch.steps("2")[-1:] == ["done"] and watch.steps("1")[-1:] == ["failed"])


def test_an_agent_that_does_not_obey_is_interrupted(tmp_path):
    """One that does not read its control lines gets SIGINT after the wait, and the receipt counts down to it."""
    with kept(python(DEAF), tmp_path) as found, watched(found, hasty(found)) as watch:
        watch.reads("RunStarted")
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        waits = [one.until for one in watch.told if one.id == "1" and one.until]
        assert waits
        assert "asked to end by a control line; SIGINT sent to" in watch.evidence("1")


def test_a_full_pipe_delays_and_never_blocks(tmp_path):
    """When the agent reads nothing, messages wait as queued; nothing hangs, and its end tells that they failed."""
    with kept(python(DEAF), tmp_path) as found, watched(found, channel_of(found)) as watch:
        watch.reads("RunStarted")
        for number in range(40):
            watch.channel.send(Action(f"m{number}", "feedback", "x" * 100_000))
        watch.until(lambda: watch.steps("m0"))
        assert watch.steps("m39")[-1] == "queued"
        root = found.identity()
        assert root is not None
        os.kill(root.pid, signal.SIGKILL)
        watch.until(lambda: watch.steps("m39")[-1:] == ["failed"])
        watch.until(lambda: watch.channel.can("feedback") == "the run has ended")


def test_one_monitor_at_a_time_holds_the_run(tmp_path):
    """A second monitor may watch and signal, but says that another already speaks to the agent; later it may."""
    with kept(python(SILENT), tmp_path) as found:
        first = channel_of(found)
        with watched(found, first) as one:
            one.reads("RunStarted")
            with watched(found, channel_of(found)) as two:
                two.until(lambda: two.channel.can("feedback") == "another monitor already controls this run")
                assert two.channel.can("abort") == ""
                plan = two.channel.plan()
                assert plan is not None
                assert [step.force for step in plan.steps][:1] == ["interrupt"], "what it cannot say is not announced"
                one.channel.close()
                two.until(lambda: two.channel.can("feedback") == "")
                two.channel.send(Action("0", "feedback", "I took over."))
                two.until(lambda: two.steps("0") == ["queued", "delivered"])
        with watched(found, channel_of(found)) as three:
            three.reads("RunStarted")
            three.channel.send(Action("1", "feedback", "Now me."))
            three.until(lambda: three.steps("1") == ["queued", "delivered"])


def test_a_later_monitor_finds_the_fate_of_what_was_sent(tmp_path):
    """What an earlier monitor sent is remembered with the run, and its fate told by the next."""
    with scratch_project() as project:
        prepared = Prepared("native", (sys.executable, "-m", "monitor.demo.agent", str(project)), listens=True)
        with kept(prepared, project) as found:
            with watched(found, channel_of(found)) as first:
                first.reads("Prompted")
                first.channel.send(Action("early", "feedback", "The screen is still English."))
                first.until(lambda: "delivered" in first.steps("early"))
            with watched(found, channel_of(found)) as later:
                later.until(lambda: later.steps("early")[-1:] == ["seen"])
                assert later.told[0].evidence == "sent by an earlier monitor"


def test_an_ended_run_says_so(tmp_path):
    """When the run is over nothing can be sent to it, and the reason is given."""
    found = launch(python('print(\'{"event": "RunEnded"}\')'), tmp_path, FINDERS)
    until(lambda: found.ended() is not None)
    with watched(found, channel_of(found)) as watch:
        assert watch.channel.can("feedback")
        assert watch.channel.can("abort") == "no process of this run is known"
        watch.channel.send(Action("1", "feedback", "Too late."))
        watch.channel.send(Action("2", "abort"))
        watch.until(lambda: watch.steps("1") == watch.steps("2") == ["queued", "failed"])
        assert watch.channel.plan() is None
