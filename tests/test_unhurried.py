"""Runs at which nobody looks are read together, beat by beat, and at once as soon as somebody does."""

from __future__ import annotations

import threading

import logs
from waiting import until

from monitor.actions import Action
from monitor.channels.hold import Hold
from monitor.supervisor import Supervisor
from monitor.targets import find
from monitor.unhurried import Unhurried

NEVER = 1_000.0
"""Seconds of a beat that no test sees the end of."""
NOON = "2026-11-30T12:00:00Z"


def told(text, at=NOON):
    return {"event": "Said", "text": text, **({"at": at} if at else {})}


def call(at):
    made = {"event": "ToolCalled", "call": "1", "tool": "Bash", "kind": "shell", "command": "make"}
    return made | ({"at": at} if at else {})


def watched(log, hold):
    """A run that has been read so far, at which nobody looks: it rests until a beat that never comes."""
    rests = []
    notifier = Unhurried(hold, lambda: rests.append(hold) or 0.0)
    supervisor = Supervisor(find(str(log)), live=True, notifier=notifier)
    supervisor.start()
    until(lambda: rests)
    return supervisor


def resting(beat=NEVER):
    """A run at which nobody looks."""
    hold = Hold(wanted=False)
    hold.beat = beat
    return hold


def append(log, *rows):
    with log.open("ab") as file:
        file.write(logs.lines(*rows))


def begun(tmp_path, *more):
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(logs.started(), told("begin"), *more))
    return log


def test_what_comes_is_read_at_the_next_beat(tmp_path):
    """Nobody looks, and still nothing is lost: what was written is read with the beat, whatever came of it meanwhile."""
    log, hold, now = begun(tmp_path), resting(0.05), [0.0]
    supervisor = Supervisor(find(str(log)), live=True, notifier=Unhurried(hold, lambda: now[0]))
    supervisor.start()
    for number in range(20):
        append(log, told(f"word {number}"))
    until(lambda: supervisor.snapshot.seq == 21)
    supervisor.close()
    assert not supervisor.problem


def test_all_wait_for_the_same_beat():
    """However far apart two runs come to rest, they wait until the same moment."""
    waits = []

    class Ear(threading.Event):
        def wait(self, timeout=None):
            waits.append(timeout)
            return False

    for moment in (7.25, 7.75):
        notifier = Unhurried(Hold(wanted=False), lambda moment=moment: moment)
        notifier._hurried = Ear()
        notifier.gathers(1, keeps=True)
        assert notifier.wait(0.1) is False
        notifier.close()
    assert waits == [0.75, 0.75, 0.25, 0.25]


def test_who_looks_is_told_at_once(tmp_path):
    """Once somebody looks at the run, what had come and all that comes is read without any beat."""
    log, hold = begun(tmp_path), resting()
    supervisor = watched(log, hold)
    append(log, told("while nobody looks"))
    hold.look(near=True)
    until(lambda: supervisor.snapshot.seq == 2)
    append(log, told("while somebody does"))
    until(lambda: supervisor.snapshot.seq == 3)
    supervisor.close()


def test_what_is_asked_for_is_done_at_once(tmp_path):
    """An action ends the wait; so does the operator's taking of the channel, and the end of it all."""
    log, hold = begun(tmp_path), resting()
    supervisor = watched(log, hold)
    supervisor.act(Action("1", "settle", subject="nothing"))
    until(lambda: [one for one in supervisor.snapshot.actions if one.id == "1"])
    append(log, told("before it is taken"))
    hold.take()
    until(
        lambda: any(
            "before it is taken" in supervisor.rows.row(supervisor.rows.ref(one)).text
            for one in range(len(supervisor.rows))
        )
    )
    hold.let_go()
    supervisor.close()
    assert supervisor._thread is not None
    assert not supervisor._thread.is_alive()


def test_a_source_without_times_is_read_as_it_comes(tmp_path):
    """Where calls are told without their times, when they were read is all there is: they are never left for a beat."""
    log, notifier = begun(tmp_path, call("")), Unhurried(resting())
    supervisor = Supervisor(find(str(log)), live=True, notifier=notifier)
    supervisor.start()
    for number in range(3, 6):
        append(log, told("one more", ""))
        until(lambda number=number: supervisor.snapshot.seq == number)
    supervisor.close()


def test_a_flood_waits_for_nothing():
    """After a round that brought much there is likely more; and where somebody looks, nothing ever waits."""
    hold = resting()
    notifier = Unhurried(hold)
    assert notifier.gathers(3, keeps=True)
    assert not notifier.gathers(2_000, keeps=True)
    assert not notifier.gathers(3, keeps=False)
    hold.look(near=True)
    assert not notifier.gathers(3, keeps=True)
    notifier.close()


def test_what_does_not_announce_itself_is_looked_at_less_often():
    """New inputs and the process are looked at every two beats while nobody looks, and each second otherwise."""
    hold = resting(1.0)
    notifier = at_rest(hold)
    assert notifier.slowed == 2
    hold.beat = 3.0
    assert notifier.slowed == 6
    hold.take()
    assert notifier.slowed == 1
    notifier.close()


def at_rest(hold):
    """What a run at which nobody looks waits with."""
    notifier = Unhurried(hold)
    notifier.gathers(0, keeps=True)
    return notifier


def beside(notifier, meanwhile):
    """Another run's round, begun within a round of a run that rests; `meanwhile` is done before that one is over."""
    first = at_rest(resting())
    other = threading.Thread(target=notifier.turn, args=(lambda: 1,))

    def step():
        other.start()
        meanwhile(other)
        return 7

    assert first.turn(step) == 7
    other.join()
    first.close()
    notifier.close()


def test_runs_at_which_nobody_looks_take_turns(monkeypatch):
    """The round of the one is over before that of the other begins."""
    monkeypatch.setattr("monitor.unhurried._MOMENT", NEVER)
    begun = []
    beside(at_rest(resting()), lambda other: begun.append(other.join(0.05) or other.is_alive()))
    assert begun == [True]


def test_a_run_that_hangs_keeps_no_other(monkeypatch):
    """What waits for its turn longer than a moment goes on without; a run at which somebody looks never waits for one."""
    monkeypatch.setattr("monitor.unhurried._MOMENT", 0.01)
    beside(at_rest(resting()), threading.Thread.join)
    monkeypatch.setattr("monitor.unhurried._MOMENT", NEVER)
    watched = resting()
    notifier = at_rest(watched)
    watched.look(near=True)
    beside(notifier, threading.Thread.join)
