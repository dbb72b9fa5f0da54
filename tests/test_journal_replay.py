"""A journal replayed: what the monitor saw itself has its times, stands where it happened, and leaves nothing pending."""

from __future__ import annotations

import time

import msgspec
import pytest

from monitor.events import (
    Event,
    FileChanged,
    Place,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.journal import Header, Journal
from monitor.replay.replay import Replay
from monitor.supervisor import Supervisor
from monitor.targets import find

START = 1_000_000.0


def told(make: type[Event], at: float | None, line: int, *, late: float = 0.1, **more: object) -> Event:
    """An event of the agent's, its text at a line of its own log."""
    return make(
        at=None if at is None else START + at,
        seen=START + (at or 0.0) + late,
        place=Place(0, line, line * 9, 9),
        **more,
    )


def seen(make: type[Event], heard: float, **more: object) -> Event:
    """Something the monitor saw itself."""
    return make(seen=START + heard, **more)


def measured(heard: float, **more: object) -> Event:
    return seen(TreeMeasured, heard, content="ab", **more)


EVENTS = (
    measured(0.0, when="start"),
    told(RunStarted, 0.5, 1, agent="tester", cwd="/p", project="/p", lag="message"),
    told(Prompted, 1.0, 2, text="Mend it"),
    measured(1.5, when="prompt", changed=False, since_start=False, about=2),
    told(ToolCalled, 2.0, 3, call="1", tool="read", kind="read", paths=("a.py",)),
    told(ToolReturned, 2.1, 4, call="1"),
    told(ToolCalled, 4.0, 5, call="2", tool="read", kind="read", paths=("b.py",)),
    told(ToolReturned, 4.1, 6, call="2"),
    seen(FileChanged, 6.2, at=START + 4.3, file="a.py", folder="/p", after="c" * 64),
    seen(FileChanged, 6.3, at=START + 3.0, file="c.py", folder="/p", after="d" * 64),
    told(ToolCalled, 6.0, 7, late=2.0, call="3", tool="read", kind="read", paths=("c.py",)),
    told(ToolReturned, 6.1, 8, late=2.0, call="3"),
    told(Said, 9.0, 9, message="m", text="Done."),
    told(RequestEnded, 9.0, 10, text="Done."),
)


def journal(tmp_path, *events):
    """A journal of these events."""
    kept = Journal.open(tmp_path, Header(run="run-1", agent="tester", inputs=("run.jsonl",)))
    for seq, event in enumerate(events):
        kept.append(msgspec.structs.replace(event, seq=seq))
    kept.close()
    return find(str(kept.path))


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.002)


@pytest.fixture
def played(tmp_path):
    """A replay of the journal, ready."""
    replay = Replay(journal(tmp_path, *EVENTS), start=0.0)
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.total > 0)
    yield replay
    replay.close()


def at(replay, count):
    """The rows after so many events: their kinds and texts."""
    replay.seek(count)
    until(lambda: replay.playback.count == count and replay.snapshot.seq == count - 1)
    return [(row.kind, row.text) for row in rows(replay)]


def rows(source):
    return [source.rows.row(source.rows.ref(index)) for index in range(len(source.rows))]


def test_edits_from_outside_stand_by_the_time_their_file_changed(played):
    """Between the agent's events, in order of time, though both were told after them and judged later still."""
    at(played, len(EVENTS))
    times = [round(row.at - START, 1) for row in rows(played)[:-1]]
    assert times == sorted(times)
    assert [(row.kind, row.text) for row in rows(played)][4:8] == [
        ("read", "a.py"), ("outside", "c.py"), ("read", "b.py"), ("outside", "a.py"),
    ]  # fmt: skip


def test_what_the_monitor_measured_has_the_time_it_was_seen(played):
    """It has none of its own in the journal."""
    at(played, len(EVENTS))
    assert [round(row.at - START, 1) for row in rows(played) if row.kind == "measure"] == [0.0, 1.5]


def test_a_step_shows_an_edit_once_it_was_known_and_takes_it_back_again(played):
    """Before the event that showed it there is no row; a finding leads to the row, the marks go along."""
    before, after = at(played, 10), at(played, 11)
    assert ("outside", "a.py") not in before
    assert ("outside", "a.py") in after
    finding = next(one for one in played.snapshot.findings if one.detector == "outside_edits")
    ref = played.rows.ref_of(finding.places[-1].seq)
    assert played.rows.row(ref).text == "a.py"
    assert after[played.rows.index(ref)] == ("outside", "a.py")
    assert at(played, 10) == before
    assert played.rows.row(played.rows.ref_of(finding.places[-1].seq)).kind != "outside"
    assert at(played, 11) == after


