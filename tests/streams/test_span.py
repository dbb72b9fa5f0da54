"""Reading one part of a file that holds several runs."""

from __future__ import annotations

from monitor.streams.open import open_reader
from monitor.streams.record import Input, Record, Shift, Span
from monitor.streams.span import SpanReader


def reader(path, offset, length) -> SpanReader:
    found = open_reader(Input(0, "a", "x", path, span=Span(2, offset, length)))
    assert isinstance(found, SpanReader)
    return found


def test_the_lines_are_given_once(tmp_path):
    """Each line comes with its number and place, without its end, and all bytes are counted."""
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\r\n\nthr\ree\nfour")
    source = reader(path, 4, 13)
    given = source.read()
    assert [(one.data, one.line, one.offset, one.length) for one in given if isinstance(one, Record)] == [
        (b"two", 2, 4, 5),
        (b"", 3, 9, 1),
        (b"thr\ree", 4, 10, 7),
    ]
    assert (source.read(), source.finish(), source.bytes, source.unfinished) == ([], [], 13, 0)
    assert source.read_at(4, 3) == b"two"
    assert [one.data for one in reader(path, 17, 4).read() if isinstance(one, Record)] == [b"four"]


def test_a_file_that_became_shorter_is_lost(tmp_path):
    """What is no longer there is said, not thrown."""
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    source = reader(path, 4, 5)
    (shift,) = source.read()
    assert isinstance(shift, Shift)
    assert (shift.what, source.bytes) == ("lost", 0)
