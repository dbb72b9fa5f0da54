"""What a watch survives: limits of the kernel, folders that vanish, and too much of everything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import pytest
from waiting import until

from monitor.worktree import lookout, tree
from monitor.worktree.changes import BURST
from monitor.worktree.fingerprint import measure
from monitor.worktree.notices import Notice, Notices
from monitor.worktree.watch import Watcher

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


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


def gather(watcher, wanted):
    """Wait until all these files have been told; what was told of each comes back."""
    found = {}

    def all_told():
        found.update({event.file: event.what for event in watcher.changes()})
        return wanted <= found.keys()

    until(all_told)
    return found


@pytest.mark.parametrize("trouble", [ImportError(), OSError(24, "Too many open files")])
def test_without_notices(project, begun, hasty, monkeypatch, trouble):
    """Where the kernel gives no notice, changes are found by looking, and the problem says so."""

    def refuse():
        raise trouble

    monkeypatch.setattr(lookout, "Notices", refuse)
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


_LIMITED = """
import sys
from pathlib import Path
from monitor.worktree.watch import Watcher
watcher = Watcher(Path(sys.argv[1]))
watcher.begin()
watcher.settle()
print(watcher.problem)
watcher.close()
"""


@linux_only
@pytest.mark.parametrize(("limit", "figure"), [("watches", 1), ("instances", 0)])
def test_the_limits_of_the_kernel(project, limit, figure):
    """The problem names the limit, its figure, and the command that raises it."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    # /proc/sys/user is the namespace's own: nothing outside it is changed
    order = f'echo {figure} > /proc/sys/user/max_inotify_{limit} || exit 99; exec "$0" -c "$1" "$2"'
    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", order, sys.executable, _LIMITED, str(project.path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr or done.returncode == 99:
        pytest.skip("user namespaces are not permitted here")
    assert f"the limit user.max_inotify_{limit} = {figure} is reached: changes in " in done.stdout
    assert f"raise it with `sysctl user.max_inotify_{limit}=NUMBER`" in done.stdout


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


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
def test_a_disk_mounted_over_the_folder(project):
    """A disk mounted over the folder hides it: that is noticed without a notice of the kernel."""
    script = """
import subprocess, sys, time
from pathlib import Path
from monitor.worktree import lookout, tree
from monitor.worktree.watch import Watcher
lookout._IDLE = 0.02
folder = Path(sys.argv[1])
watcher = Watcher(folder)
watcher.begin()
watcher.settle()
watcher.hinted()
subprocess.run(["mount", "-t", "tmpfs", "none", str(folder)], check=True)
end = time.monotonic() + 20
while not watcher.hinted() and time.monotonic() < end:
    time.sleep(0.01)
(folder / "on the new disk").write_text("x")
watcher.settle()
print([event.file for event in watcher.changes()])
watcher.close()
"""
    done = subprocess.run(
        ["unshare", "-Urm", sys.executable, "-c", script, str(project.path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("mounting is not permitted here")
    assert done.stdout.strip() == "['on the new disk']", done.stderr


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


def test_deep_folders(project):
    """Folders nested deeper than Python may recurse are watched."""
    depth, usual = 400, sys.getrecursionlimit()
    sys.setrecursionlimit(350)
    handle = os.open(project.path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    try:
        watcher = Watcher(project.path)
        watcher.begin()
        watcher.settle()
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
        gather(watcher, {"d/" * depth + "file"})
        watcher.close()
    finally:
        sys.setrecursionlimit(usual)
        os.close(handle)
        # what cleans up after tests does so recursively
        subprocess.run(["rm", "-rf", str(project.path / "d")], check=True)


def test_more_folders_than_are_watched(project, monkeypatch):
    """Of a tree of any size so many folders are watched, and the problem says that there are more."""
    monkeypatch.setattr(tree, "FOLDERS", 20)
    for number in range(40):
        project.write(f"many/folder{number}/file.txt", "x")
    watcher = Watcher(project.path)
    watcher.begin()
    watcher.settle()
    assert "folders count: changes in the others are seen when the folder is measured" in watcher.problem
    project.write("README.md", "changed\n")
    gather(watcher, {"README.md"})
    watcher.close()


def test_nothing_to_watch(tmp_path):
    """A folder that does not exist is a problem, and no exception."""
    watcher = Watcher(tmp_path / "missing")
    watcher.begin()
    watcher.settle()
    assert "gone" in watcher.problem
    assert watcher.changes() == []
    watcher.close()


def test_a_fault_of_our_own_is_told(project, begun, monkeypatch):
    """Should the thread fail, the run goes on without it, and the problem says so."""
    watcher = begun()

    def fail(*_):
        raise RuntimeError("boom")

    monkeypatch.setattr(watcher._changes, "tell", fail)
    project.write("README.md", "x")
    until(lambda: "monitor itself failed" in watcher.problem)
    watcher.settle()


def test_our_own_record_is_left_out(folder):
    """Where the project holds the monitor's own folder, as a home folder does, that is not watched."""
    state = folder.path / ".state"
    state.mkdir()
    watcher = Watcher(folder.path, state=state)
    watcher.begin()
    watcher.settle()
    folder.write(".state/rescue/x", "ours\n")
    folder.write("a.txt", "theirs\n")
    watcher.settle()
    assert [event.file for event in watcher.changes()] == ["a.txt"]
    watcher.close()
