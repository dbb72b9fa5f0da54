"""Reading what is piped in."""

from __future__ import annotations

import os
import threading
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.streams.pipe import PipeReader
from monitor.streams.record import Input, Record

SOURCE = Input(0, "the pipe", "stream")


@pytest.fixture
def pipe(tmp_path):
    """The writer's descriptor, and the reader."""
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path / "spool")
    open_ends = [writer]
    yield open_ends, reader
    for descriptor in open_ends:
        os.close(descriptor)
    reader.close()


def told(found):
    return [one.data if isinstance(one, Record) else (one.what, one.text) for one in found]


def collect(reader, until, enough):
    found = []

    def more():
        found.extend(reader.read())
        return enough(found)

    until(more)
    return found


def test_lines_as_they_come(pipe, until):
    """A line is given when its end has come, and can be read back; the last needs no end."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntw")
    assert told(collect(reader, until, len)) == [b"one"]
    until(lambda: reader.read() == [] and reader.unfinished == 2)
    assert not reader.closed
    os.write(ends[0], b"o\r\nthree")
    (two,) = collect(reader, until, len)
    assert (two.data, two.line, two.offset, two.length) == (b"two", 2, 4, 5)
    assert reader.read_at(4, 5) == b"two\r\n"
    assert reader.read_at(4, 500) is None
    os.close(ends.pop())
    assert told(collect(reader, until, len)) == [b"three"]
    until(lambda: reader.read() == [] and reader.closed)
    assert (reader.bytes, reader.unfinished, reader.lost) == (14, 0, 0)
    assert reader.finish() == []


def test_it_is_closed_when_all_has_been_given(pipe, until):
    """As long as lines are waiting the pipe does not count as closed, though its writer has gone."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntwo\n")
    os.close(ends.pop())
    until(lambda: reader._drain.ended)
    assert told(reader.read(1)) == [b"one"]
    assert not reader.closed
    assert told(collect(reader, until, lambda _: reader.closed)) == [b"two"]


def test_a_writer_is_never_held_up(pipe, until):
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


def test_whoever_waits_is_woken(tmp_path, until):
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


def test_a_file_in_place_of_a_pipe(tmp_path, until):
    """`monitor - < log` reads the log to its end."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo")
    reader = PipeReader(os.open(log, os.O_RDONLY), SOURCE, tmp_path)
    assert told(collect(reader, until, lambda _: reader.closed)) == [b"one", b"two"]
    reader.close()


def test_a_pipe_that_does_not_wait(tmp_path, until):
    """A descriptor that was made non-blocking by the other side is read all the same."""
    end, writer = os.pipe()
    os.set_blocking(end, False)
    reader = PipeReader(end, SOURCE, tmp_path)
    os.write(writer, b"one\n")
    assert told(collect(reader, until, len)) == [b"one"]
    os.close(writer)
    reader.close()


def test_a_pipe_that_somebody_else_emptied(tmp_path, until, monkeypatch):
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
    assert told(collect(reader, until, len)) == [b"one"]
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


def test_the_end_of_waiting(pipe, until):
    """`finish` gives the half line that has come, without waiting for the writer."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntw")
    until(lambda: reader.spool.size == 6)
    assert told(reader.finish()) == [b"one", b"tw"]
    assert reader.finish() == []
    assert reader.unfinished == 0


def test_a_full_disk(pipe, until):
    """What cannot be kept is counted and said, the writer goes on, and with space again whole lines follow."""
    ends, reader = pipe
    os.write(ends[0], b"one\ntw")
    until(lambda: reader.spool.size == 6)
    reader.spool._reserve = 1 << 62
    os.write(ends[0], b"o\nthree\n")
    until(lambda: reader.lost == 8)
    found = reader.read()
    assert told(found)[:2] == [b"one", b"tw"]
    assert found[2].what == "lost"
    assert found[2].text == reader.problem
    assert "cannot be kept: only" in reader.problem
    assert len(found) == 3
    assert reader.read() == []
    reader.spool._reserve = 0
    os.write(ends[0], b"fo")
    until(lambda: reader.lost == 10)
    os.write(ends[0], b"ur\nfive\n")
    found = collect(reader, until, lambda found: len(found) > 1)
    assert told(found) == [("gap", "13 bytes of the pipe were lost"), b"five"]
    assert (found[1].line, found[1].offset, reader.read_at(6, 5)) == (3, 6, b"five\n")
    assert (reader.bytes, reader.lost, reader.problem) == (11, 13, "")


def test_a_disk_that_stays_full(pipe, until):
    """The end of the pipe is seen, and how much was lost until then."""
    ends, reader = pipe
    reader.spool._reserve = 1 << 62
    os.write(ends[0], b"one\n")
    until(lambda: reader.lost == 4)
    assert told(reader.read()) == [("lost", reader.problem)]
    os.write(ends[0], b"two\n")
    os.close(ends.pop())
    found = collect(reader, until, lambda _: reader.closed)
    assert told(found) == [("gap", "8 bytes of the pipe were lost")]
    assert reader.bytes == 0


texts = st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"\x00\xff", b"\xef\xbb\xbf", b"b" * 30]), max_size=8)


@settings(deadline=None, max_examples=40)
@given(pieces=st.lists(texts.map(b"".join), max_size=6), limit=st.integers(1, 40), reads=st.booleans())
def test_any_pieces_make_the_lines_of_the_whole(tmp_path_factory, pieces, limit, reads):
    """The records are those of all bytes at once, and their lengths add up to what was written."""
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path_factory.mktemp("any"))
    found = []
    for piece in pieces:
        os.write(writer, piece)
        if reads:
            found += reader.read(limit)
            assert sum(one.length for one in found) + reader.unfinished == reader.bytes
    os.close(writer)
    while not reader.closed:
        found += reader.read(limit)
    reader.close()
    whole = b"".join(pieces)
    ends = [index for index, byte in enumerate(whole) if byte == 10]
    edges = [0, *(index + 1 for index in ends), *([len(whole)] if whole and not whole.endswith(b"\n") else [])]
    assert [(one.offset, one.offset + one.length) for one in found] == list(pairwise(edges))
    assert reader.bytes == len(whole)


@settings(deadline=None, max_examples=25)
@given(steps=st.lists(st.tuples(st.booleans(), texts.map(b"".join)), max_size=8))
def test_any_fate_of_the_disk(tmp_path_factory, steps):
    """However often the disk is full, bytes kept and bytes lost are the bytes written, and no line is glued to another."""
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path_factory.mktemp("any"))
    written = 0
    found = []
    pause = threading.Event()
    for full, text in steps:
        reader.spool._reserve = 1 << 62 if full else 0
        written += os.write(writer, text)
        while reader.spool.size + reader.lost < written:
            pause.wait(0.0002)
        found += reader.read()
    os.close(writer)
    while not reader.closed:
        found += reader.read()
    records = [one for one in found if isinstance(one, Record)]
    assert reader.bytes + reader.lost == written
    assert sum(one.length for one in records) == reader.bytes == reader.spool.size
    gaps = [one for one in found if not isinstance(one, Record) and one.what == "gap"]
    assert sum(int(one.text.split()[0]) for one in gaps) == reader.lost
    assert [one.offset for one in records] == [
        sum(one.length for one in records[:index]) for index in range(len(records))
    ]
    reader.close()
