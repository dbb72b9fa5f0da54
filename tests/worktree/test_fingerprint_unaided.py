"""A repository on a machine without git, or with one that is of no use: read all the same, and told apart."""

from __future__ import annotations

import os
import random
import shutil
import subprocess

import pytest

from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache
from monitor.worktree.fingerprint import measure
from monitor.worktree.measurement import NO_COMMIT


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


def test_no_time_of_access_moves(project):
    """Neither what is measured nor what lies under `.git` shows that it was read, but for links."""
    project.submodule("sub")
    known = [one for one in (project.path, *project.path.rglob("*")) if not one.is_symlink()]
    for path in known:
        os.utime(path, (1, path.stat().st_mtime))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(project.command.parent))
        assert measure(project.path).content
    assert [path for path in known if path.lstat().st_atime_ns != 1_000_000_000] == []
