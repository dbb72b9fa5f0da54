"""What is piped in while the disk is full, and in any pieces."""

from __future__ import annotations

import os
import threading
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from piped import SOURCE, collect, told
from waiting import until

from monitor.streams.pipe import PipeReader
from monitor.streams.record import Record


def test_a_full_disk(pipe):
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
    found = collect(reader, lambda found: len(found) > 1)
    assert told(found) == [("gap", "13 bytes of the pipe were lost"), b"five"]
    assert (found[1].line, found[1].offset, reader.read_at(6, 5)) == (3, 6, b"five\n")
    assert (reader.bytes, reader.lost, reader.problem) == (11, 13, "")


def test_a_disk_that_stays_full(pipe):
    """The end of the pipe is seen, and how much was lost until then."""
    ends, reader = pipe
    reader.spool._reserve = 1 << 62
    os.write(ends[0], b"one\n")
    until(lambda: reader.lost == 4)
    assert told(reader.read()) == [("lost", reader.problem)]
    os.write(ends[0], b"two\n")
    os.close(ends.pop())
    found = collect(reader, lambda _: reader.closed)
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
