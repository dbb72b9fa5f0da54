"""Waking a waiting thread when something it watches changes."""

from __future__ import annotations

import os
import shutil
import sys
import threading

import pytest
from noticed import no_kernel, settle

from monitor.streams import notify
from monitor.streams.notify import Notifier

LONG = 20.0


@pytest.fixture(params=["kernel", "polling"])
def notifier(request, monkeypatch):
    """One that the kernel gives notice to, and one that looks by itself."""
    if request.param == "polling":
        monkeypatch.setattr(notify, "Kernel", no_kernel)
        monkeypatch.setattr(notify, "_INTERVAL", 0.01)
    elif sys.platform != "linux":
        pytest.skip("inotify is Linux's")
    one = Notifier()
    assert bool(one.problem) == (request.param == "polling")
    yield one
    one.close()


def test_a_file_that_grows(tmp_path, notifier):
    """An append ends the wait; without one the wait ends in vain."""
    log = tmp_path / "log"
    log.write_bytes(b"")
    notifier.watch(log)
    settle(notifier)
    assert not notifier.wait(0)
    with log.open("ab") as writer:
        writer.write(b"x")
        writer.flush()
        assert notifier.wait(LONG)
    settle(notifier)
    assert not notifier.wait(0.03)


@pytest.mark.parametrize("what", ["replaced", "cut", "deleted", "renamed", "touched"])
def test_whatever_happens_to_a_file(tmp_path, notifier, what):
    """Replacing, cutting, deleting, renaming and touching it are changes."""
    log = tmp_path / "log"
    log.write_bytes(b"one")
    (tmp_path / "new").write_bytes(b"other")
    notifier.watch(log)
    settle(notifier)
    match what:
        case "replaced":
            (tmp_path / "new").replace(log)
        case "cut":
            os.truncate(log, 1)
        case "deleted":
            log.unlink()
        case "renamed":
            log.rename(tmp_path / "old")
        case "touched":
            os.utime(log, (1, 1))
    assert notifier.wait(LONG)


def test_its_neighbours_are_ignored(tmp_path, notifier):
    """What was not asked for ends no wait."""
    log = tmp_path / "log"
    log.write_bytes(b"")
    notifier.watch(log)
    settle(notifier)
    for number in range(50):
        (tmp_path / f"other{number}").write_bytes(b"x")
    assert not notifier.wait(0.05)
    log.write_bytes(b"x")
    assert notifier.wait(LONG)


def test_a_folder(tmp_path, notifier):
    """A file that appears, changes or goes in a watched folder is a change of it."""
    notifier.watch(tmp_path)
    settle(notifier)
    for act in (
        lambda: (tmp_path / "file").write_bytes(b"x"),
        lambda: (tmp_path / "file").write_bytes(b"xy"),
        (tmp_path / "file").unlink,
    ):
        act()
        assert notifier.wait(LONG)
        settle(notifier)


def test_a_file_in_folders_that_do_not_exist_yet(tmp_path, notifier):
    """It is noticed when its folders, and it, appear one after the other."""
    log = tmp_path / "a" / "b" / "log"
    notifier.watch(log)
    settle(notifier)
    assert not notifier.wait(0.03)
    log.parent.mkdir(parents=True)
    if not notifier.problem:
        assert notifier.wait(LONG)
        settle(notifier)
    log.write_bytes(b"x")
    assert notifier.wait(LONG)
    settle(notifier)
    with log.open("ab") as writer:
        writer.write(b"x")
    assert notifier.wait(LONG)


def test_a_folder_that_goes_and_comes_again(tmp_path, notifier):
    """A file is noticed again in a folder made anew, whether the old one was removed or renamed."""
    folder = tmp_path / "run"
    log = folder / "log"
    folder.mkdir()
    log.write_bytes(b"x")
    notifier.watch(log)
    settle(notifier)
    for number in range(2):
        if number:
            folder.rename(tmp_path / "old")
        else:
            shutil.rmtree(folder)
        assert notifier.wait(LONG)
        settle(notifier)
        folder.mkdir()
        log.write_bytes(b"y" * (number + 2))
        assert notifier.wait(LONG)
        settle(notifier)
        with log.open("ab") as writer:
            writer.write(b"x")
        assert notifier.wait(LONG)
        settle(notifier)


def test_a_file_behind_a_link(tmp_path, notifier):
    """The file a link leads to is watched where it lies, and after the link was led elsewhere."""
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    for name in ("one", "two"):
        (tmp_path / "far" / name).write_bytes(b"")
    link = tmp_path / "near" / "log"
    link.symlink_to(tmp_path / "far" / "one")
    notifier.watch(link)
    settle(notifier)
    (tmp_path / "far" / "one").write_bytes(b"x")
    assert notifier.wait(LONG)
    settle(notifier)
    (tmp_path / "near" / "new").symlink_to(tmp_path / "far" / "two")
    (tmp_path / "near" / "new").replace(link)
    assert notifier.wait(LONG)
    settle(notifier)
    (tmp_path / "far" / "two").write_bytes(b"x")
    assert notifier.wait(LONG)


def test_another_thread_ends_the_wait(notifier):
    """`wake` ends a wait that is on, or the next one, once; after `close` it does nothing."""
    waker = threading.Thread(target=notifier.wake)
    waker.start()
    assert notifier.wait(LONG)
    waker.join()
    assert not notifier.wait(0.02)
    notifier.wake()
    notifier.wake()
    assert notifier.wait(LONG)
    assert not notifier.wait(0)
    notifier.close()
    notifier.close()
    notifier.wake()


def test_the_same_path_twice(tmp_path, notifier):
    """Asking again for what is watched changes nothing."""
    for _ in range(3):
        notifier.watch(tmp_path / "log")
    (tmp_path / "log").write_bytes(b"x")
    assert notifier.wait(LONG)
