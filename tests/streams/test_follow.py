"""Following one log through all that happens to a file."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from monitor.errors import MonitorError
from monitor.streams.follow import Follower
from monitor.streams.handle import Handle
from monitor.streams.open import open_reader
from monitor.streams.record import Input, Record, Shift

BOM = b"\xef\xbb\xbf"


def follow(path: Path, **more) -> Follower:
    return Follower(Input(0, path.name, "transcript", path), **more)


def told(found: list[Record | Shift]) -> list[tuple[int, bytes, int] | tuple[str, str]]:
    """Records as line, data and generation; shifts as what and text."""
    return [(one.line, one.data, one.generation) if isinstance(one, Record) else (one.what, one.text) for one in found]


def test_whole_lines_only_while_following(tmp_path):
    """A line is given when its end has come, and not before."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntw")
    follower = follow(log)
    (record,) = follower.read()
    assert (record.line, record.offset, record.length, record.data) == (1, 0, 4, b"one")
    assert (follower.bytes, follower.unfinished, follower.at_end) == (6, 2, True)
    with log.open("ab") as more:
        more.write(b"o\n")
    (record,) = follower.read()
    assert (record.line, record.offset, record.length, record.data) == (2, 4, 4, b"two")
    assert (follower.bytes, follower.unfinished) == (8, 0)
    assert follower.read() == []


def test_line_ends_and_signature_are_counted_but_not_given(tmp_path):
    """CRLF and a byte order mark are stripped from the data and stay in the length; other bytes are raw."""
    log = tmp_path / "log"
    log.write_bytes(BOM + b"a\r\n\n \t\r\n\x00\xff\xfe\r\r\n" + BOM + b"z\n")
    records = follow(log).read()
    assert [(one.data, one.length, one.problem) for one in records] == [
        (b"a", 6, ""),
        (b"", 1, ""),
        (b"", 4, ""),
        (b"\x00\xff\xfe\r", 6, ""),
        (BOM + b"z", 5, ""),
    ]


