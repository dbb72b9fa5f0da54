"""A repository that names programs in every way it can: none of them runs while it is measured."""

from __future__ import annotations

import os
import subprocess

import pytest

from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache

UNMONITORED = ("-c", "core.fsmonitor=false")


def make_racy(project, file, index=".git/index"):
    """Give the index the time of a file: now git must compare contents, and would filter them."""
    time = (project.path / file).stat().st_mtime_ns
    os.utime(project.path / index, ns=(time, time))


def plain(project, *words, at="."):
    """Git as the project has set it."""
    subprocess.run(["git", *words], cwd=project.path / at, capture_output=True, check=False, timeout=20)


def ran(project):
    found = project.marker.exists()
    project.marker.unlink(missing_ok=True)
    return found


@pytest.mark.parametrize("kind", ["clean", "process"])
def test_a_filter_does_not_run(project, kind):
    """A filter of the repository's configuration does not run, even where git must compare contents."""
    project.git("config", "--unset-all", "filter.planted.process" if kind == "clean" else "filter.planted.clean")
    project.write(".gitattributes", "*.md filter=planted\n")
    make_racy(project, "README.md")
    project.marker.unlink(missing_ok=True)
    plain(project, *UNMONITORED, "diff-files")
    assert ran(project)
    before = project.measure()
    project.write("README.md", "# Other\n")
    assert compare(before, project.measure()).files == ("README.md",)


def test_a_filter_of_a_submodule_does_not_run(project):
    """A filter that a submodule's own configuration names does not run."""
    sub = project.submodule("sub")
    project.write("sub/.gitattributes", "* filter=cleaned\n")
    make_racy(project, "sub/inner.txt", ".git/modules/sub/index")
    project.marker.unlink(missing_ok=True)
    plain(project, *UNMONITORED, "diff-files", at="sub")
    assert ran(project)
    before = project.measure()
    (sub / "inner.txt").write_text("other\n")
    assert compare(before, project.measure()).files == ("sub/inner.txt",)


@pytest.mark.parametrize("at", [".", "sub"])
def test_the_monitor_of_files_does_not_run(project, at):
    """A program named as `core.fsmonitor`, here or in a submodule, does not run."""
    project.submodule("sub")
    project.marker.unlink(missing_ok=True)
    plain(project, "status", at=at)
    assert ran(project)
    before = project.measure()
    project.write("sub/inner.txt", "other\n")
    assert compare(before, project.measure()).files == ("sub/inner.txt",)


def test_hooks_and_drivers_do_not_run(project):
    """Hooks, diff drivers, text converters and what the configuration includes are left alone."""
    project.write(".gitattributes", "* diff=planted merge=planted\n")
    project.write("README.md", "# Other\n")
    os.utime(project.path / "src/app.py")
    project.marker.unlink(missing_ok=True)
    for words in (("diff",), ("update-index", "--refresh")):
        plain(project, *UNMONITORED, *words)
        assert ran(project)
    assert project.measure().content


def test_what_the_configuration_includes_is_not_read(project):
    """A file that the repository's configuration includes, on a condition or not, is left alone."""
    project.git("config", "--unset-all", "core.fsmonitor")
    project.marker.unlink(missing_ok=True)
    plain(project, "status")
    assert ran(project)
    (project.path / ".git/included").mkdir()
    project.git("config", "include.path", "included")
    assert project.measure().content


def test_a_missing_object_is_not_fetched(project):
    """In a partial clone nothing is fetched: the remote may be a command."""
    project.git("config", "core.repositoryFormatVersion", "1")
    project.git("config", "extensions.partialClone", "origin")
    project.git("config", "remote.origin.url", f"ext::{project.command}")
    project.git("config", "remote.origin.promisor", "true")
    project.git("config", "protocol.ext.allow", "always")
    project.write(".gitattributes", "*.md text\n")
    stored = project.git("rev-parse", ":README.md").strip()
    (project.path / ".git/objects" / stored[:2] / stored[2:]).unlink()
    plain(project, "cat-file", "-s", stored)
    assert ran(project)
    before = project.measure()
    os.utime(project.path / "README.md")
    assert project.measure() == before


def test_a_git_that_lies_in_the_project_is_not_run(project, monkeypatch):
    """A program of that name in the project, or relative to where we stand, is never taken for git."""
    for name in ("bin/git", "git"):
        project.write(name, project.command.read_bytes()).chmod(0o755)
    monkeypatch.chdir(project.path)
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", os.pathsep.join((str(project.path / "bin"), ".", "", "bin", path)))
    before = project.measure()
    assert before.content
    monkeypatch.setenv("PATH", os.pathsep.join((str(project.path / "bin"), ".", "")))
    assert project.measure().without_git == "git is not installed"


def test_the_environment_changes_nothing(project, monkeypatch):
    """What stands in our own environment for git is not passed on."""
    before = project.measure()
    project.write("README.md", "# Other\n")
    expected = project.measure()
    assert expected.content != before.content
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(project.command))
    monkeypatch.setenv("GIT_CONFIG_KEY_1", "core.excludesFile")
    monkeypatch.setenv("GIT_CONFIG_VALUE_1", str(project.path / ".gitignore"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(project.command))
    monkeypatch.setenv("GIT_TRACE", str(project.room / "trace"))
    project.cache = StatCache()
    assert project.measure() == expected
