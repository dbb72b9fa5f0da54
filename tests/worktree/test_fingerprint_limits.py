"""What cannot be measured is none, with the reason; never a guess, and never without end."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from monitor.worktree import fingerprint
from monitor.worktree.budget import Limits
from monitor.worktree.compare import compare


def refused(project, words, **more):
    found = project.measure(**more)
    assert (found.content, found.history, found.entries) == (None, None, None)
    assert words in found.reason
    assert compare(found, found).changed is None
    assert words in compare(found, found).reason
    return found


def stub_of_git(project, monkeypatch, script):
    """A git in the way of the real one that does what the script says."""
    place = project.room / "stub"
    place.mkdir()
    real = shutil.which("git")
    (place / "git").write_text(f'#!/bin/sh\nexport REAL={real}\n{script}\nexec $REAL "$@"\n')
    (place / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return place


def test_too_many_files(project):
    """More files than the limit, tracked and not, are too many."""
    assert project.measure(limits=Limits(files=7)).content
    project.write("one.txt", "one\n")
    refused(project, "more than 7 files", limits=Limits(files=7))
    refused(project, "more than 3 files", limits=Limits(files=3))


def test_too_many_files_of_several_repositories(project):
    """The limit is one for all repositories within."""
    project.repository("vendor/a")
    assert project.measure(limits=Limits(files=8)).content
    project.repository("vendor/b")
    refused(project, "more than 8 files", limits=Limits(files=8))


def test_too_many_bytes(project):
    """More bytes than the limit are not read at all; what the cache knows counts for nothing."""
    project.write("large.bin", bytes(100_000))
    refused(project, "of contents to read", limits=Limits(bytes=99_999))
    assert project.measure(limits=Limits(bytes=200_000)).content
    wait_until_old(project.path / "large.bin")
    first = project.measure()
    assert project.measure(limits=Limits(bytes=0)) == first
    os.truncate(project.write("huge.bin", b""), 4 * 1024**3)
    started = time.monotonic()
    refused(project, "of contents to read")
    assert time.monotonic() - started < 10


def wait_until_old(path):
    """Until a second change could no longer leave the same time."""
    limit = time.monotonic() + 10
    while time.time_ns() - path.stat().st_ctime_ns < 100_000_000:
        assert time.monotonic() < limit
        os.sched_yield()


def test_too_little_time(project):
    """What is not done in time is given up."""
    refused(project, "not done within 0 s", limits=Limits(seconds=0))


def test_a_git_that_hangs_is_ended(project, monkeypatch):
    """A git that never answers is ended in time, with the processes it started."""
    pids = project.room / "pids"
    stub_of_git(project, monkeypatch, f"echo $$ >> {pids}; sleep 1000 & echo $! >> {pids}; wait")
    found = fingerprint.measure(project.path, limits=Limits(seconds=0.5))
    assert found.reason == "not done within 0.5 s"
    for pid in pids.read_text().split():
        wait_until_gone(int(pid))


def wait_until_gone(pid):
    limit = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]:
        assert time.monotonic() < limit
        os.sched_yield()


def test_it_stops_when_asked(project):
    """Whoever waits for it can have it stopped."""
    refused(project, "stopped", stop=lambda: True)
    asked = iter([False])
    refused(project, "stopped", stop=lambda: next(asked, True))


def test_a_git_that_fails_is_told(project, monkeypatch):
    """What git says on failing is the reason, cleaned, where the project is what it fails at."""
    said = 'printf "fatal: all is\\033[31m lost\\n" >&2; exit 128'
    stub_of_git(project, monkeypatch, f'case "$GIT_WORK_TREE" in */project) {said};; esac')
    assert fingerprint.measure(project.path).reason == "git: all is␛[31m lost"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("warning: could not open directory 'data/': Permission denied", "could not open directory 'data/'"),
        ("src/app.py: Permission denied", "src/app.py: Permission denied"),
        ("warning: could not open directory 'data/': No such file or directory", "files come and go"),
    ],
)
def test_an_answer_with_a_gap_is_none(project, monkeypatch, said, reason):
    """Where git goes on past something it could not look at, its answer is not taken for the whole."""
    stub_of_git(project, monkeypatch, f'echo "{said}" >&2')
    assert reason in fingerprint.measure(project.path).reason


def test_a_harmless_warning_is_no_gap(project, monkeypatch):
    """Other warnings leave the answer whole."""
    expected = project.measure()
    stub_of_git(project, monkeypatch, "echo \"warning: unable to access '.gitignore': Too many levels\" >&2")
    assert fingerprint.measure(project.path) == expected


def test_a_folder_that_is_none_is_told(project, tmp_path):
    """A missing folder, a file, a link in a circle and what is no name at all give the reason."""
    (project.path / "loop").symlink_to("loop")
    told = (("gone", "No such file"), ("README.md", "not a folder"), ("loop", "symbolic links"), ("a\0b", "no name"))
    for name, words in told:
        found = fingerprint.measure(project.path / name)
        assert found.content is None
        assert words in found.reason != ""


def test_a_link_to_the_folder_is_the_folder(project):
    """Reached through a link, the folder is the same."""
    (project.room / "link").symlink_to(project.path)
    assert project.measure(project.room / "link") == project.measure()


def test_nothing_is_left_behind(project, monkeypatch):
    """The private folder is the owner's alone, and gone afterwards, however the measurement came out."""
    state = project.room / "state"
    state.mkdir(mode=0o700)
    seen = []
    real = fingerprint.list_folder

    def look(shadow, *words):
        seen.extend((place.parent, place.stat().st_mode & 0o777) for place in state.iterdir())
        return real(shadow, *words)

    monkeypatch.setattr(fingerprint, "list_folder", look)
    for limits in (Limits(), Limits(files=1)):
        fingerprint.measure(project.path, state=state, limits=limits)
        assert list(state.iterdir()) == []
    assert seen == [(state, 0o700)] * 2


def test_our_own_record_is_no_content(folder, monkeypatch):
    """In a home folder that holds the monitor's state, what it writes there is not the project's change."""
    state = folder.path / ".local/state/monitor"
    folder.write(".local/state/other", "counted\n")
    state.mkdir(parents=True)
    before = fingerprint.measure(folder.path, state=state)
    assert b".local/state/other" in before.entries
    for _ in range(2):
        folder.write(".local/state/monitor/journal", f"{time.monotonic()}\n")
        assert fingerprint.measure(folder.path, state=state) == before
        folder.git("init", "-q")
        assert fingerprint.measure(folder.path, state=state).content == before.content
        shutil.rmtree(folder.path / ".git")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fingerprint, "find_git", lambda _: None)
            assert fingerprint.measure(folder.path, state=state) == before
    assert b"journal" in fingerprint.measure(folder.path).entries


def test_what_a_killed_measurement_left_is_taken_away(project):
    """Old private folders go with the next measurement; those of one under way stay."""
    state = project.room / "state"
    for name in ("shadow-old", "shadow-new", "other-old"):
        (state / name / "info").mkdir(parents=True)
    for name in ("shadow-old", "other-old"):
        os.utime(state / name, (0, 0))
    fingerprint.measure(project.path, state=state)
    assert sorted(path.name for path in state.iterdir()) == ["other-old", "shadow-new"]
