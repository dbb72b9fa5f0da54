"""What git makes of the files that differ, and which files a comparison takes in."""

from __future__ import annotations

import os
import time

import pytest

from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder


@pytest.fixture
def begun(tmp_path_factory):
    """Begins to watch folders, each measured once, and ends that."""
    made = []

    def begin(project):
        live = LiveFolder(project.path, run="a run", state=tmp_path_factory.mktemp("state"))
        made.append(live)
        live.begin()
        live.reconcile(measure(project.path))
        return live

    yield begin
    for live in made:
        live.close()


def states(top):
    """What the system says of everything below a folder, but when it was last read."""
    found = {path: path.lstat() for path in top.rglob("*")}
    return {
        path: (one.st_ino, one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for path, one in found.items()
    }


def places(live, since=None):
    return {one.file: one.where for one in live.differences(since=since).files}


def test_untracked_files_are_named(project, begun):
    """What stands in no index is untracked, new or there from the start; what is staged is not; what is gone is neither."""
    project.write("loose.txt", "loose\n")
    live = begun(project)
    project.write("loose.txt", "another\n")
    project.write("new.txt", "new\n")
    project.write("staged [1]*.txt", "staged\n")
    project.git("add", "staged [[]1]*.txt")
    (project.path / "README.md").unlink()
    project.write("src/app.py", "edited\n")
    assert places(live) == {
        "loose.txt": "untracked", "new.txt": "untracked", "staged [1]*.txt": "", "README.md": "", "src/app.py": "",
    }  # fmt: skip
    (one,) = live.differences("new.txt").files
    assert one.where == "untracked"


def test_repositories_within_are_named(project, begun):
    """A file of a nested repository or a submodule says so; untracked there is what that repository does not track."""
    project.repository("vendor/lib")
    project.submodule("modules/sub")
    project.repository("unborn", commit=False)
    live = begun(project)
    for name in ("vendor/lib/inner.txt", "vendor/lib/new.txt", "modules/sub/inner.txt", "unborn/inner.txt", "new.txt"):
        project.write(name, "another\n")
    assert places(live) == {
        "vendor/lib/inner.txt": "in the repository vendor/lib",
        "vendor/lib/new.txt": "in the repository vendor/lib, untracked",
        "modules/sub/inner.txt": "in the repository modules/sub",
        "unborn/inner.txt": "in the repository unborn, untracked",
        "new.txt": "untracked",
    }


def test_without_a_repository_nothing_is_untracked(folder, begun):
    """Where nothing tracks anything the word would say nothing."""
    live = begun(folder)
    folder.write("new.txt", "new\n")
    assert places(live) == {"new.txt": ""}


def test_a_moved_file_keeps_its_place(project, begun):
    """Renamed within a nested repository: one file that moved, and where."""
    project.repository("vendor/lib")
    live = begun(project)
    (project.path / "vendor/lib/inner.txt").rename(project.path / "vendor/lib/moved.txt")
    (one,) = live.differences().files
    assert (one.what, one.was, one.file) == ("moved", "vendor/lib/inner.txt", "vendor/lib/moved.txt")
    assert one.where == "in the repository vendor/lib, untracked"


def test_what_only_a_measurement_knows_is_compared(project, begun, monkeypatch):
    """A change nobody noticed, told by a measurement alone, stands among the differences since the start and since then."""
    live = begun(project)
    moment = time.time()
    while (project.path / "src/app.py").stat().st_ctime <= moment:
        project.write("src/app.py", "unseen\n")
    (project.path / "README.md").unlink()
    changes = live._watcher._changes
    monkeypatch.setattr(changes, "_take_room", lambda wanted, now: 0)
    live.reconcile(measure(project.path))
    assert [one.file for one in live.differences().files] == ["README.md", "src/app.py"]
    assert [one.file for one in live.differences(since=moment).files] == ["README.md", "src/app.py"]
    assert [one.file for one in live.differences(since=time.time() + 1).files] == ["README.md"]


@pytest.mark.parametrize("name", ["src/app.py", "./src/../src/app.py", "{top}/src/app.py"])
def test_a_file_by_any_of_its_names(project, begun, name):
    """Relative to the project, with detours, or from the top: it is the same file."""
    live = begun(project)
    project.write("src/app.py", "edited\n")
    (one,) = live.differences(name.format(top=project.path)).files
    assert one.file == "src/app.py"


@pytest.mark.parametrize("name", ["../elsewhere.txt", "/etc/hostname", "src/../../x"])
def test_a_file_outside_is_refused(project, begun, name):
    """Nothing outside the project is read or named."""
    found = begun(project).differences(name)
    assert (found.files, found.why) == ((), "the file lies outside the project")


def test_comparing_touches_nothing(project, begun):
    """No file, no time and nothing of git's is touched, and no planted command runs."""
    project.repository("vendor/lib")
    live = begun(project)
    project.write("src/app.py", "edited\n")
    project.write("new.txt", "new\n")
    project.write("vendor/lib/inner.txt", "edited\n")
    project.marker.unlink(missing_ok=True)
    before = states(project.path)
    assert len(live.differences().files) == 3
    assert len(live.differences(os.fspath(project.path / "new.txt")).files) == 1
    assert states(project.path) == before
    assert not project.marker.exists()
