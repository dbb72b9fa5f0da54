"""Following a log that is rotated, rewritten, cut short or gone for a while."""

from __future__ import annotations

import os

import pytest
from followed import follow, told

from monitor.streams.handle import Handle
from monitor.streams.record import Shift


def test_a_log_that_appears_later(tmp_path):
    """A file that is not there yet is waited for in silence."""
    log = tmp_path / "folder" / "log"
    follower = follow(log)
    assert follower.read() == []
    assert follower.at_end
    log.parent.mkdir()
    log.write_bytes(b"one\n")
    assert told(follower.read()) == [(1, b"one", 0)]


def test_a_log_that_vanishes_and_returns(tmp_path):
    """It is said once that it is gone and once that it is back; lines that return with it are not repeated."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    log.unlink()
    assert told(follower.read()) == [("lost", "the file is gone")]
    assert follower.read() == []
    log.write_bytes(b"one\ntwo\n")
    assert told(follower.read()) == [("back", "the file can be read again"), (2, b"two", 0)]
    assert follower.bytes == 8


def test_what_is_still_written_to_a_deleted_log(tmp_path):
    """The agent may go on writing to a file that has lost its name: it is read on."""
    log = tmp_path / "log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"one\n")
        follower = follow(log)
        follower.read()
        log.unlink()
        writer.write(b"two\n")
        assert told(follower.read()) == [(2, b"two", 0), ("lost", "the file is gone")]
        writer.write(b"three\n")
        assert told(follower.read()) == [(3, b"three", 0)]


def test_a_log_that_is_rotated(tmp_path):
    """What was written before the name passed to another file is read first."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    with log.open("ab") as more:
        more.write(b"two\n")
    log.rename(tmp_path / "log.1")
    log.write_bytes(b"three\n")
    assert told(follower.read()) == [
        (2, b"two", 0),
        ("rewritten", "the log was rewritten: from line 1 on it is no longer what was read"),
        (1, b"three", 1),
    ]
    assert follower.bytes == 14


@pytest.mark.parametrize("in_place", [True, False])
def test_a_log_rewritten_whole_with_one_line_more(tmp_path, in_place):
    """It has only grown: no line is repeated, nothing is said, the generation stays."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\n")
    follower = follow(log)
    follower.read()
    new = log if in_place else tmp_path / "new"
    new.write_bytes(b"one\ntwo\nthree\n")
    new.replace(log)
    assert told(follower.read()) == [(3, b"three", 0)]
    assert follower.bytes == 14


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("again", [b"one\n2\n", b"one\nTWO\nthree\n", b"one\nTWO\n", b"one\nTWO\nthr"])
def test_a_log_rewritten_otherwise(tmp_path, in_place, again):
    """It is said from which line on, and the lines from there are given with the next generation."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\n")
    os.utime(log, ns=(0, log.stat().st_mtime_ns - 1_000_000_000))
    follower = follow(log)
    follower.read()
    new = log if in_place else tmp_path / "new"
    new.write_bytes(again)
    new.replace(log)
    found = told(follower.finish())
    assert found[0] == ("rewritten", "the log was rewritten: from line 2 on it is no longer what was read")
    assert found[1:] == [(2 + index, line, 1) for index, line in enumerate(again.splitlines()[1:])]
    assert follower.bytes == 8 + len(again) - 4


def test_a_first_line_changed_in_place_while_the_log_grew(tmp_path):
    """The start of a log is looked at too, where some programs keep counters."""
    log = tmp_path / "log"
    log.write_bytes(b'{"lines": 1}\n' + b"x" * 5000 + b"\n")
    follower = follow(log)
    follower.read()
    with log.open("r+b") as other:
        other.write(b'{"lines": 2}\n')
        other.seek(0, os.SEEK_END)
        other.write(b"y\n")
    assert [one.what if isinstance(one, Shift) else one.data[:12] for one in follower.read()] == [
        "rewritten",
        b'{"lines": 2}',
        b"x" * 12,
        b"y",
    ]


def test_a_last_line_changed_in_place_while_the_log_grew(tmp_path):
    """The bytes before the place read to are looked at before an append is believed."""
    log = tmp_path / "log"
    log.write_bytes(b"x" * 5000 + b"\nold\n")
    follower = follow(log)
    follower.read()
    log.write_bytes(b"x" * 5000 + b"\nnew\nmore\n")
    assert [one.what if isinstance(one, Shift) else one.data for one in follower.read()] == [
        "rewritten",
        b"new",
        b"more",
    ]


def test_a_touched_log(tmp_path):
    """A new time alone says nothing: the log is compared and nothing is told."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntw")
    follower = follow(log)
    follower.read()
    os.utime(log, ns=(0, log.stat().st_mtime_ns + 1_000_000_000))
    assert follower.read() == []
    assert (follower.bytes, follower.unfinished, follower.generation) == (6, 2, 0)


def test_a_log_cut_short_while_it_is_rewritten(tmp_path, clock):
    """A log that is shorter for a moment is being rewritten: no line comes twice."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\nthree\n")
    follower = follow(log, clock=clock)
    follower.read()
    log.write_bytes(b"")
    assert follower.read() == []
    log.write_bytes(b"one\ntw")
    assert follower.read() == []
    clock.now += 1
    log.write_bytes(b"one\ntwo\nthree\nfour\n")
    assert told(follower.read()) == [(4, b"four", 0)]


def test_a_log_cut_short_for_good(tmp_path, clock):
    """After two seconds it is said; what comes then is new."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\nthree\n")
    follower = follow(log, clock=clock)
    follower.read()
    os.truncate(log, 5)
    assert follower.read() == []
    clock.now += 3
    assert told(follower.read()) == [("rewritten", "the log was cut short: 1 of the 3 lines read are left")]
    assert (follower.bytes, follower.unfinished) == (15, 1)
    with log.open("ab") as more:
        more.write(b"wo\n")
    assert told(follower.read()) == [(2, b"two", 1)]
    assert follower.bytes == 18


def test_a_log_cut_short_at_the_end_of_the_run(tmp_path):
    """`finish` waits no longer: it says so, and gives the half line that is left."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\nthree\n")
    follower = follow(log)
    follower.read()
    os.truncate(log, 6)
    assert told(follower.finish()) == [
        ("rewritten", "the log was cut short: 1 of the 3 lines read are left"),
        (2, b"tw", 1),
    ]


def test_an_unfinished_line_that_is_taken_back(tmp_path):
    """Bytes of half a line that a rewrite removed are not counted as read."""
    log = tmp_path / "log"
    log.write_bytes(b"one\nhalf")
    follower = follow(log)
    follower.read()
    assert follower.bytes == 8
    (tmp_path / "new").write_bytes(b"one\nother\n")
    (tmp_path / "new").replace(log)
    assert told(follower.read()) == [(2, b"other", 0)]
    assert (follower.bytes, follower.unfinished) == (10, 0)


def test_a_log_replaced_between_two_looks(tmp_path):
    """A file that was let go is known again when it is opened, and another with its name is not taken for it."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    handle = Handle(log)
    handle.close()
    assert handle.reopen()
    handle.close()
    (tmp_path / "new").write_bytes(b"one\n")
    (tmp_path / "new").replace(log)
    assert not handle.reopen()
    assert handle.released
