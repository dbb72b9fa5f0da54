"""A folder that is no repository, with git at hand and without: the same answer both ways."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.worktree import fingerprint, plain_walk
from monitor.worktree.budget import Limits
from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache


@pytest.fixture
def without_git(monkeypatch):
    """A machine without git."""
    monkeypatch.setattr(fingerprint, "find_git", lambda _: None)


def both(folder):
    """The measurement with git, which is that without it."""
    expected = folder.measure()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprint, "find_git", lambda _: None)
        folder.cache = StatCache()
        assert folder.measure() == expected
    return expected


def test_a_plain_folder_is_measured(folder):
    """Edits, modes, links and names count; touches, empty folders and special files do not."""
    os.mkfifo(folder.path / "pipe")
    (folder.path / "loop").symlink_to(".")
    before = both(folder)
    (folder.path / "empty").mkdir()
    os.utime(folder.path / "a.txt")
    assert both(folder) == before
    folder.write("a.txt", "edited\n")
    (folder.path / "deep/b.txt").chmod(0o755)
    folder.write(os.fsdecode(b"\xff\n"), "weird\n")
    (folder.path / "loop").unlink()
    assert compare(before, both(folder)).files == ("a.txt", "deep/b.txt", "loop", "\udcff\n")


def test_an_empty_folder_has_a_fingerprint(tmp_path):
    """Nothing is something that can be compared."""
    found = fingerprint.measure(tmp_path)
    assert found.content
    assert found.reason == ""
    assert compare(found, fingerprint.measure(tmp_path)).changed is False


def test_ignore_rules_hold(folder):
    """Each folder's rules hold below it, the nearest win, and the user's own hold everywhere."""
    folder.write(".gitignore", "*.log\n!keep.log\n/build/\ndeep/*.tmp\n")
    folder.write("deep/.gitignore", "!*.log\n")
    rules = Path("~/.config/git/ignore").expanduser()
    rules.parent.mkdir(parents=True)
    rules.write_text("*.swp\n")
    before = both(folder)
    for name in ("x.log", "build/x", "deep/x.tmp", "x.swp", "deep/x.swp"):
        folder.write(name, "ignored\n")
    assert both(folder) == before
    for name in ("keep.log", "deep/x.log", "deep/build/x", "deep/deep/x.tmp"):
        folder.write(name, "counted\n")
    assert compare(before, both(folder)).files == ("deep/build/x", "deep/deep/x.tmp", "deep/x.log", "keep.log")


@pytest.mark.parametrize("where", ["gitconfig", "xdg", "included", "included for the folder", "repository"])
def test_the_users_own_ignore_rules_are_found(folder, where, monkeypatch):
    """The file that `core.excludesFile` names is read, wherever git would read the name, and never written."""
    home = folder.room / "home"
    monkeypatch.setenv("HOME", str(home))
    folder.git("init", "-q")
    folder.write("../home/rules", "*.mine\n")
    named = "[core]\n\texcludesFile = ~/rules\n"
    match where:
        case "gitconfig":
            folder.write("../home/.gitconfig", named)
        case "xdg":
            folder.write("../home/.config/git/config", named)
        case "included":
            folder.write("../home/.gitconfig", "[include]\n\tpath = more\n")
            folder.write("../home/more", named)
        case "included for the folder":
            folder.write("../home/.gitconfig", f'[includeIf "gitdir:{folder.room}/"]\n\tpath = ~/more\n')
            folder.write("../home/more", named)
        case _:
            folder.git("config", "core.excludesFile", "~/rules")
    before = folder.measure()
    folder.write("x.mine", "ignored\n")
    assert folder.measure() == before
    folder.write("x.yours", "counted\n")
    assert compare(before, folder.measure()).files == ("x.yours",)


def test_other_conditions_of_the_user_are_not_met(folder, monkeypatch):
    """An include for other folders leaves the rules aside; one that leads in a circle is told."""
    home = folder.room / "home"
    monkeypatch.setenv("HOME", str(home))
    folder.git("init", "-q")
    folder.write("../home/rules", "*.mine\n")
    folder.write("../home/more", "[core]\n\texcludesFile = ~/rules\n")
    folder.write("../home/.gitconfig", '[includeIf "gitdir:/elsewhere/"]\n\tpath = more\n')
    before = folder.measure()
    folder.write("x.mine", "counted\n")
    assert compare(before, folder.measure()).changed is True
    folder.write("../home/more", "[include]\n\tpath = more\n")
    folder.write("../home/.gitconfig", "[include]\n\tpath = more\n")
    assert "circle" in folder.measure().reason
    folder.write("../home/.gitconfig", "[core\n")
    assert "is damaged: line 1" in folder.measure().reason


def test_limits_hold_without_git(folder, without_git):
    """Too many files, too many bytes and an end to waiting hold as they do with git."""
    assert "more than 1 files" in folder.measure(limits=Limits(files=1)).reason
    assert "to read" in folder.measure(limits=Limits(bytes=1)).reason
    assert folder.measure(stop=lambda: True).reason == "stopped before it was done"


def test_a_folder_of_repositories_is_measured(folder):
    """A folder that holds several repositories and is none itself has the history of all of them."""
    for name in ("one", "two"):
        folder.repository(name)
    before = folder.measure()
    assert sorted(before.heads) == ["one", "two"]
    folder.git("commit", "-q", "--allow-empty", "-m", "second", at="two")
    assert compare(before, folder.measure()).kinds == ("history",)
    folder.write("one/inner.txt", "edited\n")
    folder.write("a.txt", "edited\n")
    assert compare(before, folder.measure()).files == ("a.txt", "one/inner.txt")


def test_a_pattern_that_could_take_for_ever_is_told(folder, without_git):
    """A hostile pattern cannot hold us up."""
    folder.write(".gitignore", "**/a/**/a/**/a/**/a/**/b\n")
    assert "holds a pattern with more than 4 `**`" in folder.measure().reason


@pytest.mark.parametrize("error", [FileNotFoundError(2, "gone"), PermissionError(13, "Permission denied")])
def test_a_folder_that_cannot_be_listed_is_told(folder, without_git, monkeypatch, error):
    """One that is gone meanwhile holds nothing; one that nobody may look into gives no answer."""
    real = plain_walk.folder_at

    def folder_at(top, path):
        if path == "deep":
            raise error
        return real(top, path)

    monkeypatch.setattr(plain_walk, "folder_at", folder_at)
    found = fingerprint.measure(folder.path)
    assert bool(found.content) is isinstance(error, FileNotFoundError)
    assert found.reason.endswith("" if found.content else "deep cannot be read: Permission denied")


def test_ignore_rules_behind_a_link_do_not_hold(folder):
    """Git follows no link to ignore rules in a project; neither do we."""
    folder.write("../rules", "*.txt\n")
    (folder.path / ".gitignore").symlink_to("../rules")
    (folder.path / "deep/.gitignore").symlink_to("../../rules")
    before = both(folder)
    folder.write("deep/b.txt", "edited\n")
    folder.write("c.txt", "new\n")
    assert compare(before, both(folder)).files == ("c.txt", "deep/b.txt")


NAMES = st.sampled_from(["a", "b", "ab", "a.b", "ba", "a b", "[a]", "a*", "é", "#a", "!a", "a\\", "A"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
PIECES = st.sampled_from(
    ["a", "b", ".", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^b-z]", "[a", "[]a]", "[[:alpha:]]",
     "[a-\\]]", "\\", "\\*", "\\a", " ", "\\ ", "#", "!", "é", "A", "\r"]
)  # fmt: skip
LINES = st.lists(PIECES, min_size=1, max_size=6).map("".join)
RULES = st.lists(LINES, min_size=1, max_size=5).map("\n".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths=st.lists(PATHS, min_size=1, max_size=8), rules=RULES, inner=RULES, where=PATHS)
def test_our_reading_of_ignore_rules_is_gits(tmp_path_factory, paths, rules, inner, where):
    """Whatever the rules and the names, the same files count as with git."""
    top = tmp_path_factory.mktemp("rules")
    for path in [*paths, f"{where}/.gitignore", ".gitignore"]:
        try:
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_text(inner if path != ".gitignore" else rules, newline="")
        except OSError:
            continue
    expected = fingerprint.measure(top)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprint, "find_git", lambda _: None)
        found = fingerprint.measure(top)
    if "more than" not in found.reason:
        assert found == expected
