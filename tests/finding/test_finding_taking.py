"""A run of the overview is watched until the operator acts: then its channel is taken, and given back."""

from __future__ import annotations

import os
from dataclasses import replace

from finding_fleets import TALKS, fleet
from kept_runs import kept, python, watched
from waiting import until

from monitor.actions import Action
from monitor.agents.listed import Listed
from monitor.channels.hold import BEAT, RESTS
from monitor.finding import attaching
from monitor.finding.following import MOST
from monitor.finding.survey import Sighting
from monitor.opening import piped
from monitor.reaching import channel_of
from monitor.streams.record import Input
from monitor.targets import find


class Clock:
    """A time that a test decides on."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


class Machine:
    """Nothing but these runs."""

    def __init__(self, *runs):
        self.runs = runs

    def look(self):
        return Sighting(self.runs)


def the_live_one(found):
    """The run that is being started, once it is seen to live."""
    until(lambda: (found.look(), found.view.live)[1])
    return found.view.live[0].key


def test_a_started_run_is_left_to_who_holds_it(private_home, tmp_path):
    """Watching takes nothing, not even when the owner is gone; acting does, and gives back what it took."""
    clock = Clock()
    with kept(python(TALKS), tmp_path) as run, fleet(clock=clock) as found:
        key = the_live_one(found)
        watcher = found.source(key)
        until(lambda: watcher.snapshot.seq >= 0)
        assert found.rests(key)
        with watched(run, channel_of(run)) as owner:
            owner.until(lambda: owner.channel.can("feedback") == "")
            until(lambda: watcher.can("feedback") == RESTS)
            assert found.take(key) is watcher
            until(lambda: watcher.can("feedback") == "another monitor already controls this run")
            clock.now += 60
            found.look()
            assert found.rests(key)
            until(lambda: watcher.can("feedback") == RESTS)
        found.look()
        assert watcher.can("feedback") == RESTS
        found.take(key)
        until(lambda: watcher.can("feedback") == "")
        watcher.act(Action("1", "feedback", "Use tabs"))
        until(lambda: watcher.snapshot.actions and watcher.snapshot.actions[-1].receipt == "seen")
        found.look()
        assert not found.rests(key), "for a while it is kept"
        clock.now += 60
        found.look()
        assert found.rests(key)
        with watched(run, channel_of(run)) as later:
            later.until(lambda: later.channel.can("feedback") == "")


def test_what_is_entered_is_held_until_it_is_left(private_home, tmp_path):
    """However long the operator looks; an open box keeps it too."""
    clock = Clock()
    with kept(python(TALKS), tmp_path), fleet(clock=clock) as found:
        key = the_live_one(found)
        source = found.enter(key)
        until(lambda: source.can("feedback") == "")
        clock.now += 3_600
        found.look()
        assert not found.rests(key)
        found.seen(key, left=True)
        found.look()
        assert found.rests(key)
        found.keep(key)
        assert found.rests(key), "what was not taken is not kept"
        found.take(key)
        for _ in range(3):
            clock.now += 8
            found.keep(key)
            found.look()
        assert not found.rests(key)


def test_what_is_under_way_keeps_the_channel(private_home, tmp_path):
    """An abort that was asked for is brought to its end before the channel is given back."""
    clock = Clock()
    with kept(python("import time; time.sleep(300)"), tmp_path), fleet(clock=clock) as found:
        key = the_live_one(found)
        source = found.take(key)
        source.act(Action("1", "abort"))
        clock.now += 60
        found.look()
        done = source.snapshot.actions and source.snapshot.actions[-1].receipt == "done"
        assert done or not found.rests(key)
        until(lambda: source.snapshot.actions and source.snapshot.actions[-1].receipt == "done")
        found.look()
        assert found.rests(key)


def test_a_run_that_stands_nowhere_is_in_the_list(private_home, tmp_path):
    """One from a pipe, as the demo's, is there from the first moment, once, and is live while it goes on."""

    class Piped:
        agent, title = "demo", "the demo agent"

        def __init__(self):
            self._found = find(str(log))

        def inputs(self):
            return (Input(0, "the pipe", "stream"),)

        def decoder(self):
            return self._found.decoder()

        def project(self):
            return tmp_path

        def alive(self):
            return None

    log = tmp_path / "log.jsonl"
    log.write_text('{"event": "RunStarted", "agent": "demo"}\n')
    reads, writes = os.pipe()
    mine = piped(Piped(), reads, None)
    mine.start()
    try:
        with fleet() as found:
            found.adopt(mine)
            assert [(one.agent, one.attached, one.listed.how) for one in found.view.live] == [
                ("demo", True, "this monitor follows it")
            ]
            found.look()
            assert [(one.agent, one.attached, one.alive) for one in (*found.view.live, *found.view.ended)] == [
                ("demo", True, True)
            ]
            assert found.source(found.view.live[0].key) is mine
            os.close(writes)
            until(lambda: mine.ended)
            found.look()
            assert [one.attached for one in found.view.ended] == [True]
            assert found.view.live == ()
    finally:
        mine.close()


def test_no_more_are_followed_than_there_is_room_for(tmp_path):
    """Those that wait for somebody come first; any other is followed as soon as the operator acts on it."""
    runs = [
        Listed("native", str(number), tmp_path / f"{number}.jsonl", "live", "", pid=1) for number in range(MOST + 2)
    ]
    for one in runs:
        one.path.write_text('{"event": "RunStarted", "agent": "tiny"}\n')
    runs[-1] = replace(runs[-1], state="waiting")
    with fleet(Machine(*runs)) as found:
        found.look()
        shown = {one.key: one.attached for one in found.view.live}
        assert (len(shown), sum(shown.values())) == (MOST + 2, MOST)
        assert (shown[runs[-1].key], found.view.beyond) == (True, 2)
        (left, _) = [key for key, attached in shown.items() if not attached]
        assert found.rests(left)
        found.take(left)
        found.look()
        assert (sum(one.attached for one in found.view.live), found.view.beyond) == (MOST + 1, 1)


def test_the_run_that_is_looked_at_alone_is_told_at_once(private_home, tmp_path):
    """One that was entered is read as it writes; the one that is chosen at once and then each second, all others as may be."""
    holds, woken = {}, []

    def attach(listed, hold):
        holds[listed.session] = hold
        return attaching.attached(listed, hold)

    runs = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text('{"event":"RunStarted","agent":"tiny"}\n')
        runs.append(Listed("native", name, path, "live", "", pid=1, last=1.0))
    with fleet(Machine(*runs), attach=attach) as found:
        found.look()
        one, two = (run.key for run in runs)
        assert all(hold.rests for hold in holds.values())
        for hold in holds.values():
            hold.wake = lambda hold=hold: woken.append(hold)
        found.look_at([two, one])
        found.look_at([two])
        assert woken == [holds["two"]]
        for keys, beats in (((two, one), [3.0, BEAT]), ((one, two), [BEAT, 3.0]), ((), [3.0, 3.0])):
            found.look_at(keys)
            for one_of in found._following.runs.values():
                one_of.relax(0.0, 3.0)
            assert [holds[name].beat for name in ("one", "two")] == beats
        assert all(hold.rests for hold in holds.values())
        found.enter(two)
        found.look_at([])
        assert [holds[name].near for name in ("one", "two")] == [False, True]
        found.seen(two, left=True)
        assert not holds["two"].near
