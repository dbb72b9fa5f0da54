"""A git that is of no use, and what is said of a measurement without it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from monitor.worktree.budget import Limits
from monitor.worktree.compare import UNLIKE, compare
from monitor.worktree.measurement_json import from_json, to_json


def test_what_the_two_ways_say_is_not_compared(project):
    """A difference may be one of method, and so may be none: null, with the reason; a moved HEAD is known all the same."""
    aided = project.measure()
    project.unaided = True
    unaided = project.measure()
    for before, after in ((aided, unaided), (unaided, aided)):
        found = compare(before, after)
        assert (found.changed, found.files, found.reason) == (None, None, UNLIKE)
    project.git("commit", "-q", "--allow-empty", "-m", "second")
    found = compare(aided, project.measure())
    assert (found.changed, found.kinds, found.files) == (True, ("history",), None)
    assert compare(unaided, project.measure()).kinds == ("history",)


def test_a_plain_folder_is_the_same_with_git_and_without(folder):
    """Where there is no repository git has nothing to add: both are compared, with each other and with one made later."""
    aided = folder.measure()
    folder.unaided = True
    assert folder.measure() == aided
    folder.git("init", "-q", "-b", "main")
    assert compare(folder.measure(), aided).changed is False
    folder.write("a.txt", "edited\n")
    assert compare(aided, folder.measure()).files == ("a.txt",)


def test_it_is_written_down_how_it_was_read(project):
    """The reason goes with the measurement, and is there when it is read again."""
    project.unaided = True
    found = project.measure()
    printed = to_json(found)
    assert printed["without_git"] == "git is not installed"
    assert from_json(json.dumps(printed)) == found
    project.unaided = False
    assert "without_git" not in to_json(project.measure())


USELESS = {
    "broken": ('echo "fatal: no such luck" >&2; exit 128', "git: no such luck"),
    "no program": (None, "git cannot be run: "),
    "too old for attributes": (
        'for word; do case "$word" in *exclude,attr*) echo "fatal: unknown magic" >&2; exit 128;; esac; done',
        "git: unknown magic",
    ),
    "killed": ("kill -9 $$", "git: it ended with code -9"),
}


@pytest.mark.parametrize("how", USELESS)
def test_a_git_that_is_of_no_use(project, monkeypatch, how):
    """One that fails in an empty folder too is not asked: the files are read without it, and it is said why."""
    project.unaided = True
    expected = project.measure()
    project.unaided = False
    script, words = USELESS[how]
    place = project.room / "bin"
    place.mkdir()
    real = shutil.which("git")
    (place / "git").write_text(f'#!/bin/sh\n{script}\nexec {real} "$@"\n' if script else "\x7fELF rubbish")
    (place / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    found = project.measure()
    assert found.without_git.startswith(f"git does not work on this machine ({words}")
    assert (found.content, found.history, found.reason) == (expected.content, expected.history, "")
    assert compare(expected, found).changed is False


def test_a_git_too_old_for_the_ids(project, monkeypatch):
    """One that knows only SHA-1 is asked about such repositories, and not about others."""
    place = project.room / "bin"
    place.mkdir()
    old = 'grep -q sha256 "$GIT_DIR/config" && { echo "fatal: unknown repository extension" >&2; exit 128; }'
    (place / "git").write_text(f'#!/bin/sh\n{old}\nexec {shutil.which("git")} "$@"\n')
    (place / "git").chmod(0o755)
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{path}")
    assert project.measure().without_git == ""
    shutil.rmtree(project.path / ".git")
    monkeypatch.setenv("PATH", path)
    project.git("init", "-q", "--object-format=sha256")
    project.git("add", "-A")
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{path}")
    assert "unknown repository extension" in project.measure().without_git


def test_no_program_is_started(project, monkeypatch):
    """Without git nothing is run at all, so nothing that the repository names either."""
    project.submodule("sub")
    project.write(".gitattributes", "* filter=planted diff=planted\n")
    project.write("sub/.gitattributes", "* filter=planted diff=planted\n")
    project.unaided = True

    def started(*_, **__):
        raise AssertionError

    monkeypatch.setattr(subprocess, "Popen", started)
    assert project.measure().content


def test_limits_hold(project):
    """Too many files, too many bytes and an end to waiting hold as they do with git."""
    project.unaided = True
    assert "to read" in project.measure(limits=Limits(bytes=1)).reason
    assert "more than 3 files" in project.measure(limits=Limits(files=3)).reason
    assert project.measure(limits=Limits(seconds=0)).reason == "not done within 0 s"
    assert project.measure(stop=lambda: True).reason == "stopped before it was done"


def test_the_command_says_so(project, private_home):
    """`monitor measure` says in one line that it was done without git; against one made with it nothing is claimed."""

    def printed(path, *words):
        done = subprocess.run(
            [sys.executable, "-m", "monitor", "measure", str(project.path), *words],
            capture_output=True,
            env={**os.environ, "PATH": path},
            check=True,
        )
        return json.loads(done.stdout), done.stdout, done.stderr.decode().splitlines()

    nothing = str(project.room / "nowhere")
    aided, before, said = printed(os.environ["PATH"])
    assert (aided["reason"], said) == ("", [])
    (project.room / "aided.json").write_bytes(before)
    unaided, before, said = printed(nothing, "--since", str(project.room / "aided.json"))
    assert (unaided["changed"], unaided["reason"], unaided["without_git"]) == (None, UNLIKE, "git is not installed")
    assert said == ["monitor: git is not installed: this compares only with what was measured without it"]
    (project.room / "unaided.json").write_bytes(before)
    project.write("kept.log", "edited\n")
    again, _, _ = printed(nothing, "--since", str(project.room / "unaided.json"))
    assert (again["changed"], again["files"]) == (True, ["kept.log"])
