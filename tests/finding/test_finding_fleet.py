"""Several runs attached at once: real logs, real supervisors, and a machine that a test decides on."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from found_machine import SESSION, Pretended, lcode, register, row, sleeper, transcript
from waiting import until

from monitor.agents.listed import Listed
from monitor.errors import MonitorError
from monitor.finding import attaching
from monitor.finding.fleet import Fleet
from monitor.finding.here import alone_here
from monitor.finding.listers import listers
from monitor.finding.standing import Place, standing
from monitor.finding.survey import Sighting, Survey
from monitor.opening import supervised
from monitor.targets import find

ID = "20261128-150000-abcdef"


@contextmanager
def fleet(survey=None, **more):
    found = Fleet(survey or Survey(listers(), Pretended), **more)
    try:
        yield found
    finally:
        found.close()


class Scripted:
    """A survey that a test decides on."""

    def __init__(self, *runs):
        self.runs = runs

    def look(self):
        return Sighting(tuple(self.runs), (Place("native", Path("/logs")),))


def native(path, *rows, state="live"):
    head = {"event": "RunStarted", "agent": "tiny"}
    path.write_text("".join(json.dumps(one) + "\n" for one in (head, *rows)))
    return Listed("native", path.stem, path, state, "so it is told", pid=1 if state == "live" else None, last=1.0)


def say(path, **event):
    with path.open("a") as file:
        file.write(json.dumps(event) + "\n")


def test_live_runs_are_attached_and_finished_ones_are_not(private_home, tmp_path):
    """What lives is followed at once, with its verdict; a finished log is read only when it stands on the screen."""
    live = native(tmp_path / "a.jsonl", {"event": "Prompted", "text": "go"})
    done = native(tmp_path / "b.jsonl", {"event": "RequestEnded", "text": "Done."}, state="ended")
    with fleet(Scripted(live, done)) as found:
        assert not found.view.looked
        found.look()
        until(lambda: found.view.live[0].snapshot.verdict.state == "running")
        assert (found.view.live[0].attached, found.view.ended[0].attached) == (True, False)
        assert found.view.ended[0].snapshot is None
        assert not found.judge()
        found.look_at([done.key])
        assert found.judge()
        assert found.view.ended[0].snapshot.verdict.claimed_done is True
        assert not found.judge()


def test_the_view_is_the_same_until_something_changes(tmp_path):
    """So that the screen need not draw again; an event makes another."""
    live = native(tmp_path / "a.jsonl", {"event": "Prompted", "text": "go"})
    with fleet(Scripted(live)) as found:
        found.look()
        until(lambda: found.view.live[0].snapshot.seq == 1)
        view = found.view
        found.look()
        assert found.view.live == view.live
        say(live.path, event="Said", text="a word")
        until(lambda: found.view.live[0].snapshot.seq == 2)
        assert found.view is not view


def test_the_mark_of_what_was_seen_last(tmp_path):
    """Each run has its own; what comes after it counts as new."""
    one, two = native(tmp_path / "a.jsonl"), native(tmp_path / "b.jsonl")
    with fleet(Scripted(one, two)) as found:
        found.look()
        until(lambda: all(run.snapshot.seq == 0 for run in found.view.live))
        found.seen(one.key)
        for listed in (one, two):
            say(listed.path, event="Prompted", text="go")
        until(lambda: all(run.snapshot.seq == 1 for run in found.view.live))
        until(lambda: standing(found.view, one.key).new == 1)
        assert standing(found.view, two.key).new == 0
        found.seen(one.key)
        assert standing(found.view, one.key).new == 0


def test_an_end_asks_to_be_looked_at_once(tmp_path):
    """A run that ends while it is followed is fresh until it was seen; then it needs nobody."""
    live = native(tmp_path / "a.jsonl", {"event": "Prompted", "text": "go"})
    survey = Scripted(live)
    with fleet(survey) as found:
        found.look()
        until(lambda: found.view.live[0].snapshot.seq == 1)
        say(live.path, event="RunEnded", status="completed")
        survey.runs = (replace(live, state="ended", pid=None),)
        found.look()
        until(lambda: found.view.ended[0].snapshot.run.over)
        assert (found.view.ended[0].fresh, found.view.ended[0].urgency) == (True, 1)
        found.seen(live.key)
        found.look()
        assert (found.view.ended[0].fresh, found.view.ended[0].urgency) == (False, 0)


def test_what_has_answered_and_rests_is_live(private_home, tmp_path):
    """Its log tells its end, but its process waits for words: it stands where its list has it, until that is gone."""
    log = tmp_path / "a.jsonl"
    live = native(log, {"event": "Prompted", "text": "go"}, {"event": "RequestEnded", "text": "Done."})
    survey = Scripted(replace(live, state="idle"))
    say(log, event="RunEnded", status="completed")
    with fleet(survey) as found:
        found.look()
        until(lambda: found.source(live.key).ended)
        assert [one.listed.state for one in found.view.live] == ["idle"]
        assert not found.view.live[0].over
        survey.runs = (replace(live, state="ended", pid=None),)
        found.look()
        assert (found.view.live, found.view.ended[0].over) == ((), True)


def test_entering_a_finished_run(tmp_path):
    """It is attached then, without a journal of its own, and stays to be gone back to."""
    done = native(tmp_path / "b.jsonl", {"event": "RequestEnded", "text": "Done."}, state="ended")
    with fleet(Scripted(done)) as found:
        found.look()
        source = found.enter(done.key)
        assert found.enter(done.key) is source
        until(lambda: source.snapshot.verdict.claimed_done is True)
        assert found.view.ended[0].attached


def test_what_cannot_be_read_says_why(tmp_path):
    """A log that is gone, and one that is no log: said beside the run, never raised but to who enters."""
    gone = replace(native(tmp_path / "a.jsonl"), path=tmp_path / "no.jsonl")
    with fleet(Scripted(gone)) as found:
        found.look()
        assert "no such file" in found.view.live[0].problem
        with pytest.raises(MonitorError):
            found.enter(gone.key)
        with pytest.raises(MonitorError, match="no longer there"):
            found.enter("native:moon")


def test_an_adopted_run_stays_its_owners(tmp_path):
    """What was followed before is not followed twice, and is not closed with the overview."""
    live = native(tmp_path / "a.jsonl")
    mine = supervised(find(str(live.path)), None)
    mine.start()
    try:
        with fleet(Scripted(live)) as found:
            found.adopt(mine)
            found.look()
            assert found.source(live.key) is mine
        say(live.path, event="Prompted", text="go")
        until(lambda: mine.snapshot.seq == 1)
    finally:
        mine.close()


def test_no_more_than_so_many_are_attached(tmp_path):
    """The limit holds; the others are listed, and say what the machine tells."""
    runs = [native(tmp_path / f"{number}.jsonl") for number in range(26)]
    with fleet(Scripted(*runs)) as found:
        found.look()
        assert sum(one.attached for one in found.view.live) == 24
        assert len(found.view.live) == 26


def test_of_many_runs_each_is_read_less_often(tmp_path):
    """Up to five are read each second while nobody looks; of more, no more than five in each second."""
    runs = [native(tmp_path / f"{number}.jsonl") for number in range(15)]
    holds = []

    def attach(listed, hold):
        holds.append(hold)
        return attaching.attached(listed, hold)

    survey = Scripted()
    with fleet(survey, attach=attach) as found:
        for number, beat in ((5, 1.0), (6, 2.0), (10, 2.0), (11, 3.0), (15, 3.0)):
            survey.runs = runs[:number]
            found.look()
            assert [hold.beat for hold in holds] == [beat] * number


def test_it_looks_by_itself(private_home):
    """Started, it finds what is there and what comes."""
    with fleet() as found:
        found.start()
        until(lambda: found.view.looked)
        lcode(private_home, ID)
        until(lambda: len(found.view.ended) == 1)


def test_a_real_session_of_a_live_process(private_home, tmp_path):
    """From its file to its verdict: the process is verified, its log is read, its folder is its own."""
    transcript(private_home, SESSION, row(SESSION, "Add the German strings"))
    with sleeper(tmp_path / "w") as process, fleet() as found:
        register(private_home, process.pid)
        found.look()
        until(lambda: found.view.live and found.view.live[0].snapshot.verdict.state == "running")
        assert found.view.live[0].listed.folder == str(tmp_path / "w")
        assert found.source(found.view.live[0].key).found.title == SESSION


def test_one_that_has_written_nothing_is_not_attached(private_home, tmp_path):
    """It is listed, and whoever enters it is told."""
    with sleeper(tmp_path / "w") as process, fleet() as found:
        register(private_home, process.pid, status="idle")
        found.look()
        assert not found.view.live[0].attached
        with pytest.raises(MonitorError, match="written nothing"):
            attaching.opened(found.view.live[0].listed)


def test_the_one_agent_of_a_folder(tmp_path):
    """Where exactly one works, in it or above it, that one is meant; two, or none, are for the overview."""
    one = Listed("claude", "s", tmp_path / "t.jsonl", "live", "", folder=str(tmp_path / "app"), pid=1)
    (tmp_path / "app" / "src").mkdir(parents=True)
    (tmp_path / "application").mkdir()
    assert alone_here([one], tmp_path / "app") is one
    assert alone_here([one], tmp_path / "app" / "src") is one
    assert alone_here([one], tmp_path) is None
    assert alone_here([one], tmp_path / "application") is None
    assert alone_here([one, replace(one, session="t", pid=2)], tmp_path / "app") is None
    assert alone_here([replace(one, state="ended", pid=None)], tmp_path / "app") is None
    assert alone_here([replace(one, path=None)], tmp_path / "app") is None
