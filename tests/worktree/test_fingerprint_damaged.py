"""Git's own files in odd forms, damaged, or replaced by what holds others up."""

from __future__ import annotations

import os

import pytest

from monitor.worktree.budget import Limits
from monitor.worktree.compare import compare


def change_of(project, name="README.md", folder=None):
    """What an edit of a file is told to be."""
    before = project.measure(folder)
    assert before.reason == ""
    project.write(name, "edited\n")
    return compare(before, project.measure(folder))


def test_a_lock_is_no_obstacle(project):
    """An index that git is about to write is read as it is."""
    project.write(".git/index.lock", "")
    assert change_of(project).files == ("README.md",)


def test_an_index_of_version_4_and_a_split_one_are_read(project):
    """The newer forms of the index are read like the old one."""
    expected = project.measure()
    project.git("update-index", "--index-version", "4")
    assert project.measure() == expected
    project.git("update-index", "--split-index")
    assert list((project.path / ".git").glob("sharedindex.*"))
    assert project.measure() == expected


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_a_sparse_index_is_read_without_its_folders(project, version):
    """Whole folders that a sparse checkout left out cost nothing, and nothing is written to spell them out."""
    for number in range(3):
        project.write(f"far/{number}/file.txt", "far\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "far")
    project.git("update-index", "--index-version", version)
    project.git("sparse-checkout", "set", "--cone", "--sparse-index", "src", "docs")
    assert "far/\n" in project.git("ls-files", "--sparse")
    before = project.measure()
    assert before.content
    project.write("far/1/file.txt", "far\n")
    after = project.measure()
    assert compare(before, after).files == ("far/1/file.txt",)
    project.git("sparse-checkout", "disable")
    for name in ("0", "2"):
        (project.path / f"far/{name}/file.txt").unlink()
    assert project.measure() == after


def test_a_damaged_index_is_told(project):
    """An index with a wrong bit, or cut short, gives no answer but the reason."""
    index = project.path / ".git/index"
    data = index.read_bytes()
    index.write_bytes(data[:80] + bytes([data[80] ^ 1]) + data[81:])
    for broken in (None, data[:60], b"", b"DIRC"):
        if broken is not None:
            index.write_bytes(broken)
        found = project.measure()
        assert (found.content, found.history) == (None, None)
        assert "index" in found.reason
        assert compare(found, found).changed is None


def test_a_history_that_cannot_be_read_leaves_the_content(project):
    """References in a form that is not read make the history unknown, and only it."""
    before = project.measure()
    project.git("config", "core.repositoryFormatVersion", "1")
    project.write(".git/config", (project.path / ".git/config").read_text() + "[extensions]\n\trefStorage = reftable\n")
    after = project.measure()
    assert (after.content, after.history) == (before.content, None)
    assert "reftable" in after.reason
    found = compare(before, after)
    assert (found.changed, found.reason) == (None, after.reason)
    project.write("README.md", "edited\n")
    assert compare(before, project.measure()).changed is True


@pytest.mark.parametrize(
    "head", ["ref: refs/heads/loop\n", "ref: refs/heads/broken\n", "ref: ../outside\n", "rubbish\n", None]
)
def test_a_damaged_head_is_told(project, head):
    """A HEAD that leads nowhere git would follow is told, and is not taken for one without a commit."""
    project.write(".git/refs/heads/loop", "ref: refs/heads/loop\n")
    project.write(".git/refs/heads/broken", "not an id\n")
    (project.path / ".git/HEAD").unlink()
    if head:
        project.write(".git/HEAD", head)
    found = project.measure()
    assert found.history is None
    assert found.reason


def test_a_gitfile_that_leads_nowhere_is_told(project):
    """For the measured folder it means that git would fail too; in a folder within, its files count as plain ones."""
    project.write("vendor/.git", "gitdir: /nonexistent\n")
    assert change_of(project, "vendor/file.txt").files == ("vendor/file.txt",)
    assert "leads to no repository" in project.measure(project.path / "vendor").reason


def test_an_empty_git_folder_makes_no_repository(folder):
    """A folder named `.git` with nothing in it is none, and is no content either."""
    before = folder.measure()
    (folder.path / ".git").mkdir()
    (folder.path / "deep/.git").mkdir()
    assert folder.measure() == before


def test_names_too_long_for_the_disk_are_survived(project):
    """An index may hold a path that no disk can: where git looks for it, that is told in short."""
    blob = project.git("hash-object", "README.md").strip()
    for name in (f"{'a/' * 1500}a", "/".join(["n" * 200] * 21)):
        project.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
        project.git("update-index", "--skip-worktree", name)
    assert change_of(project).files == ("README.md",)
    project.git("update-index", "--no-skip-worktree", name)
    found = project.measure()
    assert found.content is None
    assert found.reason.startswith("git: nnn")
    assert len(found.reason) < 250


@pytest.mark.parametrize("name", ["index", "HEAD", "config", "packed-refs", "info/exclude", "commondir"])
def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(project, name):
    """What would be waited for without end is not opened; where it is needed, it is told."""
    path = project.path / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    found = project.measure()
    assert bool(found.content) is (name not in {"index", "HEAD"})
    assert bool(found.reason) is not bool(found.content)


def test_ignore_rules_that_are_a_pipe_end_with_the_time(project):
    """Git itself waits for such rules; we do not wait longer than the limit."""
    (project.path / ".gitignore").unlink()
    os.mkfifo(project.path / ".gitignore")
    found = project.measure(limits=Limits(seconds=0.5))
    assert (found.content, found.reason) == (None, "not done within 0.5 s")


def test_an_index_too_large_to_be_one_is_not_read(project):
    """A file of any size in its place does not fill the memory."""
    os.truncate(project.path / ".git/index", 1 << 31)
    assert "is damaged: it is no index" in project.measure().reason


@pytest.mark.parametrize("unaided", [False, True])
def test_a_zero_byte_in_the_configuration(project, unaided):
    """A setting that no path can hold makes the folder unmeasurable, with the reason, with git and without."""
    project.unaided = unaided
    with (project.path / ".git/config").open("ab") as file:
        file.write(b"[core]\n\tworktree = a\0b\n")
    found = project.measure()
    assert found.content is None
    assert "a zero byte in a value" in found.reason
