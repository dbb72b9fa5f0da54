"""The monitor's own record."""

from __future__ import annotations

import errno
import os
import stat

import msgspec
import pytest

from monitor import __version__
from monitor.agents.native.decode import JournalDecoder
from monitor.agents.native.find import FINDER
from monitor.events import (
    Acted,
    Change,
    CloseLine,
    Event,
    FileOutcome,
    Looked,
    Place,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    Tick,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.journal import Header, Journal, read_header
from monitor.run.run import Run
from monitor.streams.record import Record

HEADER = Header(run="rename-1", agent="dirtywork", inputs=("transcript.jsonl", "run.json"))
EVENTS: list[Event] = [
    Prompted(text="Rename\nthe app ä", seq=0, seen=1.5, at=1.25, request=1, place=Place(0, 1, 0, 40, 1)),
    TreeMeasured(seq=1, seen=1.6, when="start", content="ab", changed=False),
    Acted(id="1", action="warn", seq=2, seen=2.0, receipt="delivered"),
    RequestEnded(text="Done.", seq=3, seen=3.0, request=1, turn=2, place=Place(0, 7, 900, 80)),
    RunEnded(status="completed", seq=4, seen=4.0, place=Place(1, 1, 0, 500, 9)),
]


def lines(journal: Journal) -> list[bytes]:
    return journal.path.read_bytes().splitlines()


def read(journal: Journal) -> list[Event]:
    """The events of a journal, found and decoded as any log is."""
    found = FINDER.open(journal.path)
    assert found is not None
    (source,) = found.inputs()
    decoder = JournalDecoder(places="source")
    records = [Record(source, number, 0, len(line) + 1, line) for number, line in enumerate(lines(journal), 1)]
    return [event for record in records for event in decoder.feed(record)]


class FullDisk:
    """A disk that takes so many more bytes, and then none."""

    def __init__(self, monkeypatch, room: int) -> None:
        self.room = room
        self._write = os.write
        monkeypatch.setattr("monitor.journal.os.write", self.write)

    def write(self, fd: int, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self._write(fd, bytes(data[: self.room]))
        self.room -= taken
        return taken


def test_a_run_is_read_back_as_it_was(tmp_path):
    """Events, their numbers and their places come back equal, in order."""
    journal = Journal.open(tmp_path, HEADER)
    for event in EVENTS:
        journal.append(event)
    journal.close()
    assert journal.problem == ""
    assert read(journal) == EVENTS


def test_a_run_replays_exactly(tmp_path):
    """What was folded from the agent and from the monitor itself folds from the journal to the same snapshot."""
    live, again = Run(), Run()
    told: list[Event] = [
        RunStarted(agent="mine", project="/p", task="Rename"),
        Prompted(text="Rename", at=1.0),
        ToolCalled(call="1", message="m", tool="edit", kind="write", changes=(Change("a", old="x", new="y"),), at=2.0),
        ToolReturned(call="1", outcome="failed", files=(FileOutcome("a", "failed", "not_found", cause=True),), at=3.0),
        Looked(call="1", file="a", closest=(CloseLine(3, "x "),)),
        RequestEnded(text="Done.", at=4.0),
        TreeMeasured(when="claim", changed=False, since_start=False, about=5),
        Acted(id="1", action="warn", receipt="delivered", seen=5.0),
        RunEnded(status="completed", at=6.0),
    ]
    journal = Journal.open(tmp_path, HEADER)
    for event in told:
        journal.append(live.feed(event).event)
    journal.close()
    for event in read(journal):
        again.feed(event)
    assert again.snapshot() == live.snapshot()
    assert live.snapshot().verdict.state == "not made"


def test_the_first_line_says_what_it_is(tmp_path):
    """Format, version, run, agent, the inputs' names and the beginning stand in the header."""
    journal = Journal.open(tmp_path, HEADER, clock=lambda: 1796024060.0)
    header = read_header(journal.path.read_bytes())
    assert header == msgspec.structs.replace(HEADER, version=__version__, began=1796024060.0)
    assert journal.path.name == "20261130-073420-dirtywork-rename-1.jsonl"
    journal.close()


def test_only_its_user_may_read_it(tmp_path):
    """The file is 0600 in a folder of 0700, also where the folder was looser before."""
    (tmp_path / "journals").mkdir(mode=0o755)
    journal = Journal.open(tmp_path / "journals", HEADER)
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.path.parent.stat().st_mode) == 0o700
    journal.close()


def test_two_journals_of_one_second_do_not_meet(tmp_path):
    """A second journal of the same run gets a name of its own, and the first is left alone."""
    first, second, third = (Journal.open(tmp_path, HEADER, clock=lambda: 7.0) for _ in range(3))
    assert len({first.path, second.path, third.path}) == 3
    first.append(EVENTS[0])
    assert len(lines(second)) == 1
    for journal in (first, second, third):
        journal.close()


def test_a_name_cannot_lead_elsewhere(tmp_path):
    """A run's name, whatever it holds, makes a file within the folder."""
    for run in ("../../x", "/etc/passwd", "a\0b", "\n", "", "x" * 500):
        journal = Journal.open(tmp_path / "in", Header(run=run, agent="../"))
        assert journal.problem == ""
        assert journal.path.parent == tmp_path / "in"
        journal.close()


def test_each_event_is_written_at_once(tmp_path):
    """Nothing waits in memory: a reader, or a crash, finds all that was appended."""
    journal = Journal.open(tmp_path, HEADER)
    for count, event in enumerate(EVENTS, 1):
        journal.append(event)
        assert len(lines(journal)) == count + 1
    journal.close()


def test_ticks_are_not_kept(tmp_path):
    """That time passed is not journaled."""
    journal = Journal.open(tmp_path, HEADER)
    journal.append(Tick(now=7.0))
    journal.close()
    assert len(lines(journal)) == 1


def test_a_full_disk_is_told_and_nothing_raised(tmp_path, monkeypatch):
    """Writing stops in the middle of a line, which is told until there is room: then the line goes on, and all is there."""
    journal = Journal.open(tmp_path, HEADER)
    disk = FullDisk(monkeypatch, room=25)
    for event in EVENTS[:3]:
        journal.append(event)
    assert "No space left on device" in journal.problem
    assert len(lines(journal)) == 2
    disk.room = 1 << 30
    for event in EVENTS[3:]:
        journal.append(event)
    assert journal.problem == ""
    journal.close()
    assert read(journal) == EVENTS


def test_what_a_full_disk_cost_stands_in_the_journal(tmp_path, monkeypatch):
    """Beyond what can wait, events are lost, and a gap says how many in their place."""
    journal = Journal.open(tmp_path, HEADER)
    disk = FullDisk(monkeypatch, room=0)
    large = Prompted(text="x" * 400_000)
    for _ in range(5):
        journal.append(large)
    disk.room = 1 << 30
    journal.append(EVENTS[4])
    journal.close()
    gap = SourceChanged(
        what="gap", text="the journal lost 3 events: the journal could not be written: No space left on device"
    )
    assert read(journal) == [large, large, gap, EVENTS[4]]
    assert journal.problem


def test_a_disk_that_stays_full_is_let_go(tmp_path, monkeypatch):
    """Closing never raises, also when what waits can never be written."""
    journal = Journal.open(tmp_path, HEADER)
    FullDisk(monkeypatch, room=0)
    journal.append(EVENTS[0])
    journal.close()
    journal.close()
    journal.append(EVENTS[1])
    assert journal.problem


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_a_problem(tmp_path):
    """A folder that cannot be written to is told, and appending does nothing."""
    (tmp_path / "closed").mkdir(mode=0o500)
    journal = Journal.open(tmp_path / "closed" / "in", HEADER)
    journal.append(EVENTS[0])
    journal.close()
    assert "could not be begun" in journal.problem


def test_a_folder_that_is_a_file_is_a_problem(tmp_path):
    """Where no folder can be made, the run goes on without a journal, and that is told."""
    (tmp_path / "file").write_text("x")
    journal = Journal.open(tmp_path / "file", HEADER)
    journal.append(EVENTS[0])
    journal.close()
    assert "could not be begun" in journal.problem
    assert (tmp_path / "file").read_text() == "x"


def test_an_event_that_cannot_be_written_down_leaves_a_gap(tmp_path):
    """A text that is no text costs that event alone, and the gap is told."""
    journal = Journal.open(tmp_path, HEADER)
    journal.append(Prompted(text="\ud800"))
    journal.append(EVENTS[0])
    journal.close()
    gap, event = read(journal)
    assert isinstance(gap, SourceChanged)
    assert "lost 1 event" in gap.text
    assert event == EVENTS[0]
    assert journal.problem


def test_a_header_is_cleaned():
    """A journal that somebody sends may hold anything."""
    header = read_header(b'{"journal":"monitor","format":1,"run":"\\u001b[31m","inputs":["\\u202e"]}\n')
    assert header is not None
    assert (header.run, header.inputs) == ("␛[31m", ("\ufffd",))
