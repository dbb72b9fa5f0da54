"""What is a change in repositories within the repository."""

from __future__ import annotations

import os

import pytest
from stories import Traps

NESTED = Traps()
changes = NESTED.changes


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
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository away")
def repository_of_another_owner(project):
    for path in (project.path, *project.path.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    yield
    project.write("README.md", "# Other\n")
