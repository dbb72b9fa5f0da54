"""Finding a repository, its HEAD and the settings that count, from files alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from monitor.worktree import gitfiles
from monitor.worktree.budget import Limits, MeasureError
from monitor.worktree.fingerprint import measure
from monitor.worktree.gitfiles import Repository, head, repository_at, repository_of, small
from monitor.worktree.settings import settings_of


def test_a_head_that_is_a_link_is_followed(project):
    """The oldest form of HEAD is a symbolic link to the reference."""
    expected = head(repository_of(project.path))
    (project.path / ".git/HEAD").unlink()
    (project.path / ".git/HEAD").symlink_to("refs/heads/main")
    assert head(repository_of(project.path)) == expected == project.measure().history


def test_references_of_a_linked_worktree_are_its_own(project):
    """A HEAD in the middle of a bisection stands at a reference that only this worktree has."""
    project.git("worktree", "add", "-q", "--detach", str(project.room / "linked"))
    linked = repository_at(project.room / "linked")
    assert linked.gitdir != linked.common
    (linked.gitdir / "HEAD").write_text("ref: refs/worktree/here\n")
    project.write(".git/refs/worktree/here", "1" * 40 + "\n")
    (linked.gitdir / "refs/worktree").mkdir(parents=True)
    (linked.gitdir / "refs/worktree/here").write_text("2" * 40 + "\n")
    assert head(linked) == "2" * 40


def test_a_branch_beside_a_folder_of_branches_is_packed(project):
    """Where a folder stands in the place of a reference, the packed ones are asked."""
    project.git("checkout", "-q", "-b", "topic")
    project.git("pack-refs", "--all")
    (project.path / ".git/refs/heads/topic").mkdir(exist_ok=True)
    assert head(repository_at(project.path)) == project.git("rev-parse", "topic").strip()


def test_what_is_no_regular_file_is_not_opened(tmp_path):
    """A FIFO in the place of a file of git's would be waited for without end."""
    os.mkfifo(tmp_path / "fifo")
    assert small(tmp_path / "fifo") is None
    assert small(tmp_path) is None
    assert small(tmp_path / "a\0b") is None
    (tmp_path / "large").write_bytes(bytes(100))
    with pytest.raises(MeasureError, match="is larger than 99 bytes"):
        small(tmp_path / "large", 99)


def test_a_file_that_may_not_be_read_is_told(project, monkeypatch):
    """References nobody may read are not taken for missing ones."""

    def refuse(*words):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("monitor.worktree.gitfiles.read_head", refuse)
    with pytest.raises(MeasureError, match=r"HEAD cannot be read: Permission denied"):
        head(Repository(project.path, project.path / ".git", project.path / ".git"))


@pytest.mark.parametrize("text", ["", "rubbish", "gitdir:nowhere", "gitdir: a\0b\n", "gitdir: nowhere\n"])
def test_a_gitfile_must_lead_to_a_repository(folder, text):
    """A file named `.git` that leads nowhere makes the folder unmeasurable, as it does for git."""
    folder.write(".git", text)
    assert "is damaged, or leads to no repository" in folder.measure().reason


def test_a_repository_on_another_disk_is_not_looked_for(project, monkeypatch):
    """As for git, the search upwards ends where the disk does."""
    inner = project.write("docs/inner/file.txt", "x\n").parent
    assert repository_of(inner).top == project.path
    real = Path.stat

    def stat(self, **more):
        found = real(self, **more)
        if self != project.path:
            return found
        return os.stat_result((*found[:2], found.st_dev + 1, *found[3:10]))

    monkeypatch.setattr(Path, "stat", stat)
    assert repository_of(inner) is None


def test_a_missing_home_is_no_obstacle(project, monkeypatch):
    """In a container whose user has no name and no home, the folder is measured all the same."""
    expected = project.measure()

    def unknown(self):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    assert project.measure() == expected


def test_conditions_on_the_git_directory_are_gits(project, monkeypatch):
    """Patterns beside the configuration, anywhere, and in another case are met as git meets them."""
    home = project.room
    monkeypatch.setenv("HOME", str(home))
    (home / "more").write_text("[core]\n\texcludesFile = /found\n")
    met = ["./project/", "./", "project/.git", "**/project/**", "~/", "/**/project/.git"]
    unmet = ["oject/", "./other/", "**/PROJECT/**", "~nobody-of-that-name/", "**/a/**/b/**/c/**/d/**/e/"]
    conditions = [(f"gitdir:{pattern}", True) for pattern in met] + [(f"gitdir:{pattern}", False) for pattern in unmet]
    for condition, holds in (*conditions, ("gitdir/i:PROJECT/", True), ("onbranch:other", False), ("gitdir", False)):
        (home / ".gitconfig").write_text(f'[includeIf "{condition}"]\n\tpath = more\n')
        found = settings_of(repository_at(project.path), project.path).excludes
        assert (found == Path("/found")) is holds, condition
        done = subprocess.run(
            ["git", "config", "core.excludesFile"],
            cwd=project.path,
            capture_output=True,
            check=False,
            env={"HOME": str(home), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"},
        )
        assert (b"/found" in done.stdout) is holds, condition


def test_a_worktrees_own_configuration_counts(project):
    """With `extensions.worktreeConfig` a linked worktree has settings of its own."""
    project.git("config", "extensions.worktreeConfig", "true")
    project.git("worktree", "add", "-q", str(project.room / "linked"))
    project.git("config", "--worktree", "core.autocrlf", "true", at="../linked")
    linked = project.room / "linked"
    assert settings_of(repository_at(linked), linked).converts_lines
    assert not settings_of(repository_at(project.path), project.path).converts_lines


def test_a_program_that_is_none_is_told(project, monkeypatch):
    """A git that the system cannot start is told, and not waited for."""
    place = project.room / "bin"
    place.mkdir()
    (place / "git").write_bytes(b"\x7fELF rubbish")
    (place / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(place))
    assert "git cannot be run" in measure(project.path, limits=Limits(seconds=5)).without_git


def test_an_index_that_vanishes_is_none(project, monkeypatch):
    """An index that git replaces at this moment is one that is not there; its files count as untracked."""
    index = project.path / ".git/index"
    found = project.measure()
    data = index.read_bytes()
    real = gitfiles.Path.iterdir

    def late(self):
        names = list(real(self))
        if self == project.path / ".git":
            index.unlink(missing_ok=True)
        return iter(names)

    monkeypatch.setattr(gitfiles.Path, "iterdir", late)
    assert measure(project.path).content
    monkeypatch.undo()
    index.write_bytes(data)
    assert project.measure().content == found.content
