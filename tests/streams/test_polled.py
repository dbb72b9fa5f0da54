"""What is no file of lines, asked again and again."""

from __future__ import annotations

import threading

import pytest

from monitor.streams.polled import PolledReader
from monitor.streams.record import Input, Shift

SOURCE = Input(0, "database", "session")


class Store:
    """Something that is asked."""

    def __init__(self) -> None:
        self.rows: list[bytes] = []
        self.given = 0
        self.asked = 0
        self.changes = 0
        self.problem = ""

    def add(self, *rows: bytes) -> None:
        self.rows += rows
        self.changes += 1

    def stamp(self) -> object:
        return self.changes

    def lines(self) -> list[bytes]:
        self.asked += 1
        if self.problem:
            raise OSError(0, self.problem)
        found, self.given = self.rows[self.given :], len(self.rows)
        return found


@pytest.fixture
def clock():
    """The time, which a test sets."""
    return [100.0]


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def reader(store, tmp_path, clock):
    """A reader of the store."""
    made = PolledReader(store, SOURCE, tmp_path, clock=lambda: clock[0])
    yield made
    made.close()


def test_each_line_is_given_once(store, reader):
    """As a record of its own, that can be read back from where it stands."""
    store.add(b'{"a": 1}', b'{"b": "two"}')
    first, second = reader.read()
    assert (first.line, first.offset, first.data, first.seen) == (1, 0, b'{"a": 1}', 100.0)
    assert (second.line, second.data) == (2, b'{"b": "two"}')
    assert reader.read() == []
    store.add(b"3")
    (third,) = reader.read()
    assert reader.read_at(third.offset, third.length) == b"3\n"
    assert reader.read_at(second.offset, second.length) == b'{"b": "two"}\n'
    assert reader.read_at(1_000, 1) is None
    assert (reader.bytes, reader.unfinished) == (third.offset + third.length, 0)
    assert reader.finish() == []


def test_nothing_is_asked_while_nothing_changes(store, reader, clock):
    """And after a change that held nothing for us, only when a second has passed."""
    store.add(b"1")
    assert len(reader.read()) == 1
    assert reader.read() == []
    asked = store.asked
    assert reader.read() == []
    assert store.asked == asked
    store.changes += 1
    assert reader.read() == []
    assert store.asked == asked + 1
    store.changes += 1
    assert reader.read() == []
    assert store.asked == asked + 1
    clock[0] += 2.0
    assert reader.read() == []
    assert store.asked == asked + 2
    store.add(b"2")
    clock[0] += 2.0
    assert [one.data for one in reader.read()] == [b"2"]


def test_a_fault_is_told_once(store, reader, clock):
    """And so is its end, with what was missed."""
    store.add(b"1")
    reader.read()
    reader.read()
    store.problem = "locked"
    store.changes += 1
    (lost,) = reader.read()
    assert isinstance(lost, Shift)
    assert lost.what == "lost"
    store.changes += 1
    assert reader.read() == []
    store.problem = ""
    store.add(b"2")
    back, record = reader.read()
    assert (back.what, record.data) == ("back", b"2")


def test_what_changes_at_once_is_noticed(tmp_path):
    """However late the looking begins, what has changed since the reader was made wakes whoever waits."""
    begins, woken = threading.Event(), threading.Event()

    class Late(Store):
        def stamp(self) -> object:
            if threading.current_thread() is not threading.main_thread():
                begins.wait(20)
            return self.changes

    store = Late()
    reader = PolledReader(store, SOURCE, tmp_path, woken.set)
    store.add(b"1")
    begins.set()
    assert woken.wait(20)
    reader.close()


def test_whoever_waits_is_woken(store, tmp_path):
    """When something changes, not before; closed twice is closed once, and the spool is gone."""
    woken = threading.Event()
    reader = PolledReader(store, SOURCE, tmp_path, woken.set)
    assert not woken.is_set()
    store.add(b"1")
    assert woken.wait(20)
    reader.close()
    reader.close()
    assert list(tmp_path.iterdir()) == []
