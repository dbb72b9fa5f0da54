"""Reading a span back."""

from __future__ import annotations

import os

import pytest

from monitor.streams.reread import read_span


def test_a_span(tmp_path):
    """The bytes asked for, and no more of them than the cap."""
    file = tmp_path / "log"
    file.write_bytes(b"0123456789")
    assert read_span(file, 2, 5, 100) == b"23456"
    assert read_span(file, 2, 5, 3) == b"234"
    assert read_span(file, 0, 10, 10) == b"0123456789"
    assert read_span(file, 10, 0, 10) == b""


def test_a_span_that_is_not_there(tmp_path):
    """None where the file is gone, shorter, no file, or the span is none, never an exception."""
    file = tmp_path / "log"
    file.write_bytes(b"0123456789")
    assert read_span(file, 6, 5, 100) is None
    assert read_span(file, 6, 5, 2) is None
    assert read_span(file, -1, 5, 2) is None
    assert read_span(file, 1, -5, 2) is None
    assert read_span(tmp_path / "other", 0, 1, 1) is None
    assert read_span(tmp_path, 0, 1, 1) is None
    os.mkfifo(tmp_path / "pipe")
    assert read_span(tmp_path / "pipe", 0, 1, 1) is None


@pytest.mark.parametrize("most", [1, 3])
def test_a_system_that_gives_less_than_asked_for(tmp_path, monkeypatch, most):
    """Short reads are put together."""
    file = tmp_path / "log"
    file.write_bytes(b"0123456789")
    plain = os.pread
    monkeypatch.setattr("os.pread", lambda descriptor, length, offset: plain(descriptor, min(length, most), offset))
    assert read_span(file, 2, 7, 100) == b"2345678"


def test_a_disk_that_fails(tmp_path, monkeypatch):
    """An error while reading is none, too."""
    file = tmp_path / "log"
    file.write_bytes(b"0123456789")

    def fail(*_arguments):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.pread", fail)
    assert read_span(file, 2, 7, 100) is None


def test_a_file_cut_short_at_that_moment(tmp_path, monkeypatch):
    """Fewer bytes than the file promised are none."""
    file = tmp_path / "log"
    file.write_bytes(b"0123456789")
    monkeypatch.setattr("os.pread", lambda *_arguments: b"")
    assert read_span(file, 2, 7, 100) is None
