"""What a watch survives: limits of the kernel, folders that vanish, and too much of everything."""

from __future__ import annotations

import os
import shutil
import time

import pytest
from gathered import gather
from waiting import until

from monitor.worktree import lookout
from monitor.worktree.changes import BURST
from monitor.worktree.fingerprint import measure
from monitor.worktree.notices import Notice, Notices
from monitor.worktree.watch import Watcher


@pytest.fixture
def hasty(monkeypatch):
    """What is looked at by turns is looked at as often as can be."""
    monkeypatch.setattr(lookout, "_PERIOD", 0.02)
    monkeypatch.setattr(lookout, "_SHARE", 1)
    monkeypatch.setattr(lookout, "_IDLE", 0.02)


@pytest.fixture
def begun(project):
    """Begins watchers over the project, and ends them."""
    made = []

    def begin():
        watcher = Watcher(project.path)
        made.append(watcher)
        watcher.begin()
        watcher.settle()
        watcher.reconcile(measure(project.path))
        watcher.settle()
        watcher.changes()
        return watcher

    yield begin
    for watcher in made:
        watcher.close()


def refusing(trouble):
    """A system that gives no notices."""

    def refuse():
        raise trouble

    return refuse


@pytest.mark.parametrize("trouble", [ImportError(), OSError(24, "Too many open files")])
def test_without_notices(project, begun, hasty, monkeypatch, trouble):
    """Where the kernel gives no notice, changes are found by looking, and the problem says so."""
    monkeypatch.setattr(lookout, "Notices", refusing(trouble))
    watcher = begun()
    assert "are looked for every" in watcher.problem
    project.write("src/app.py", "changed\n")
    project.write("new/folder/file.txt", "new\n")
    (project.path / "README.md").unlink()
    assert gather(watcher, {"src/app.py", "new/folder/file.txt", "README.md"}) == {
        "src/app.py": "modified", "new/folder/file.txt": "created", "README.md": "deleted",
    }  # fmt: skip


def test_a_limit_that_is_raised(project, begun, hasty, monkeypatch):
    """Folders beyond the limit are looked at by turns; once it is raised, all are watched and nothing is said."""
    real, left = Notices.add, [1]

    def limited(notices, folder):
        if left[0] <= 0:
            raise OSError(28, "No space left on device")
        left[0] -= 1
        return real(notices, folder)

    monkeypatch.setattr(Notices, "add", limited)
    watcher = begun()
    assert "the limit " in watcher.problem
    assert "changes in 2 folders are looked for" in watcher.problem
    project.write("src/app.py", "changed\n")
    project.write("docs/new.txt", "changed\n")
    gather(watcher, {"src/app.py", "docs/new.txt"})
    left[0] = 1_000
    until(lambda: not watcher.problem)
    project.write("docs/new.txt", "again\n")
    gather(watcher, {"docs/new.txt"})


def test_lost_notices(project, begun, monkeypatch):
    """Where the kernel had to drop notices, every folder is looked at, and nothing is missed."""
    watcher = begun()
    read, lost = Notices.read, []

    def drop(notices):
        found = read(notices)
        if found and not lost:
            lost.extend(found)
            return [Notice(-1)]
        return found

    monkeypatch.setattr(Notices, "read", drop)
    project.write("src/app.py", "changed\n")
    project.write("far/away/new.txt", "new\n")
    gather(watcher, {"src/app.py", "far/away/new.txt"})
    assert lost


def test_more_than_can_be_told(project, begun):
    """Of thousands of changes at once as many are told as can be, known files first; the rest waits to be measured."""
    watcher = begun()
    for number in range(2 * BURST):
        (project.path / f"many{number}.txt").write_text(str(number))
    project.write("src/app.py", "changed meanwhile\n")
    watcher.settle()
    told = watcher.changes()
    assert BURST <= len(told) < 2 * BURST
    assert "too many to be told one by one" in watcher.problem
    watcher.reconcile(measure(project.path))
    watcher.settle()
    assert watcher.problem == ""
    assert watcher.changes() == []


def test_a_folder_that_vanishes_and_comes_back(project, begun, hasty):
    """While the folder is gone the problem says so; once it is back it is watched, and a measurement is asked for."""
    watcher = begun()
    project.path.rename(project.room / "elsewhere")
    until(lambda: "the project folder is gone" in watcher.problem)
    assert watcher.changes() == []
    (project.room / "elsewhere").rename(project.path)
    until(lambda: not watcher.problem)
    until(watcher.hinted)
    project.write("src/app.py", "back\n")
    gather(watcher, {"src/app.py"})


def test_a_folder_replaced_by_another(project, begun, hasty):
    """Another folder of the same name is not taken for the first: what differs comes with the measurement."""
    watcher = begun()
    shutil.copytree(project.path, project.room / "copy", symlinks=True)
    (project.room / "copy/src/app.py").write_text("other\n")
    project.path.rename(project.room / "first")
    (project.room / "copy").rename(project.path)
    until(watcher.hinted)
    watcher.reconcile(measure(project.path))
    assert gather(watcher, {"src/app.py"}) == {"src/app.py": "modified"}
    project.write("README.md", "watched again\n")
    gather(watcher, {"README.md"})


def test_a_folder_replaced_while_no_more_can_be_watched(project, begun, hasty, monkeypatch):
    """Where the system gives notice of the new folder no more, it is looked at by turns; nobody who waits is disturbed."""
    watcher = begun()
    told = Notices()
    monkeypatch.setattr(lookout, "Notices", refusing(OSError(24, "Too many open files")))
    project.path.rename(project.room / "elsewhere")
    shutil.copytree(project.room / "elsewhere", project.path, symlinks=True)
    until(lambda: "are looked for every" in watcher.problem)
    watcher.settle()
    project.write("src/app.py", "seen by looking\n")
    watcher.settle()
    assert "src/app.py" in [one.file for one in watcher.changes()]
    told.close()
    told.wake()


def test_a_file_of_four_gigabytes(project, begun):
    """A huge file is not read: that it came, and that it changed, is told without a digest."""
    watcher = begun()
    with (project.path / "huge.bin").open("wb") as file:
        file.truncate(4 << 30)
    began = time.process_time()
    watcher.settle()
    (event,) = watcher.changes()
    assert (event.file, event.what, event.after) == ("huge.bin", "created", "")
    assert time.process_time() - began < 2
    os.utime(project.path / "huge.bin")
    gather(watcher, {"huge.bin"})


def test_a_folder_nobody_may_look_into(project, begun):
    """A folder without permission hides what is in it, and disturbs nothing else."""
    if os.geteuid() == 0:
        pytest.skip("root may look into any folder")
    watcher = begun()
    project.write("closed/secret.txt", "x")
    (project.path / "closed").chmod(0)
    try:
        project.write("src/app.py", "changed\n")
        gather(watcher, {"src/app.py"})
    finally:
        (project.path / "closed").chmod(0o755)


def test_a_fault_of_our_own_is_told(project, begun, monkeypatch):
    """Should the thread fail, the run goes on without it, and the problem says so."""
    watcher = begun()

    def fail(*_):
        raise RuntimeError("boom")

    monkeypatch.setattr(watcher._changes, "tell", fail)
    project.write("README.md", "x")
    until(lambda: "monitor itself failed" in watcher.problem)
    watcher.settle()
