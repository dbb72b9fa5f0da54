"""Reading one line of a file that holds a run on each of its lines."""

from __future__ import annotations

from monitor.streams.open import open_reader
from monitor.streams.record import Input, Record, Shift, Span
from monitor.streams.span import SpanReader


def reader(path, offset, length) -> SpanReader:
    found = open_reader(Input(0, "a", "x", path, span=Span(2, offset, length)))
    assert isinstance(found, SpanReader)
    return found


def test_the_line_is_given_once(tmp_path):
    """The line comes with its number and place, without its end, and its bytes are counted."""
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\r\nthree\n")
    source = reader(path, 4, 5)
    (record,) = source.read()
    assert isinstance(record, Record)
    assert (record.data, record.line, record.offset, record.length) == (b"two", 2, 4, 5)
    assert (source.read(), source.finish(), source.bytes, source.unfinished) == ([], [], 5, 0)
    assert source.read_at(4, 3) == b"two"


def test_a_file_that_became_shorter_is_lost(tmp_path):
    """What is no longer there is said, not thrown."""
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    source = reader(path, 4, 5)
    (shift,) = source.read()
    assert isinstance(shift, Shift)
    assert (shift.what, source.bytes) == ("lost", 0)
