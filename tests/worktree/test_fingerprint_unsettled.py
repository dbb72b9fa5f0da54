"""A folder that is written, refused or gone while it is read, and what the cache may keep of it."""

from __future__ import annotations

import os
import time

import pytest

from monitor.worktree import contents as reading
from monitor.worktree import fingerprint
from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache


def wait_until_old(path):
    """Until a second change could no longer leave the same time."""
    limit = time.monotonic() + 10
    while time.time_ns() - path.stat().st_ctime_ns < 100_000_000:
        assert time.monotonic() < limit
        os.sched_yield()


def test_a_file_that_is_written_all_the_time_is_told(project, monkeypatch):
    """A file whose size or times never hold still while it is read gives no answer."""
    path = project.write("growing.log.txt", "one\n")
    monkeypatch.setattr(reading, "_TRIES", (0.0, 0.001, 0.001))
    hooked(monkeypatch, lambda: path.write_text(path.read_text() + "more\n"))
    found = fingerprint.measure(project.path)
    assert (found.content, found.reason) == (None, "growing.log.txt is being written")


def test_a_file_that_is_written_once_is_read_again(project, monkeypatch):
    """A file that changes while it is read is read anew, and told as it is then."""
    path = project.write("notes.txt", "one\n")
    todo = [lambda: path.write_text("two, longer\n")]
    hooked(monkeypatch, lambda: todo.pop()() if todo else None)
    found = fingerprint.measure(project.path)
    assert not todo
    assert found.content == project.measure().content


def hooked(monkeypatch, act):
    """Do something whenever a part of a file has just been read."""
    real = reading.os.readv

    def readv(*words):
        count = real(*words)
        act()
        return count

    monkeypatch.setattr(reading.os, "readv", readv)


@pytest.mark.parametrize("after", ["nothing", "link", "folder"])
def test_a_file_that_vanishes_is_no_file(project, monkeypatch, after):
    """A file that was listed and is gone, or something else, when it is read makes the folder be listed anew."""
    path = project.write("short-lived.txt", "one\n")
    expected = {"nothing": [], "link": ["short-lived.txt"], "folder": ["short-lived.txt/inner"]}[after]
    real = reading.os.open
    todo = [path]

    def open_late(name, *words, **more):
        if todo and os.fsencode(name).endswith(b"short-lived.txt"):
            todo.pop().unlink()
            if after == "link":
                path.symlink_to("README.md")
            if after == "folder":
                project.write("short-lived.txt/inner", "inner\n")
        return real(name, *words, **more)

    monkeypatch.setattr(reading.os, "open", open_late)
    found = fingerprint.measure(project.path)
    monkeypatch.undo()
    assert found == project.measure()
    assert [name for name in found.entries.decode().split("\0") if "short-lived" in name] == [
        name for name in found.entries.decode().split("\0") if name.endswith(tuple(expected) or ("\n",))
    ]


def test_files_that_always_come_and_go_are_told(project, monkeypatch):
    """A folder that is never the same twice gives no answer."""
    real = reading.os.open
    project.write("flicker.txt", "0\n")

    def open_late(name, *words, **more):
        if os.fsencode(name).endswith(b"flicker.txt"):
            raise FileNotFoundError(2, "gone")
        return real(name, *words, **more)

    monkeypatch.setattr(reading.os, "open", open_late)
    assert fingerprint.measure(project.path).reason == "files come and go while it is measured: flicker.txt"


def forbid(monkeypatch, name, error):
    """The system refuses to open a file, as it does for those of another user."""
    real = reading.os.open

    def open_not(path, *words, **more):
        if os.fsencode(path).endswith(name):
            raise error
        return real(path, *words, **more)

    monkeypatch.setattr(reading.os, "open", open_not)


def test_an_unreadable_file_is_judged_by_its_times(project, monkeypatch):
    """A file nobody may read here is the same while its size and times are; else only that it came or went can be said of it."""
    path = project.write("secret.key", "secret\n")
    forbid(monkeypatch, b"secret.key", PermissionError(13, "Permission denied"))
    before = project.measure()
    assert before.content
    assert project.measure() == before
    project.write("README.md", "# Other\n")
    edited = project.measure()
    assert compare(before, edited).files == ("README.md",)
    path.write_text("others\n")
    after = project.measure()
    found = compare(edited, after)
    assert (found.changed, found.files) == (None, None)
    assert found.reason == "secret.key cannot be read, and its size or times changed"
    assert compare(before, after).files == ("README.md",)
    path.unlink()
    assert compare(after, project.measure()).files == ("secret.key",)


def test_a_file_on_a_failing_disk_is_told(project, monkeypatch):
    """An error of the disk is the reason."""
    project.write("bad.bin", "bad\n")
    forbid(monkeypatch, b"bad.bin", OSError(5, "Input/output error"))
    assert fingerprint.measure(project.path).reason == "bad.bin cannot be read: Input/output error"


def test_a_cache_forgets_what_is_no_longer_there(project):
    """What a measurement did not use is not kept for ever."""
    path = project.write("large.bin", bytes(1000))
    wait_until_old(path)
    project.measure()
    assert project.cache._ids
    path.unlink()
    project.measure()
    project.measure()
    wait_until_old(project.path / "README.md")
    project.cache.settle()
    project.measure()
    assert len(project.cache._ids) <= len(project.git("ls-files").splitlines())


def test_a_cache_keeps_no_id_of_a_file_that_just_changed(project, monkeypatch):
    """Within the tick in which a file changed it may change again without a trace: it is read again."""
    path = project.write("notes.txt", "one\n")
    wait_until_old(path)
    status = path.stat()
    cache = StatCache()
    key = reading.key_of(status)
    monkeypatch.setattr(reading.time, "time_ns", lambda: status.st_ctime_ns + 1_000_000)
    cache.put(key, b"id", status)
    assert cache.get(key) is None
    monkeypatch.setattr(reading.time, "time_ns", lambda: status.st_ctime_ns - 1_000_000)
    cache.put(key, b"id", status)
    assert cache.get(key) is None
    monkeypatch.setattr(reading.time, "time_ns", lambda: status.st_ctime_ns + 3_000_000_000)
    cache.put(key, b"id", status)
    assert cache.get(key) == b"id"


def test_measurements_beside_each_other_do_not_meet(project, tmp_path, monkeypatch):
    """What another measurement takes away of its own while this one looks around is no reason to fail."""
    state = tmp_path / "state"
    state.mkdir()
    monkeypatch.setattr(type(state), "glob", lambda self, _: iter([self / "shadow-gone"]))
    found = fingerprint.measure(project.path, state=state)
    assert (found.content, found.reason) == (project.measure().content, "")
