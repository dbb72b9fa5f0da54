from __future__ import annotations

import os
import stat

import pytest
from told import git, plain_files

from monitor.demo import tools
from monitor.demo.files import FILES, TEXTS
from monitor.demo.project import scratch_project


def test_the_scratch_project_is_private_and_a_repository(project):
    """It is its owner's alone, clean, with one commit by `demo` and no hooks."""
    assert stat.S_IMODE(project.parent.stat().st_mode) == 0o700
    assert (
        git(project, "log", "--format=%an %ae %ad %s", "--date=short")
        .strip()
        .startswith("demo demo@localhost 2026-01-01")
    )
    assert git(project, "rev-list", "--count", "HEAD").strip() == "1"
    assert not (project / ".git" / "hooks").exists()
    assert {path.relative_to(project).as_posix() for path in plain_files(project)} == set(FILES)


def test_nothing_is_left_behind(scratch):
    """The folder is gone after the block, even if it ended in an error or a file in it was protected."""
    with scratch_project() as project:
        assert list(scratch.iterdir()) == [project.parent]
    assert list(scratch.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        _interrupted()
    assert list(scratch.iterdir()) == []


def _interrupted():
    with scratch_project() as project:
        (project / "notes").chmod(0o500)
        raise KeyboardInterrupt


def test_nobodys_git_settings_reach_it(scratch, monkeypatch):
    """A hostile environment and configuration change nothing: the commit is the same to the byte."""
    with scratch_project() as project:
        head = git(project, "rev-parse", "HEAD")
    config = scratch / "config"
    config.write_text("[commit]\n\tgpgsign = true\n[core]\n\thooksPath = /nowhere\n[user]\n\tname = someone\n")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, str(config))
    monkeypatch.setenv("GIT_DIR", str(scratch / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(scratch / "index"))
    with scratch_project() as project:
        for name in ("GIT_DIR", "GIT_INDEX_FILE"):
            monkeypatch.delenv(name)
        assert git(project, "rev-parse", "HEAD") == head
    assert list(scratch.iterdir()) == [config]


@pytest.mark.parametrize("script", [None, "#!/bin/sh\nmkdir -p .git\nexit 1\n"], ids=["no git", "a git that fails"])
def test_without_git_it_is_a_plain_folder(scratch, monkeypatch, script):
    """Where git is missing or does not work, the project is there all the same, without half a repository."""
    programs = scratch / "bin"
    programs.mkdir()
    if script:
        (programs / "git").write_text(script)
        (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), *(["/bin", "/usr/bin"] if script else [])]))
    with scratch_project() as project:
        assert not (project / ".git").exists()
        assert {path.relative_to(project).as_posix() for path in plain_files(project)} == set(FILES)


@pytest.mark.parametrize(("old", "outcome", "failure"), [
    ("Notizen", "ok", ""), ("notizen", "failed", "not_found"), ("settings", "failed", "ambiguous"),
])  # fmt: skip
def test_the_edit_tool_looks_for_the_old_text(project, old, outcome, failure):
    """An edit is made when its old text stands there exactly once, and says truthfully why not otherwise."""
    result = tools.edit(TEXTS, old, "Zettel").perform(project)
    assert (result["outcome"], result.get("failure", "")) == (outcome, failure)
    assert result["files"][0]["outcome"] == outcome
    assert ((project / TEXTS).read_text() == FILES[TEXTS].replace("Notizen", "Zettel")) is (outcome == "ok")


def test_tools_fail_where_there_is_no_file(project):
    """Reading and editing a file that is not there fail as such."""
    for call in (tools.read("gone.py"), tools.edit("gone.py", "a", "b")):
        result = call.perform(project)
        assert (result["outcome"], result["failure"]) == ("failed", "io")


def test_tests_that_fail_are_told_as_failed(project):
    """The tests are really run: a broken project makes them fail."""
    (project / TEXTS).write_text("TEXTS = {}\n")
    result = tools.test().perform(project)
    assert (result["outcome"], result["exit"]) == ("failed", 1)
    assert "ImportError" in result["output"]


def test_added_and_removed_lines_are_counted(project):
    """An edit tells how many lines it added and removed."""
    (project / "a.txt").write_text("one\ntwo\nthree\n")
    result = tools.edit("a.txt", "one\ntwo\n", "one\n2\n2b\n").perform(project)
    assert (result["files"][0]["added"], result["files"][0]["removed"]) == (2, 1)
