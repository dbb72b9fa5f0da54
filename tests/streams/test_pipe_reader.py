"""Reading what is piped in."""

from __future__ import annotations

import os
import threading

import pytest
from piped import SOURCE, collect, told
from waiting import until

from monitor.streams.pipe import PipeReader


def test_lines_as_they_come(pipe):
    """A line is given when its end has come, and can be read back; the last needs no end."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntw")
    assert told(collect(reader, len)) == [b"one"]
    until(lambda: reader.read() == [] and reader.unfinished == 2)
    assert not reader.closed
    os.write(ends[0], b"o\r\nthree")
    (two,) = collect(reader, len)
    assert (two.data, two.line, two.offset, two.length) == (b"two", 2, 4, 5)
    assert reader.read_at(4, 5) == b"two\r\n"
    assert reader.read_at(4, 500) is None
    os.close(ends.pop())
    assert told(collect(reader, len)) == [b"three"]
    until(lambda: reader.read() == [] and reader.closed)
    assert (reader.bytes, reader.unfinished, reader.lost) == (14, 0, 0)
    assert reader.finish() == []


def test_it_is_closed_when_all_has_been_given(pipe):
    """As long as lines are waiting the pipe does not count as closed, though its writer has gone."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntwo\n")
    os.close(ends.pop())
    until(lambda: reader._drain.ended)
    assert told(reader.read(1)) == [b"one"]
    assert not reader.closed
    assert told(collect(reader, lambda _: reader.closed)) == [b"two"]


def test_a_writer_is_never_held_up(pipe):
    """Twenty megabytes are taken though nobody reads a line of them."""
    ends, reader = pipe
    line = b"x" * 9_999 + b"\n"
    for _ in range(2_000):
        assert os.write(ends[0], line) == len(line)
    os.close(ends.pop())
    found = []
    while not reader.closed:
        batch = reader.read(1 << 20)
        assert len(batch) <= 110
        found += batch
    assert len(found) == 2_000
    assert reader.bytes == 20_000_000


def test_whoever_waits_is_woken(tmp_path):
    """`wake` is called when something came, and when the pipe has ended."""
    woken = threading.Event()
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path, wake=woken.set)
    os.write(writer, b"one\n")
    assert woken.wait(20)
    assert told(reader.read()) == [b"one"]
    woken.clear()
    os.close(writer)
    assert woken.wait(20)
    until(lambda: reader.read() == [] and reader.closed)
    reader.close()


def test_a_file_in_place_of_a_pipe(tmp_path):
    """`monitor - < log` reads the log to its end."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo")
    reader = PipeReader(os.open(log, os.O_RDONLY), SOURCE, tmp_path)
    assert told(collect(reader, lambda _: reader.closed)) == [b"one", b"two"]
    reader.close()


def test_a_pipe_that_does_not_wait(tmp_path):
    """A descriptor that was made non-blocking by the other side is read all the same."""
    end, writer = os.pipe()
    os.set_blocking(end, False)
    reader = PipeReader(end, SOURCE, tmp_path)
    os.write(writer, b"one\n")
    assert told(collect(reader, len)) == [b"one"]
    os.close(writer)
    reader.close()


def test_a_pipe_that_somebody_else_emptied(tmp_path, monkeypatch):
    """Readiness that comes to nothing is waited out, and a pipe that breaks is at its end."""
    end, writer = os.pipe()
    failures = iter([BlockingIOError(11, "again")])
    plain = os.read

    def read(descriptor, length):
        if descriptor == end and (failure := next(failures, None)):
            raise failure
        return plain(descriptor, length)

    monkeypatch.setattr("os.read", read)
    reader = PipeReader(end, SOURCE, tmp_path)
    os.write(writer, b"one\n")
    assert told(collect(reader, len)) == [b"one"]
    failures = iter([OSError(5, "Input/output error")])
    os.write(writer, b"two\n")
    until(lambda: reader.read() == [] and reader.closed)
    os.close(writer)
    reader.close()


def test_closing_early(tmp_path):
    """The thread ends, the spool goes, and the writer finds its pipe broken; twice is once."""
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path)
    thread = reader._drain._thread
    reader.close()
    reader.close()
    assert not thread.is_alive()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BrokenPipeError):
        os.write(writer, b"x")
    os.close(writer)
    assert reader.read_at(0, 1) is None


def test_the_end_of_waiting(pipe):
    """`finish` gives the half line that has come, without waiting for the writer."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntw")
    until(lambda: reader.spool.size == 6)
    assert told(reader.finish()) == [b"one", b"tw"]
    assert reader.finish() == []
    assert reader.unfinished == 0
