"""Folders that would be a fault of many a watch: everything at once, and names that differ only in case."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from waiting import until

from monitor.worktree.diff import FILES
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder

MANY = 100_000
MEMORY = Path("/dev/shm")


@pytest.fixture
def room():
    """A place where so many files are made quickly."""
    place = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
    yield place
    shutil.rmtree(place)


@pytest.fixture
def begun():
    """Begins to watch folders, each measured once, and ends that."""
    made = []

    def begin(folder, state):
        live = LiveFolder(folder, run="a run", state=state)
        made.append(live)
        live.begin()
        live.reconcile(measure(folder))
        assert live.changes() == []
        return live

    yield begin
    for live in made:
        live.close()


def fill(place):
    """A tree of so many empty files."""
    for folder in range(MANY // 1_000):
        (place / f"{folder}").mkdir(parents=True)
        handle = os.open(place / f"{folder}", os.O_RDONLY)
        for number in range(1_000):
            os.mknod(f"{number}.txt", 0o644, dir_fd=handle)
        os.close(handle)


def test_a_hundred_thousand_files_at_once(room, tmp_path, begun):
    """The watch goes on, says how many it did not tell, and the measurement and the comparison know all of them."""
    project = room / "project"
    project.mkdir()
    (project / "a.txt").write_text("a\n")
    live = begun(project, tmp_path)
    fill(room / "many")
    (room / "many").rename(project / "many")
    told = []
    until(lambda: told.extend(live.changes()) or "changed at once, too many" in live.problem, patience=60)
    assert 0 < len(told) < MANY
    assert f"{MANY - len(told):,} files changed at once" in live.problem
    assert live.untold() == MANY - len(told)
    live.reconcile(measure(project))
    until(lambda: live.problem == "", patience=60)
    found = live.differences()
    assert (len(found.files), found.left_out) == (FILES, MANY - FILES)
    (project / "a.txt").write_text("seen at once\n")
    until(lambda: [one.file for one in live.changes()] == ["a.txt"], patience=60)
    assert live.differences("a.txt").files[0].added == 1


@pytest.fixture
def caseless(monkeypatch):
    """Names that are not found are looked for in any case, as some disks do."""
    stat, opened = os.stat, os.open

    def real(name, folder):
        if not isinstance(name, str) or folder is None:
            return name
        return next((one for one in os.listdir(folder) if one.casefold() == name.casefold()), name)  # noqa: PTH208 - a handle

    def stats(path, *, dir_fd=None, follow_symlinks=True):
        return stat(real(path, dir_fd), dir_fd=dir_fd, follow_symlinks=follow_symlinks)

    def opens(path, flags, mode=0o777, *, dir_fd=None):
        return opened(real(path, dir_fd), flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "stat", stats)
    monkeypatch.setattr(os, "open", opens)


def test_names_that_differ_only_in_case(project, tmp_path, begun, caseless):
    """Where the disk makes no difference, a file that is renamed has one name, the new one; the old one is gone."""
    live = begun(project.path, tmp_path)
    (project.path / "README.md").rename(project.path / "readme.md")
    live._watcher.settle()
    assert {one.file: one.what for one in live.changes()} == {"README.md": "moved", "readme.md": "created"}
    project.write("SRC/APP.PY" if (project.path / "SRC").exists() else "src/app.py", "changed\n")
    live._watcher.settle()
    assert [one.file for one in live.changes()] == ["src/app.py"]
    live.reconcile(measure(project.path))
    assert live.changes() == []


def test_links_in_a_circle_and_pipes(project, tmp_path, begun):
    """A link to itself, links to each other, a link to the folder above and a pipe hold nothing up, in either half."""
    (project.path / "self").symlink_to("self")
    (project.path / "one").symlink_to("two")
    (project.path / "two").symlink_to("one")
    (project.path / "up").symlink_to("..")
    os.mkfifo(project.path / "pipe")
    live = begun(project.path, tmp_path)
    (project.path / "up").unlink()
    (project.path / "up").symlink_to(".")
    os.mkfifo(project.path / "another")
    live._watcher.settle()
    assert {one.file: one.what for one in live.changes()} == {"up": "modified"}
    (diff,) = live.differences().files
    assert (diff.file, diff.what, diff.added) == ("up", "modified", 1)


def test_a_file_of_four_gigabytes(project, tmp_path, begun):
    """It is seen to come without being read; the measurement says why there is none, and what was known still holds."""
    live = begun(project.path, tmp_path)
    os.truncate(project.write("huge.bin", b""), 4 << 30)
    live._watcher.settle()
    assert [(one.file, one.after) for one in live.changes()] == [("huge.bin", "")]
    found = measure(project.path)
    assert found.content is None
    assert "of contents to read" in found.reason
    live.reconcile(found)
    (diff,) = live.differences().files
    assert (diff.what, diff.note) == (
        "created",
        "what it held now is not known: it is larger than 1 MB, or may not be read",
    )
