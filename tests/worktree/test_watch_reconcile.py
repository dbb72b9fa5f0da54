"""What an exact measurement adds to what was noticed."""

from __future__ import annotations

import mmap
import os

import pytest

from monitor.worktree.fingerprint import measure
from monitor.worktree.measurement import Measurement
from monitor.worktree.notices import Notices
from monitor.worktree.sight import LARGEST
from monitor.worktree.watch import Watcher


@pytest.fixture
def watcher(project):
    """A watcher that has not heard of any measurement."""
    made = Watcher(project.path)
    made.begin()
    made.settle()
    yield made
    made.close()


def reconciled(watcher, project):
    """What a measurement taken now adds."""
    watcher.reconcile(measure(project.path))
    watcher.settle()
    return {event.file: event.what for event in watcher.changes()}


@pytest.fixture
def deaf(watcher, project, monkeypatch):
    """The watcher hears nothing any more."""
    reconciled(watcher, project)
    monkeypatch.setattr(Notices, "read", lambda notices: [])
    return watcher


def test_what_nobody_noticed_is_told(deaf, project):
    """Whatever notice was lost, the measurement tells it, once."""
    project.write("src/app.py", "changed\n")
    project.write("new.txt", "new\n")
    (project.path / "README.md").unlink()
    (project.path / "docs/two words.txt").chmod(0o755)
    assert reconciled(deaf, project) == {
        "src/app.py": "modified", "new.txt": "created", "README.md": "deleted", "docs/two words.txt": "mode",
    }  # fmt: skip
    assert reconciled(deaf, project) == {}


def test_what_was_noticed_is_not_told_again(watcher, project):
    """A measurement that agrees with what was told adds nothing."""
    reconciled(watcher, project)
    project.write("src/app.py", "changed\n")
    project.write("new/file.txt", "new\n")
    watcher.settle()
    assert len(watcher.changes()) == 2
    assert reconciled(watcher, project) == {}
    (project.path / "new/file.txt").unlink()
    project.write("src/app.py", "print('app')\n")
    watcher.settle()
    assert {event.file: event.what for event in watcher.changes()} == {
        "src/app.py": "modified", "new/file.txt": "deleted",
    }  # fmt: skip
    assert reconciled(watcher, project) == {}
    assert watcher.differing() == []


def test_memory_that_is_mapped(watcher, project):
    """What is written through mapped memory gives no notice; the measurement tells it."""
    path = project.write("mapped.bin", b"\0" * 8192)
    reconciled(watcher, project)
    handle = os.open(path, os.O_RDWR)
    with mmap.mmap(handle, 8192) as memory:
        os.close(handle)
        watcher.settle()
        assert watcher.changes() == []
        memory[100] = 1
        memory.flush()
        watcher.settle()
        assert watcher.changes() == []
        assert reconciled(watcher, project) == {"mapped.bin": "modified"}


def test_before_any_measurement(watcher, project):
    """Without a measurement nobody knows what a file held: it is told as modified, without a digest before."""
    project.write("src/app.py", "changed\n")
    project.write("new.txt", "new\n")
    watcher.settle()
    events = {event.file: event for event in watcher.changes()}
    assert (events["src/app.py"].what, events["src/app.py"].before) == ("modified", "")
    assert events["new.txt"].what == "created"
    assert watcher.differing() == []


def test_a_folder_that_cannot_be_measured(watcher, project):
    """A measurement that failed changes nothing, and what changes is told all the same."""
    watcher.reconcile(Measurement(None, None, "too large"))
    project.write("src/app.py", "changed\n")
    watcher.settle()
    assert [event.file for event in watcher.changes()] == ["src/app.py"]


def test_ignored_folders_that_hold_tracked_files(project):
    """Once measured, a hidden folder with a tracked file in it is watched, for that file alone."""
    project.write("build/kept.txt", "kept\n")
    project.git("add", "-f", "build/kept.txt")
    project.git("commit", "-q", "-m", "kept")
    watcher = Watcher(project.path)
    watcher.begin()
    watcher.settle()
    assert reconciled(watcher, project) == {}
    project.write("build/kept.txt", "changed\n")
    project.write("build/other.txt", "hidden\n")
    watcher.settle()
    assert [event.file for event in watcher.changes()] == ["build/kept.txt"]
    watcher.close()


def test_the_files_that_differ_from_the_start(watcher, project):
    """What differs is held against the first measurement, whatever was measured since."""
    reconciled(watcher, project)
    project.write("src/app.py", "changed\n")
    project.write("new.txt", "new\n")
    watcher.settle()
    reconciled(watcher, project)
    project.write("new.txt", "newer\n")
    watcher.settle()
    assert watcher.differing() == ["new.txt", "src/app.py"]
    (project.path / "new.txt").unlink()
    watcher.settle()
    assert watcher.differing() == ["src/app.py"]


def test_a_commit_by_the_run_is_no_change(watcher, project):
    """After a commit the same contents are the same."""
    project.write("src/app.py", "changed\n")
    reconciled(watcher, project)
    project.git("commit", "-qam", "x")
    assert reconciled(watcher, project) == {}


def test_a_repository_of_sha256(folder):
    """Ids of another length are compared as well."""
    folder.git("init", "-q", "--object-format=sha256")
    folder.git("add", "-A")
    folder.git("commit", "-q", "-m", "x")
    watcher = Watcher(folder.path)
    watcher.begin()
    watcher.settle()
    reconciled(watcher, folder)
    folder.write("a.txt", "a\n")
    folder.write("deep/b.txt", "other\n")
    watcher.settle()
    assert [event.file for event in watcher.changes()] == ["deep/b.txt"]
    watcher.close()


def test_what_changed_while_it_was_measured(watcher, project):
    """A file that is another than was measured, and not for want of looking, asks for another measurement."""
    reconciled(watcher, project)
    assert not watcher.ahead()
    old = measure(project.path)
    project.write("src/app.py", "changed meanwhile\n")
    project.write("build/ignored.txt", "ignored\n")
    watcher.settle()
    assert len(watcher.changes()) == 1
    watcher.reconcile(old)
    watcher.settle()
    assert watcher.changes() == []
    assert watcher.ahead()
    assert reconciled(watcher, project) == {}
    assert not watcher.ahead()
    (project.path / "src/app.py").unlink()
    watcher.settle()
    watcher.reconcile(old)
    watcher.settle()
    assert watcher.ahead()


def test_files_that_are_not_read_are_not_ahead(watcher, project):
    """Of a file too large to be read at every change it is not known whether it is another than was measured."""
    reconciled(watcher, project)
    with project.write("large.bin", "x").open("r+b") as file:
        file.truncate(LARGEST + 1)
    watcher.settle()
    assert [one.file for one in watcher.changes()] == ["large.bin"]
    reconciled(watcher, project)
    assert not watcher.ahead()
