"""Following a log that may not be read, cannot be read, or is no file."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from followed import follow, told

from monitor.errors import MonitorError
from monitor.streams.open import open_reader
from monitor.streams.record import Input


@contextmanager
def humbly():
    """Without the superuser's rights, which know no permissions."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A folder anyone may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_permission_lost_and_returned(open_folder):
    """A log that may no longer be opened is lost for that reason; what came meanwhile is read when it may."""
    log = open_folder / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    follower.close()
    with log.open("ab") as more:
        more.write(b"two\n")
    log.chmod(0)
    with humbly():
        assert told(follower.read()) == [("lost", "no permission to read the file")]
        assert follower.read() == []
        assert follower.finish() == []
    log.chmod(0o644)
    with humbly():
        assert told(follower.read()) == [("back", "the file can be read again"), (2, b"two", 0)]


def test_permission_lost_while_the_log_is_open(open_folder):
    """What was opened can be read on, and what replaces it unreadably is lost."""
    log = open_folder / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    with log.open("ab") as more:
        log.chmod(0)
        more.write(b"two\n")
    with humbly():
        assert told(follower.read()) == [(2, b"two", 0)]
    (open_folder / "new").write_bytes(b"one\n")
    (open_folder / "new").chmod(0)
    (open_folder / "new").replace(log)
    with humbly():
        assert told(follower.read()) == [("lost", "no permission to read the file")]
        assert follower.read() == []
    assert follower.bytes == 8


def test_a_log_that_was_never_readable_says_so(tmp_path, monkeypatch):
    """A file that is there and closed to us is not waited for in silence."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    monkeypatch.setattr("os.open", _deny)
    follower = follow(log)
    assert told(follower.read()) == [("lost", "no permission to read the file")]


def _deny(*_args, **_more):
    raise PermissionError(13, "Permission denied")


def test_a_disk_that_fails_while_it_is_read(tmp_path, monkeypatch):
    """An error of the file system is a state of the input, said once, and over when reading works again."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    with monkeypatch.context() as failing:
        failing.setattr("os.pread", _fail)
        assert told(follower.read()) == [("lost", "the file cannot be read: Input/output error")]
        assert follower.read() == []
    assert told(follower.read()) == [("back", "the file can be read again"), (1, b"one", 0)]


def _fail(*_args):
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize(("make", "kind"), [(Path.mkdir, "a folder"), (os.mkfifo, "a named pipe")])
def test_what_is_no_file_is_refused(tmp_path, make, kind):
    """A folder or a named pipe is refused at once, and one that takes a log's place later is a loss."""
    other = tmp_path / "other\x1b[31m"
    make(other)
    for shape in ("lines", "document"):
        with pytest.raises(MonitorError, match=f"is {kind}, not a file") as error:
            open_reader(Input(0, "x", "x", other, shape))
        assert "\x1b" not in str(error.value)
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    log.unlink()
    make(log)
    assert told(follower.read()) == [("lost", f"the file cannot be read: {kind}, not a file")]


def test_a_device_is_refused():
    """A device is never opened."""
    with pytest.raises(MonitorError, match="is a device, not a file"):
        follow(Path("/dev/zero"))
