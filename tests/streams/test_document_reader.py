"""Reading a document that is rewritten whole."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.streams import document
from monitor.streams.document import DocumentReader
from monitor.streams.record import Input, Record


def reader_of(path, **more) -> DocumentReader:
    return DocumentReader(Input(0, path.name, "run.json", path, "document"), **more)


def told(found):
    return [(one.data, one.generation) if isinstance(one, Record) else one.what for one in found]


@pytest.mark.parametrize("in_place", [True, False])
def test_each_new_content_is_a_record(tmp_path, in_place):
    """The contents are given whole, once, with the number of their generation."""
    path = tmp_path / "run.json"
    reader = reader_of(path)
    assert reader.read() == []
    for number, content in enumerate((b'{"a": 1}', b'{"a": 2}\n', b"[]")):
        new = path if in_place else tmp_path / "new"
        new.write_bytes(content)
        new.replace(path)
        (record,) = reader.read(4)
        assert (record.data, record.length, record.generation) == (content, len(content), number)
        assert (record.line, record.offset) == (1, 0)
        assert reader.read() == []
        assert reader.finish() == []
    assert reader.bytes == 19
    assert reader.unfinished == 0


def test_the_same_contents_written_again_are_no_news(tmp_path):
    """A document that is replaced by itself is not given again, even when it was empty in between."""
    path = tmp_path / "run.json"
    path.write_bytes(b"{}")
    reader = reader_of(path)
    assert len(reader.read()) == 1
    path.write_bytes(b"")
    assert reader.read() == []
    path.write_bytes(b"{}")
    assert reader.read() == []
    assert reader.bytes == 2


def test_two_changes_within_one_tick_of_the_clock(tmp_path, clock, monkeypatch):
    """A document that looks the same is read again as long as its time is fresh, and not after that."""
    path = tmp_path / "run.json"
    path.write_bytes(b"running")
    os.utime(path, (clock.now, clock.now))
    monkeypatch.setattr(document, "_stamp", lambda _there: (1,))
    reader = reader_of(path, clock=clock)
    assert told(reader.read()) == [(b"running", 0)]
    path.write_bytes(b"stopped")
    os.utime(path, (clock.now, clock.now))
    assert told(reader.read()) == [(b"stopped", 1)]
    clock.now += 1
    assert reader.read() == []
    path.write_bytes(b"a third")
    assert reader.read() == []


def test_an_unchanged_document_is_not_read_again(tmp_path, clock, monkeypatch):
    """Once its time is old enough to be believed, a look at the file is all."""
    path = tmp_path / "run.json"
    path.write_bytes(b"{}")
    clock.now += 10
    reader = reader_of(path, clock=clock)
    reader.read()
    monkeypatch.setattr(document, "_load", None)
    assert reader.read() == []


def test_a_document_that_vanishes_and_returns(tmp_path):
    """Its loss and its return are said once each."""
    path = tmp_path / "run.json"
    path.write_bytes(b"{}")
    reader = reader_of(path)
    reader.read()
    path.unlink()
    assert told(reader.read()) == ["lost"]
    assert reader.read() == []
    path.write_bytes(b"[]")
    assert told(reader.read()) == ["back", (b"[]", 1)]


def test_a_document_that_is_written_to_while_it_is_read(tmp_path, monkeypatch):
    """Torn contents wait for the next time, and are given only when no more will come."""
    path = tmp_path / "run.json"
    path.write_bytes(b"{")
    reader = reader_of(path)
    plain = document.pread_all

    def torn(*arguments):
        data = plain(*arguments)
        with path.open("ab") as other:
            other.write(b" ")
        return data

    with monkeypatch.context() as busy:
        busy.setattr(document, "pread_all", torn)
        assert reader.read() == []
        assert not reader.at_end
    path.write_bytes(b"{}")
    assert told(reader.read()) == [(b"{}", 0)]
    assert reader.at_end
    path.write_bytes(b"{ ")
    monkeypatch.setattr(document, "pread_all", torn)
    ((data, generation),) = told(reader.finish())
    assert data.startswith(b"{ ")
    assert generation == 1


def test_a_document_beyond_the_cap(tmp_path):
    """It is given without its data, with its true length and the reason, each time it changes."""
    path = tmp_path / "run.json"
    path.write_bytes(b"x" * 11)
    reader = reader_of(path, cap=10)
    (record,) = reader.read()
    assert (record.data, record.length) == (b"", 11)
    assert record.problem == "a document of 11 bytes is too large to hold (the limit is 10)"
    assert reader.read() == []
    path.write_bytes(b"x" * 10)
    assert told(reader.read()) == [(b"x" * 10, 1)]
    assert reader.bytes == 21


def test_a_signature_is_counted_but_not_given(tmp_path):
    """A byte order mark is no part of the document, and blank contents are no data."""
    path = tmp_path / "run.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    reader = reader_of(path)
    assert [(one.data, one.length) for one in reader.read()] == [(b"{}", 5)]
    path.write_bytes(b"\xef\xbb\xbf \n")
    assert [(one.data, one.length) for one in reader.read()] == [(b"", 5)]


def test_contents_are_read_back(tmp_path):
    """The bytes of a document are had again as long as it is as long."""
    path = tmp_path / "run.json"
    path.write_bytes(b"{}")
    reader = reader_of(path)
    assert reader.read_at(0, 2) == b"{}"
    assert reader.read_at(0, 3) is None
    reader.close()


def plain(content):
    text = content.removeprefix(b"\xef\xbb\xbf")
    return text if text.strip() else b""


@settings(deadline=None, max_examples=60)
@given(contents=st.lists(st.binary(max_size=6), max_size=8))
def test_any_contents(tmp_path_factory, contents):
    """Each content that differs from the last one given is given, and the bytes add up."""
    path = tmp_path_factory.mktemp("any") / "run.json"
    reader = reader_of(path)
    expected, found = [], []
    for content in contents:
        path.write_bytes(content)
        found += reader.read()
        if content and content != (expected[-1] if expected else b""):
            expected.append(content)
    assert [one.length for one in found] == [len(content) for content in expected]
    assert [one.generation for one in found] == list(range(len(expected)))
    assert [one.data for one in found] == [plain(content) for content in expected]
    assert reader.bytes == sum(map(len, expected))