@pytest.mark.parametrize("end", [(), (told(RunEnded, 9.5, 11, status="completed"),)], ids=["it stops", "it ended"])
def test_nothing_is_pending_once_the_journal_has_ended(tmp_path, end):
    """The measurement of the claim never came: the verdict is not provisional for ever, and says what is not known."""
    supervisor = Supervisor(journal(tmp_path, *EVENTS, *end), live=False)
    supervisor.read_all()
    shown = supervisor.snapshot
    supervisor.close()
    assert not shown.worktree.pending
    assert not shown.verdict.provisional
    last = rows(supervisor)[-1]
    assert (last.kind, "before a measurement that was under way" in last.text) == ("source", True)


def test_a_journal_that_tells_all_ends_without_a_word_of_ours(tmp_path):
    """Where the run ended and every measurement came, no row is added."""
    end = (
        told(RunEnded, 9.5, 11, status="completed"),
        measured(9.6, when="claim", changed=False, about=13),
        measured(9.7, when="end", changed=False, about=14),
    )
    supervisor = Supervisor(journal(tmp_path, *EVENTS, *end), live=False)
    supervisor.read_all()
    supervisor.close()
    assert "source" not in [row.kind for row in rows(supervisor)]


def test_an_agent_without_times_has_those_at_which_it_was_heard(tmp_path):
    """From the monitor's first own word on: what stood in its log before was read at once, whenever it had happened."""
    events = (
        told(RunStarted, None, 1, late=5.0, agent="tester", cwd="/p", lag="event"),
        told(Prompted, None, 2, late=5.0, text="Mend it"),
        measured(5.5, when="start", late=True),
        told(ToolCalled, None, 3, late=7.0, call="1", tool="read", kind="read", paths=("a.py",)),
        told(ToolReturned, None, 4, late=7.1, call="1"),
        seen(FileChanged, 9.1, at=START + 9.0, file="a.py", folder="/p", after="c" * 64),
        told(ToolCalled, None, 5, late=12.0, call="2", tool="read", kind="read", paths=("b.py",)),
        told(ToolReturned, None, 6, late=12.1, call="2"),
    )
    supervisor = Supervisor(journal(tmp_path, *events), live=False)
    supervisor.read_all()
    supervisor.close()
    found = [(row.kind, None if row.at is None else round(row.at - START)) for row in rows(supervisor)[:-1]]
    assert found == [("started", None), ("prompt", None), ("measure", 6), ("read", 7), ("outside", 9), ("read", 12)]


def test_a_gone_process_is_the_last_word(tmp_path):
    """The row says so; nothing is pending then either."""
    gone = seen(SourceChanged, 10.0, what="gone", text="the agent's process is gone")
    supervisor = Supervisor(journal(tmp_path, *EVENTS, gone), live=False)
    supervisor.read_all()
    supervisor.close()
    assert "the agent's process is gone" in [row.text for row in rows(supervisor)]
    assert not supervisor.snapshot.verdict.provisional


def test_a_call_that_ran_when_the_process_went_runs_no_more(tmp_path):
    """Its row says that it has no result; the log needs no second word that it has ended."""
    call = told(ToolCalled, 9.5, 11, call="4", tool="bash", kind="shell", command="sleep 60")
    gone = seen(SourceChanged, 10.0, what="gone", text="the agent's process is gone")
    supervisor = Supervisor(journal(tmp_path, *EVENTS[:12], call, gone), live=False)
    supervisor.read_all()
    supervisor.close()
    told_last = [(row.kind, row.text, row.outcome) for row in rows(supervisor)[-2:]]
    assert told_last == [("shell", "sleep 60", "no result"), ("source", "the agent's process is gone", "")]


def test_a_replay_of_an_agent_without_times_keeps_the_pace_it_was_heard_at(tmp_path):
    """The bar has the times of the run, from the first to the last; what is said today of the log's end has none."""
    events = (
        measured(0.5, when="start"),
        *(
            msgspec.structs.replace(event, at=event.at if isinstance(event, FileChanged) else None)
            for event in EVENTS[1:]
        ),
    )
    replay = Replay(journal(tmp_path, *events), start=0.0)
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.total > 0)
    assert (replay.playback.start, replay.playback.end) == (START + 0.5, START + 9.1)
    at(replay, 3)
    assert replay.playback.now == START + 1.1
    at(replay, replay.playback.total)
    assert rows(replay)[-1].at is None
    replay.close()
