"""The list calls an agent, its state and its time as the overview does."""

from __future__ import annotations

import json
import os
import time

import pytest
from found_machine import look, one, row, transcript
from kept_runs import kept, python
from waiting import until

from monitor.agents.listed import Listed
from monitor.commands.runs import age, listed
from monitor.finding.standing import Standing
from monitor.finding.viewing import Viewing

DAY = 86_400
TOLD = (
    {"event": "RunStarted", "agent": "gamma"},
    {"event": "ToolCalled", "call": "1", "tool": "shell", "kind": "shell"},
    {"event": "Waiting", "on": "approval", "about": "make", "call": "1"},
)


def program(*more, agent="native"):
    said = "".join(f"print({json.dumps(json.dumps(told))}, flush=True); " for told in (*TOLD, *more))
    return python(f"{said}import time; time.sleep(60)", agent=agent, listens=False)


@pytest.mark.parametrize("agent", ["native", "other"])
def test_a_run_in_our_own_format_has_its_own_name_and_waits(private_home, tmp_path, capsys, agent):
    """The name is that of its log, also beside others in the folder; the end of its log tells that it waits."""
    with kept(program(agent=agent), tmp_path) as launched:
        until(lambda: (launched.folder / "output").read_bytes().count(b"\n") == len(TOLD))
        found = one(look())
        assert (found.agent, found.called, found.state) == (agent, "gamma", "waiting")
        assert found.how.endswith("; its last word is that it waits")
        assert Standing(found).agent == "gamma"
        listed(as_json=False, everything=False)
        assert capsys.readouterr().out.split("\n")[1].split()[:2] == ["waiting", "gamma"]
        assert one(look()).alive


def test_a_run_that_waits_no_more_is_live(private_home, tmp_path):
    """Whatever it says after that it waits ends the wait."""
    with kept(program({"event": "ToolReturned", "call": "1", "outcome": "ok"}), tmp_path) as launched:
        until(lambda: (launched.folder / "output").read_bytes().count(b"\n") == len(TOLD) + 1)
        assert one(look()).state == "live"


def test_others_in_the_folder_are_called_by_their_names():
    """As the overview calls them, not by the format of their logs."""
    runs = tuple(
        Listed("native", name, None, "live", "it says so", "/home/mara/src", pid=pid, name=name)
        for pid, name in ((7, "gamma"), (8, "delta"))
    )
    sighting = type(look())(runs, ())
    view = Viewing().view(1, sighting, {}, lambda _key: (None, ""), looked=True)
    assert [one.together for one in view.live] == [("delta, process 8",), ("gamma, process 7",)]


def test_a_log_that_is_dated_far_ahead_stands_below_all_others(private_home):
    """Its time says nothing of when; it is told as the date that it is."""
    ahead, now = "6e1d1111-0000-4000-8000-000000000001", "6e1d1111-0000-4000-8000-000000000002"
    late = time.time() + 400 * DAY
    for session in (ahead, now):
        path = transcript(private_home, session, row(session, "go"))
        if session == ahead:
            os.utime(path, (late, late))
    assert [run.session for run in look().runs] == [now, ahead]
    assert age(late, time.time()) == time.strftime("%Y-%m-%d", time.gmtime(late))
    assert age(time.time() + 5, time.time()) == "0s"
