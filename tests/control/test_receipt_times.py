"""A later monitor tells the receipts of an earlier one with their own times."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from kept_runs import kept, receipts, watched
from waiting import until

from monitor.actions import Action
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent
from monitor.demo.project import scratch_project
from monitor.hooks.mailbox import Letter
from monitor.launch.command import Prepared
from monitor.opening import supervised
from monitor.reaching import channel_of
from monitor.supervisor import Supervisor


@contextmanager
def agent():
    """The demo's agent, which takes words and tells of them."""
    with scratch_project() as project:
        prepared = Prepared("native", (sys.executable, "-m", "monitor.demo.agent", str(project)), listens=True)
        with kept(prepared, project) as found:
            yield found


@contextmanager
def later(found):
    """Another monitor, attached afterwards."""
    supervisor = supervised(found, None)
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.close()


def steps(supervisor):
    """The message's receipts there, with their times."""
    return next((one.steps for one in supervisor.snapshot.actions if one.id == "early"), ())


def test_a_later_monitor_shows_when_it_was():
    """What an earlier monitor sent and saw arrive has the times at which that one told it, not that of attaching."""
    with agent() as found:
        with watched(found, channel_of(found)) as first:
            first.reads("Prompted")
            first.channel.send(Action("early", "feedback", "Mend it."))
            first.until(lambda: first.steps("early")[-1:] == ["seen"])
            told = {one.receipt: one.at for one in reversed(first.told) if one.id == "early"}
        with later(found) as second:
            until(lambda: len(steps(second)) == 3)
            (queued, sent), *others = steps(second)
            assert others == [(name, told[name]) for name in ("delivered", "seen")]
            assert queued == "queued"
            assert told["queued"] <= sent <= told["delivered"], "it was written down as it was sent"
            (action,) = second.snapshot.actions
            assert action.at == sent


def test_what_nobody_saw_has_no_time():
    """That a message was taken up while no monitor looked is told without a time, never with that of attaching."""
    with agent() as found:
        with watched(found, channel_of(found)) as first:
            first.reads("Prompted")
            first.channel.send(Action("early", "feedback", "Mend it."))
            receipts(first.channel, "early", ("delivered",))
        until(lambda: b"Mend it." in (found.folder / "output").read_bytes())
        with later(found) as second:
            until(lambda: len(steps(second)) == 3)
            assert [name for name, _ in steps(second)] == ["queued", "delivered", "seen"]
            assert [at is None for _, at in steps(second)] == [False, False, True]


def test_what_is_refused_at_once_has_its_time():
    """An action on a run that cannot be reached fails at that moment, and is dated so."""
    with agent() as found:
        supervisor = Supervisor(found, live=True, clock=lambda: 7.0)
        supervisor.act(Action("early", "warn", "Mend it."))
        until(lambda: supervisor.step() or steps(supervisor))
        assert steps(supervisor) == (("failed", 7.0),)
        supervisor.close()


def test_a_file_that_cannot_be_read_tells_no_times(tmp_path):
    """Rows of an older version or of something else give no time, and break nothing."""
    path = tmp_path / "sent.jsonl"
    row = b'{"key": "k", "id": "1", "verb": "warn", "text": "t", "subject": "", "by": "operator"}\n'
    path.write_bytes(row + b'{"told": "1", "receipt": "seen", "at": true}\nnot json\n[1]\n')
    sent = Sent(path)
    ((_, action),) = sent.earlier()
    receipts = Receipts("test", lambda: 5.0)
    receipts.record = sent
    receipts.begin(action, times=sent.times(action.id))
    assert [(one.receipt, one.at) for one in receipts.take()] == [("queued", None)]


def test_a_line_cut_short_takes_none_along(tmp_path):
    """What is written after a line that a full disk cut short can be read."""
    path = tmp_path / "sent.jsonl"
    path.write_bytes(b'{"key": "k", "id": "cut sh')
    Sent(path, clock=lambda: 7.0).add("k", Action("whole", "warn", "t"))
    assert [action.id for _, action in Sent(path).earlier()] == ["whole"]
    assert Sent(path).times("whole") == {"queued": 7.0}


def test_a_receipt_is_written_down_once(tmp_path):
    """Each receipt has one line, with its first time; what was not sent through the file has none."""
    sent = Sent(tmp_path / "sent.jsonl", clock=lambda: 1.0)
    now = iter(range(2, 20))
    receipts = Receipts("test", lambda: float(next(now)))
    receipts.record = sent
    action = Action("1", "warn", "t")
    sent.add("k", action)
    receipts.begin(action)
    receipts.begin(Action("2", "warn", "t"))
    receipts.tell("1", "delivered", "once")
    receipts.tell("1", "delivered", "twice")
    assert sent.times("1") == {"queued": 1.0, "delivered": 4.0}
    assert sent.times("2") == {}


def test_a_letter_tells_when_it_was_left():
    """What lies in a mailbox was put there at the time its name tells."""
    assert Letter("1764000000123.abc.words", "words", "", Action("1", "warn"), "").left == 1764000000.123
    assert Letter("", "words", "Stop", Action("1", "warn"), "").left == 0
