"""The traps of measuring a folder: what is a change, what is none, on real repositories that try to run commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from monitor.worktree.compare import compare

Story = Callable[[Any], Iterator[None]]


@dataclass(frozen=True)
class Trap:
    """A story told in two parts, before and after the first measurement, and what is to be said of it."""

    story: Story
    kinds: tuple[str, ...]
    files: tuple[str, ...]


TRAPS: list[Trap] = []


def changes(*files: str, kinds: tuple[str, ...] = ("content",)) -> Callable[[Story], Story]:
    def add(story: Story) -> Story:
        TRAPS.append(Trap(story, kinds, files))
        return story

    return add


same = changes(kinds=())


@changes("README.md")
def edit_of_a_tracked_file(project):
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def second_edit_of_a_file_that_was_dirty(project):
    project.write("README.md", "# Other\n")
    yield
    project.write("README.md", "# Third\n")


@changes("README.md")
def delete(project):
    yield
    (project.path / "README.md").unlink()


@changes("new/file.txt")
def new_untracked_file(project):
    yield
    project.write("new/file.txt", "new\n")


@changes("new.txt")
def edit_of_an_untracked_file(project):
    project.write("new.txt", "new\n")
    yield
    project.write("new.txt", "old\n")


@changes("src/app.py")
def executable_bit(project):
    yield
    (project.path / "src/app.py").chmod(0o755)


@changes("src/app.py")
def executable_bit_under_filemode_false(project):
    project.git("config", "core.fileMode", "false")
    yield
    (project.path / "src/app.py").chmod(0o755)


@changes("src/link")
def symlink_retargeted(project):
    yield
    (project.path / "src/link").unlink()
    (project.path / "src/link").symlink_to("./app.py")


@changes("src/app.py")
def file_replaced_by_a_link_to_its_copy(project):
    project.write("../copy.py", "print('app')\n")
    yield
    (project.path / "src/app.py").unlink()
    (project.path / "src/app.py").symlink_to("../../copy.py")


@changes("new\nline", "quo\"te'", "\udcff\udcfe")
def weird_names(project):
    yield
    for name in (b"new\nline", b"quo\"te'", b"\xff\xfe"):
        project.write(os.fsdecode(name), "weird\n")


@changes("README.md")
def same_size_with_the_time_put_back(project):
    path = project.path / "README.md"
    yield
    times = path.stat()
    path.write_text("# Raedme\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@changes("README.md")
def same_size_and_time_under_lax_settings(project):
    project.git("config", "core.checkStat", "minimal")
    project.git("config", "core.trustctime", "false")
    yield from same_size_with_the_time_put_back(project)


@changes("vendor/lib/inner.txt")
def edit_in_a_nested_repository(project):
    project.repository("vendor/lib")
    yield
    project.write("vendor/lib/inner.txt", "other\n")


@changes(kinds=("history",))
def commit_in_a_nested_repository(project):
    """Its content is the same, and its HEAD moved: the folder's history includes it."""
    project.repository("vendor/lib")
    project.write("vendor/lib/inner.txt", "other\n")
    yield
    project.git("commit", "-qam", "second", at="vendor/lib")


@changes("vendor/lib/inner.txt")
def edit_in_a_nested_repository_without_a_commit(project):
    project.repository("vendor/lib", commit=False)
    yield
    project.write("vendor/lib/inner.txt", "other\n")


@changes("a/b/c/inner.txt")
def edit_in_a_repository_in_a_nested_repository(project):
    project.repository("a/b")
    project.repository("a/b/c")
    yield
    project.write("a/b/c/inner.txt", "other\n")


@changes("sub/inner.txt")
def edit_in_a_submodule(project):
    project.submodule("sub")
    yield
    project.write("sub/inner.txt", "other\n")


@changes("sub/inner.txt")
def second_edit_in_a_submodule(project):
    project.submodule("sub")
    project.write("sub/inner.txt", "other\n")
    yield
    project.write("sub/inner.txt", "third\n")


@changes("sub/new.txt")
def untracked_file_in_a_submodule(project):
    project.submodule("sub")
    yield
    project.write("sub/new.txt", "new\n")