def test_the_last_line_of_a_finished_log(tmp_path):
    """`finish` gives the line without its end, once; what comes after it all the same is another record."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo")
    follower = follow(log)
    assert told(follower.finish()) == [(1, b"one", 0), (2, b"two", 0)]
    assert follower.unfinished == 0
    assert follower.finish() == []
    with log.open("ab") as more:
        more.write(b"\nthree\n")
    end, three = follower.read()
    assert (end.line, end.offset, end.length, end.data) == (2, 7, 1, b"")
    assert (three.line, three.offset, three.data) == (3, 8, b"three")
    assert follower.bytes == log.stat().st_size


def test_a_finished_log_that_goes_on_within_its_last_line(tmp_path):
    """The rest of a line already given is a record of the same line."""
    log = tmp_path / "log"
    log.write_bytes(b"tw")
    follower = follow(log)
    follower.finish()
    with log.open("ab") as more:
        more.write(b"o\nthree\n")
    assert [(one.line, one.offset, one.data) for one in follower.read()] == [(1, 2, b"o"), (2, 4, b"three")]


@pytest.mark.parametrize("again", [b"one\ntwo", b"one\ntwo\n", b"one\ntwo\nthree\n"])
def test_a_last_line_without_end_is_known_again(tmp_path, again):
    """A finished log that is replaced by the same lines, with an end or more of them, repeats none."""
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo")
    follower = follow(log)
    follower.finish()
    (tmp_path / "new").write_bytes(again)
    (tmp_path / "new").replace(log)
    assert [one.data for one in follower.read() if one.data] == [b"three"] * (b"three" in again)
    assert follower.finish() == []
    assert (follower.generation, follower.bytes) == (0, len(again))


def test_a_large_log_comes_in_steps(tmp_path):
    """One read gives about as many bytes as it is asked for."""
    log = tmp_path / "log"
    log.write_bytes(b"x" * 99 + b"\n")
    log.write_bytes(log.read_bytes() * 1000)
    follower = follow(log)
    assert len(follower.read(10_000)) == 100
    assert not follower.at_end
    assert len(follower.read(10_000)) == 100
    while not follower.at_end:
        follower.read(10_000)
    assert follower.bytes == 100_000


def test_a_read_goes_on_until_a_line_has_ended(tmp_path):
    """None means that there is nothing more now, even where one line is longer than the limit."""
    log = tmp_path / "log"
    log.write_bytes(b"x" * 5000 + b"\n" + b"y" * 5000 + b"\n")
    assert [one.length for one in follow(log).read(10)] == [5001]


def test_a_line_of_100_megabytes(tmp_path):
    """It comes whole, whether it is read while it grows or afterwards."""
    log = tmp_path / "log"
    follower = follow(log)
    with log.open("wb", buffering=0) as growing:
        for _ in range(50):
            growing.write(b"x" * 2_000_000)
            assert follower.read() == []
        growing.write(b"\n{}\n")
    long, short = follower.read()
    assert (long.length, len(long.data), long.problem) == (100_000_001, 100_000_000, "")
    assert short.data == b"{}"
    assert [one.length for one in follow(log).read()] == [100_000_001, 3]


def test_a_line_beyond_the_cap(tmp_path):
    """It becomes a record with its true length and without data; its neighbours are whole."""
    log = tmp_path / "log"
    log.write_bytes(b"a\n" + b"x" * 5001 + b"\n" + b"y" * 5000 + b"\r\nz" + b"w" * 6000)
    follower = follow(log, cap=5001)
    a, x, y, z = follower.finish()
    assert (a.data, y.data) == (b"a", b"y" * 5000)
    assert (x.data, x.length, x.problem) == (b"x" * 5001, 5002, "")
    assert (z.data, z.length) == (b"", 6001)
    assert z.problem == "a line of 6,001 bytes is too long to hold (the limit is 5,001)"
    assert follower.bytes == log.stat().st_size


def test_a_line_beyond_the_cap_is_read_in_bounded_memory(tmp_path):
    """Half a gigabyte without a line end is counted, not held."""
    log = tmp_path / "log"
    with log.open("wb") as sparse:
        sparse.truncate(512 << 20)
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from monitor.streams.follow import Follower\n"
        "from monitor.streams.record import Input\n"
        "follower = Follower(Input(0, 'log', '', Path(sys.argv[1])), cap=8 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))\n"
        "(record,) = [*follower.read(), *follower.finish()]\n"
        "print(record.length, bool(record.problem), follower.bytes)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(log)], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(512 << 20), "True", str(512 << 20)], done.stderr


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


def test_reading_leaves_no_trace(tmp_path):
    """The access time of the log stays what it was, where a plain read would have moved it."""
    log, other = tmp_path / "log", tmp_path / "other"
    for file in (log, other):
        file.write_bytes(b"one\n")
        os.utime(file, ns=(1_000_000_000, file.stat().st_mtime_ns))
    other.read_bytes()
    if other.stat().st_atime_ns == 1_000_000_000 or not hasattr(os, "O_NOATIME"):
        pytest.skip("this file system keeps no access times, or the system cannot leave them alone")
    before = log.stat()
    follower = follow(log)
    assert len(follower.finish()) == 1
    follower.read_at(0, 4)
    after = log.stat()
    assert (after.st_atime_ns, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_atime_ns,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


def test_hundreds_of_idle_logs_are_not_kept_open(tmp_path, clock):
    """Logs nobody has written to for a minute take no descriptor, and are read on when they grow."""
    logs = [tmp_path / str(number) for number in range(200)]
    for log in logs:
        log.write_bytes(b"one\n")
    followers = [follow(log, clock=clock) for log in logs]
    clock.now += 100
    before = _open_files()
    for follower in followers:
        assert len(follower.read()) == 1
        assert follower.at_end
    assert _open_files() == before
    with logs[7].open("ab") as more:
        more.write(b"two\n")
    (tmp_path / "new").write_bytes(b"other\n")
    (tmp_path / "new").replace(logs[8])
    found = [told(follower.read()) for follower in followers[6:9]]
    assert found == [
        [],
        [(2, b"two", 0)],
        [("rewritten", "the log was rewritten: from line 1 on it is no longer what was read"), (1, b"other", 1)],
    ]


def _open_files() -> int:
    limit = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096)
    return sum(_is_open(descriptor) for descriptor in range(limit))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


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


def test_the_reader_that_fits(tmp_path):
    """A log of lines is followed, a document is read whole."""
    path = tmp_path / "run"
    path.write_bytes(b"1\n2\n")
    assert [one.data for one in open_reader(Input(0, "run", "", path)).read()] == [b"1", b"2"]
    assert [one.data for one in open_reader(Input(0, "run", "", path, "document")).read()] == [b"1\n2\n"]


def test_a_closed_follower_goes_on(tmp_path):
    """After `close` a read opens the log again and repeats nothing."""
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    follower = follow(log)
    follower.read()
    follower.close()
    follower.close()
    with log.open("ab") as more:
        more.write(b"two\n")
    assert told(follower.read()) == [(2, b"two", 0)]


def test_texts_are_read_back_by_their_span(tmp_path):
    """What a record says of itself finds its bytes again."""
    log = tmp_path / "log"
    log.write_bytes(BOM + b"one\r\ntwo\n")
    follower = follow(log)
    one, two = follower.read()
    assert follower.read_at(one.offset, one.length) == BOM + b"one\r\n"
    assert follower.read_at(two.offset, two.length) == b"two\n"
    assert follower.read_at(two.offset, 99) is None


def test_a_link_is_followed(tmp_path):
    """A log behind a symbolic link is the log; a link led elsewhere is another file."""
    (tmp_path / "a").write_bytes(b"one\n")
    (tmp_path / "b").write_bytes(b"one\ntwo\n")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "a")
    follower = follow(link)
    assert told(follower.read()) == [(1, b"one", 0)]
    link.unlink()
    link.symlink_to(tmp_path / "b")
    assert told(follower.read()) == [(2, b"two", 0)]
