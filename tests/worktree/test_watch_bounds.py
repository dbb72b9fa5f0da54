"""What a watch leaves out, gives up or is refused: limits of the kernel, mounts, depth and number."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from gathered import gather

from monitor.worktree import tree
from monitor.worktree.watch import Watcher

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
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
