"""What git tracks, read from its index without git: the same that git lists."""

from __future__ import annotations

import random
import struct
import subprocess

import pytest

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitfiles import repository_of
from monitor.worktree.gitindex import Named, named
from monitor.worktree.settings import settings_of
from monitor.worktree.split_index import joined
from monitor.worktree.tracked import tracked


def read(project, folder=None):
    """What we read, and what git lists."""
    folder = folder or project.path
    repository = repository_of(folder)
    found = tracked(repository, folder, settings_of(repository, folder))
    listed = project.git("ls-files", "-z", "--stage", at=str(folder.relative_to(project.path))).split("\0")[:-1]
    links = {line.partition("\t")[2].encode() for line in listed if line.startswith("160000 ")}
    return found, {line.partition("\t")[2].encode() for line in listed} - links, links


def agree(project):
    found, files, links = read(project)
    assert (found.files, found.submodules) == (files, links)
    return found


def test_what_is_tracked_below_a_folder(project):
    """Paths are those below the folder, with the folders that hold them; submodules are told apart."""
    project.submodule("sub")
    found = agree(project)
    assert found.submodules == {b"sub"}
    assert found.folders == {b"src", b"docs"}
    inner, files, _ = read(project, project.path / "src")
    assert inner.files == files == {b"app.py", b"link", b"run.sh"}
    assert bool(found)
    empty = project.path / "empty"
    empty.mkdir()
    assert not read(project, empty)[0]


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_split_index_is_put_together(folder, version, algorithm):
    """However files were added, changed and taken out since it was split, the paths are those that git lists."""
    dice = random.Random(version + algorithm)
    folder.git("init", "-q", f"--object-format={algorithm}")
    for number in range(300):
        folder.write(f"{number % 7}/{number}.txt", f"{number}\n")
    folder.git("add", "-A")
    folder.git("update-index", "--index-version", version)
    folder.git("-c", "splitIndex.maxPercentChange=100", "update-index", "--split-index")
    folder.git("config", "splitIndex.maxPercentChange", "100")
    assert len(agree(folder).files) == 302
    for round_ in range(4):
        for number in dice.sample(range(300), 60):
            path = folder.path / f"{number % 7}/{number}.txt"
            if dice.random() < 0.5:
                path.unlink(missing_ok=True)
            else:
                folder.write(f"{number % 7}/{number}.txt", f"{round_}\n")
        folder.write(f"new/{round_}.txt", "new\n")
        folder.git("add", "-A")
        assert agree(folder).files
    assert list((folder.path / ".git").glob("sharedindex.*"))


def test_a_long_run_of_deleted_files_in_a_split_index(folder):
    """Where whole words of the bitmap are ones, or zeros, each file still is what git says."""
    folder.git("init", "-q")
    for number in range(700):
        folder.write(f"{number:04}.txt", "x\n")
    folder.git("add", "-A")
    folder.git("config", "splitIndex.maxPercentChange", "100")
    folder.git("update-index", "--split-index")
    for number in range(130, 600):
        (folder.path / f"{number:04}.txt").unlink()
    folder.git("add", "-A")
    assert len(agree(folder).files) == 232


def test_a_sparse_checkout_says_what_it_leaves_out(project):
    """The files that are left out are known, wherever they lie."""
    project.git("sparse-checkout", "set", "--cone", "src")
    assert read(project, project.path / "src")[0].left_out == {b"docs/two words.txt"}
    assert agree(project).left_out == {b"docs/two words.txt"}


def test_a_conflict_is_tracked(project):
    """A path that stands there in several versions is one."""
    project.git("checkout", "-q", "-b", "other")
    project.write("README.md", "# Theirs\n")
    project.git("commit", "-qam", "theirs")
    project.git("checkout", "-q", "main")
    project.write("README.md", "# Ours\n")
    project.git("commit", "-qam", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        project.git("merge", "-q", "other")
    assert project.git("ls-files", "-u").count("README.md") == 3
    assert b"README.md" in agree(project).files


def test_a_missing_part_of_the_index_is_told(project):
    """Without its other half a split index says nothing."""
    project.git("update-index", "--split-index")
    (shared,) = (project.path / ".git").glob("sharedindex.*")
    shared.unlink()
    with pytest.raises(MeasureError, match="a part of the index, is missing"):
        read(project)


@pytest.mark.parametrize("link", [b"", b"\0" * 7, struct.pack(">IIQI", 64, 9, 0, 0), b"\xff" * 12])
def test_a_damaged_bitmap_is_told(link):
    """A bitmap that is cut, or promises more than there is, is damaged."""
    with pytest.raises(MeasureError, match="damaged"):
        joined([Named(b"a", 0o100644, False)], [], link)


def test_more_replaced_than_there_is_are_told():
    """What is said to be replaced, and by nothing, is damaged."""
    none = struct.pack(">III", 0, 0, 0)
    both = struct.pack(">IIQQI", 64, 2, 1 << 33, 0b11, 0)
    shared = [Named(b"a", 0o100644, False), Named(b"b", 0o100644, False)]
    with pytest.raises(MeasureError, match="damaged"):
        joined(shared, shared[:1], none + both)
    assert joined(shared, [Named(b"", 0o100755, False), shared[1]], none + both)[0] == Named(b"a", 0o100755, False)


def test_an_index_that_only_git_can_read_is_told(project):
    """An extension that must not be passed over is not; one that may is."""
    data = (project.path / ".git/index").read_bytes()[:-20]
    assert named(data + b"OURS\0\0\0\1x" + bytes(20), "sha1")
    with pytest.raises(MeasureError, match="only git can read"):
        named(data + b"ours\0\0\0\1x" + bytes(20), "sha1")
    for other in (b"", b"DIRC\0\0\0\7" + data[8:], b"CRID" + data[4:]):
        with pytest.raises(MeasureError, match="damaged"):
            named(other, "sha1")
