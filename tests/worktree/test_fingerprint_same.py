"""What is no change of content, on real repositories that try to run commands."""

from __future__ import annotations

import os

import pytest
from stories import Traps

TRAPS = Traps()
changes, same = TRAPS.changes, TRAPS.same


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
def test_what_is_no_change_is_told_as_none(project, trap):
    """What leaves every byte as it was is no change of content; nothing is touched, and nothing run."""
    trap.prove(project)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.story.__name__)
def test_what_is_no_change_is_told_as_none_without_git(unaided, trap):
    """Read without git, what is no change of content is none either; nothing is touched, and nothing run."""
    trap.prove(unaided)