@changes("sub/inner.txt")
def file_in_a_submodule_that_lost_its_repository(project):
    project.submodule("sub")
    (project.path / "sub/.git").unlink()
    yield
    project.write("sub/inner.txt", "other\n")


@changes("README.md")
def no_commit_and_no_index(project):
    for name in ("index", "refs/heads/main"):
        (project.path / ".git" / name).unlink()
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def lf_to_crlf_under_a_text_attribute(project):
    project.write(".gitattributes", "*.md text\n")
    yield
    project.write("README.md", "# Readme\r\n")


@changes("README.md")
def lf_to_crlf_under_autocrlf(project):
    project.git("config", "core.autocrlf", "true")
    yield
    project.write("README.md", "# Readme\r\n")


@changes("README.md")
def assume_unchanged(project):
    project.git("update-index", "--assume-unchanged", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def skip_worktree(project):
    project.git("update-index", "--skip-worktree", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def fsmonitor_bits_in_the_index(project):
    project.git("update-index", "--fsmonitor")
    project.git("update-index", "--fsmonitor-valid", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def untracked_cache_and_split_index(project):
    project.git("update-index", "--untracked-cache", "--split-index")
    project.write("src/app.py", "print('new')\n")
    project.git("add", "src/app.py")
    yield
    project.write("README.md", "# Raedme\n")


@changes("docs/two words.txt")
def file_reappearing_outside_a_sparse_checkout(project):
    project.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert not (project.path / "docs").exists()
    yield
    project.write("docs/two words.txt", "two\n")


@changes(".gitignore", "notes.txt")
def ignore_rule_that_now_hides_a_file(project):
    project.write("notes.txt", "notes\n")
    yield
    project.write(".gitignore", "*.log\nbuild/\nnotes.txt\n")


@changes("README.md")
def fifo_and_socket_in_the_tree(project):
    os.mkfifo(project.path / "pipe")
    os.mkfifo(project.path / "src/pipe")
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def tracked_file_replaced_by_a_fifo(project):
    yield
    (project.path / "README.md").unlink()
    os.mkfifo(project.path / "README.md")


@changes("README.md")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository away")
def repository_of_another_owner(project):
    for path in (project.path, *project.path.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    yield
    project.write("README.md", "# Other\n")


@changes("kept.log")
def tracked_file_that_matches_an_ignore_rule(project):
    yield
    project.write("kept.log", "edited\n")


@changes("src/app.py", "src/app/new.py")
def file_replaced_by_a_folder(project):
    yield
    (project.path / "src/app.py").rename(project.path / "app.py")
    (project.path / "app.py").unlink()
    project.write("src/app/new.py", "new\n")


@changes("docs/two words.txt")
def folder_replaced_by_a_link_to_its_copy(project):
    """What lies behind a link to a folder is not the project's; the link itself is ignored here, so only the loss shows."""
    project.write(".gitignore", "*.log\nbuild/\ndocs\n")
    project.git("update-index", "--assume-unchanged", "docs/two words.txt")
    yield
    (project.path / "docs").rename(project.room / "docs")
    (project.path / "docs").symlink_to(project.room / "docs")


@changes("README.md")
def conflict(project):
    project.git("checkout", "-q", "-b", "other")
    project.write("README.md", "# Theirs\n")
    project.git("commit", "-qam", "theirs")
    project.git("checkout", "-q", "main")
    project.write("README.md", "# Ours\n")
    project.git("commit", "-qam", "ours")
    with pytest.raises(Exception, match="merge"):
        project.git("-c", "merge.default=text", "merge", "other")
    assert project.git("ls-files", "-u")
    yield
    project.write("README.md", "# Both\n")


@same
def byte_identical_rewrite(project):
    yield
    project.write("README.md", "# Readme\n")


@same
def byte_identical_rewrite_of_a_dirty_file(project):
    project.write("README.md", "# Other\n")
    yield
    project.write("README.md", "# Other\n")


@same
def replaced_by_an_identical_file(project):
    yield
    project.write("README.new", "# Readme\n").rename(project.path / "README.md")


@same
def touch(project):
    yield
    os.utime(project.path / "README.md")


@same
def touch_on_a_normalised_file(project):
    """Its stored bytes end lines with LF, those in the folder with CRLF."""
    project.write(".gitattributes", "*.md text\n")
    project.write("README.md", "# Readme\r\n")
    project.git("add", "-A")
    assert not project.git("diff-files", "--raw")
    yield
    os.utime(project.path / "README.md")


@same
def touch_on_a_file_normalised_by_configuration(project):
    project.git("config", "core.autocrlf", "true")
    project.write("README.md", "# Readme\r\n")
    project.git("add", "-A")
    yield
    os.utime(project.path / "README.md")


@same
def touch_on_a_filtered_file(project):
    """As LFS does: what is stored is not what lies in the folder."""
    project.write(".gitattributes", "*.bin filter=cleaned\n")
    project.write("large.bin", "large\n")
    project.git("add", "-A")
    assert project.git("cat-file", "-p", ":large.bin") == "LARGE\n"
    yield
    os.utime(project.path / "large.bin")


@same
def touch_on_a_file_with_an_expanded_keyword(project):
    project.write(".gitattributes", "*.md ident\n")
    project.write("README.md", "$Id: 0123456789 $\n")
    project.git("add", "-A")
    yield
    os.utime(project.path / "README.md")


@same
def touch_on_a_file_in_another_encoding(project):
    project.write(".gitattributes", "*.md working-tree-encoding=UTF-16LE\n")
    project.write("README.md", "é中".encode("utf-16-le"))
    project.git("add", "-A")
    yield
    os.utime(project.path / "README.md")


@same
def touch_on_a_normalised_file_after_its_attribute_is_gone(project):
    project.git("config", "core.autocrlf", "true")
    project.write("README.md", "# Readme\r\n")
    project.git("add", "-A")
    yield
    project.git("config", "core.autocrlf", "false")
    project.git("add", "src/app.py")
    os.utime(project.path / "README.md")


@same
def attributes_that_an_ignored_file_sets(project):
    project.write(".gitignore", "*.log\nbuild/\n.gitattributes\n")
    project.write("docs/.gitattributes", "*.txt text\n")
    project.write("docs/two words.txt", "two\r\n")
    project.git("add", "-A")
    yield
    os.utime(project.path / "docs/two words.txt")


@changes(kinds=("history",))
def commit_only(project):
    project.write("README.md", "# Other\n")
    project.write("new.txt", "new\n")
    yield
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "second")


@changes(kinds=("history",))
def empty_commit(project):
    yield
    project.git("commit", "-q", "--allow-empty", "-m", "empty")


@same
def stage_only(project):
    project.write("README.md", "# Other\n")
    project.write("new.txt", "new\n")
    (project.path / "src/app.py").unlink()
    yield
    project.git("add", "-A")


@same
def unstage_only(project):
    project.write("new.txt", "new\n")
    project.git("add", "-N", "new.txt")
    project.git("rm", "-q", "--cached", "README.md")
    yield
    project.git("reset", "-q")


@same
def edit_of_an_ignored_file(project):
    yield
    project.write("ignored.log", "other\n")
    project.write("build/out", "out\n")


@same
def empty_folder(project):
    yield
    (project.path / "empty/er").mkdir(parents=True)


@same
def nothing_at_all(project):
    project.write("new.txt", "new\n")
    project.write("README.md", "# Other\n")
    project.repository("vendor/lib")
    project.submodule("sub")
    yield


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.story.__name__)
def test_a_trap_is_told_for_what_it_is(project, trap):
    """Every trap is told for what it is: its kinds and its files, with nothing touched and nothing run."""
    story = trap.story(project)
    next(story)
    before = project.measure()
    assert project.measure() == before
    next(story, None)
    after = project.measure()
    assert before.reason == after.reason == ""
    found = compare(before, after)
    assert (found.kinds, found.files) == (trap.kinds, tuple(sorted(trap.files)))
    assert found.changed is bool(trap.kinds)
    assert (before.content != after.content) == ("content" in trap.kinds)
    assert (before.history != after.history) == ("history" in trap.kinds)
    project.cache = type(project.cache)()
    assert project.measure() == after
