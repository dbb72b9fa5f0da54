"""A repository on a machine without git, or with one that is of no use: read all the same, and told apart."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys

import pytest

from monitor.worktree.budget import Limits
from monitor.worktree.compare import UNLIKE, compare
from monitor.worktree.contents import StatCache
from monitor.worktree.measurement import NO_COMMIT
from monitor.worktree.measurement_json import from_json, to_json


def both(project, folder=None):
    """The measurement with git and the one without: the same files, the same history, the same bytes."""
    project.unaided = False
    aided = project.measure(folder)
    project.unaided, project.cache = True, StatCache()
    unaided = project.measure(folder)
    assert (aided.reason, aided.without_git) == ("", "")
    assert (unaided.reason, unaided.without_git) == ("", "git is not installed")
    assert (unaided.entries, unaided.heads, unaided.history) == (aided.entries, aided.heads, aided.history)
    return unaided


def change_of(project, name="README.md"):
    """What an edit of a file is told to be, without git."""
    before = both(project)
    project.write(name, "edited\n")
    return compare(before, project.measure()).files


def test_the_same_files_count_as_with_git(project):
    """Where nothing is converted, both ways lead to the same list: tracked, ignored, untracked, and all within."""
    project.repository("vendor/lib")
    project.repository("vendor/unborn", commit=False)
    project.repository("build/ignored")
    project.submodule("sub")
    project.write("src/new.txt", "new\n")
    project.write("build/forced.txt", "forced\n")
    project.git("add", "-f", "build/forced.txt")
    project.write("docs/.gitignore", "!*.log\n*.txt\n")
    project.write("docs/kept.log", "kept\n")
    project.write("docs/hidden.txt", "hidden\n")
    project.write(".git/info/exclude", "*.mine\n")
    project.write("x.mine", "x\n")
    project.write("docs/vendor/.git/config", "")
    found = both(project)
    assert b"\tbuild/forced.txt" in found.entries
    assert b"\tdocs/kept.log" in found.entries
    assert b"\tkept.log" in found.entries
    assert b"build/ignored" not in found.entries
    assert b"x.mine" not in found.entries
    assert sorted(found.heads) == [".", "sub", "vendor/lib", "vendor/unborn"]
    assert change_of(project, "kept.log") == ("kept.log",)


@pytest.mark.parametrize("seed", range(6))
def test_any_repository_is_read_as_git_reads_it(project, seed):
    """Whatever is tracked, hidden, brought back or moved about, the same files count."""
    dice = random.Random(seed)
    names = ["a", "b.log", "c.txt", "build", "d"]
    rules = ["*.log", "!b.log", "build/", "/a", "c.*", "d/**", "!d/a", "**/c.txt", "b*/", "!build"]
    for _ in range(40):
        place = "/".join(dice.choice(names) for _ in range(dice.randint(1, 4)))
        try:
            match dice.randrange(5):
                case 0:
                    lines = dice.sample(rules, dice.randint(1, 4))
                    project.write(f"{place}/.gitignore", "\n".join(lines) + "\n")
                case 1:
                    project.git(
                        "add", "-f", "--", project.write(place, f"{place}\n").relative_to(project.path).as_posix()
                    )
                case 2 if dice.random() < 0.3:
                    project.repository(place)
                case _:
                    project.write(place, f"{place}\n")
        except (OSError, subprocess.CalledProcessError):
            continue
    both(project)


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_repositories_of_every_make_are_read(project, algorithm):
    """Both kinds of ids, before any commit and after, packed, detached, in a linked worktree."""
    shutil.rmtree(project.path / ".git")
    project.git("init", "-q", f"--object-format={algorithm}", "-b", "main")
    assert both(project).history == NO_COMMIT
    project.git("add", "-A")
    assert both(project).history == NO_COMMIT
    project.git("commit", "-qm", "first")
    both(project)
    project.git("pack-refs", "--all")
    both(project)
    project.git("worktree", "add", "-q", "-b", "side", str(project.room / "linked"))
    project.git("commit", "-q", "--allow-empty", "-m", "second", at="../linked")
    both(project, project.room / "linked")
    project.git("checkout", "-q", "--detach")
    assert change_of(project) == ("README.md",)


def test_a_part_of_a_repository_is_read_by_the_rules_above_it(project):
    """In a folder below the top the rules from above hold; one that is ignored is plain, but for what is tracked in it."""
    project.write(".gitignore", "*.log\nbuild/\nsrc/*.tmp\n")
    for name in ("src/a.tmp", "src/b.log", "src/c.txt", "build/a.log"):
        project.write(name, "x\n")
    assert both(project, project.path / "src").entries.count(b"\0") == 3
    plain = project.measure(project.path / "build")
    assert (plain.without_git, plain.history) == ("", NO_COMMIT)
    project.unaided = False
    assert project.measure(project.path / "build") == plain
    project.write("build/kept.txt", "x\n")
    project.git("add", "-f", "build/kept.txt")
    assert both(project, project.path / "build").entries.endswith(b"\tkept.txt")


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


def test_files_that_git_converts_are_read_as_they_lie_there(project):
    """Whatever git stores of a file, by configuration, attribute or filter: what counts are its bytes in the folder."""
    project.git("config", "core.autocrlf", "true")
    project.write(".gitattributes", "*.bin filter=cleaned\n*.c text eol=crlf\n")
    for name in ("README.md", "large.bin", "main.c"):
        project.write(name, "large\r\n")
    project.git("add", "-A")
    both(project)
    project.write("main.c", "large\n")
    both(project)


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


def test_rules_that_a_sparse_checkout_left_out_are_told(project):
    """Git reads them from its store; without it nobody knows what they hide, once something lies there."""
    project.write("docs/.gitignore", "*.tmp\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "rules")
    project.git("sparse-checkout", "set", "--cone", "src")
    both(project)
    project.write("docs/new.tmp", "new\n")
    found = project.measure()
    assert (found.content, found.history) == (None, None)
    assert found.reason == "docs/.gitignore is left out by a sparse checkout: only git can read its rules"


def test_where_case_does_not_count(project):
    """Under `core.ignoreCase` rules hide names of either case, sets of characters and their opposites too."""
    project.git("config", "core.ignoreCase", "true")
    project.write(".gitignore", "*.LOG\nBUILD/\n[A-C]1\n[!a-y]2\n")
    for name in ("x.log", "X.LOG", "build/x", "b1", "B1", "d1", "z2", "Z2", "b2", "B2"):
        project.write(name, "x\n")
    found = both(project)
    for name, counts in (("b1", False), ("d1", True), ("Z2", False), ("B2", True), ("x.log", False)):
        assert (f"\t{name}\0".encode() in found.entries + b"\0") is counts


def test_what_cannot_be_read_is_none(project):
    """A damaged index, references of another form, an index of no known make: none, or no history, with the reason."""
    project.unaided = True
    before = project.measure()
    index = project.path / ".git/index"
    data = index.read_bytes()
    index.write_bytes(data[:80] + bytes([data[80] ^ 1]) + data[81:])
    assert "its checksum does not fit" in project.measure().reason
    index.write_bytes(data)
    project.git("config", "core.repositoryFormatVersion", "1")
    config = project.path / ".git/config"
    config.write_text(config.read_text() + "[extensions]\n\trefStorage = reftable\n")
    after = project.measure()
    assert (after.content, after.history) == (before.content, None)
    assert "reftable" in after.reason
    assert compare(before, after).changed is None


def test_limits_hold(project):
    """Too many files, too many bytes and an end to waiting hold as they do with git."""
    project.unaided = True
    assert "more than 3 files" in project.measure(limits=Limits(files=3)).reason
    assert "to read" in project.measure(limits=Limits(bytes=1)).reason
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
