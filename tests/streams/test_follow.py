"""Following one log through all that happens to a file."""

from __future__ import annotations

import os
import resource

import pytest
from followed import follow, told

from monitor.streams.open import open_reader
from monitor.streams.record import Input

BOM = b"\xef\xbb\xbf"


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
