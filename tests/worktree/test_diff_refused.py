"""What of a folder's differences cannot be told, and that telling them runs and writes nothing."""

from __future__ import annotations

import os
import signal
import stat

from gathered import events, lines

from monitor.worktree import catfile, copies
from monitor.worktree.catfile import CatFile
from monitor.worktree.live import LiveFolder


def test_what_is_too_large_is_said(project, living):
    """A file beyond the bound is not kept, and its diff says why; its change is told all the same."""
    project.write("large.txt", b"x" * (copies.LARGEST + 1))
    live = living(project)
    project.write("large.txt", "small\n")
    event = events(live)["large.txt"]
    assert (event.added, event.removed) == (None, None)
    diff = live.diff.of("large.txt")
    assert (diff.hunks, diff.note) == ((), "what it held before is not known: it is larger than 1 MB")


def test_no_more_room_at_the_start(project, living, monkeypatch):
    """Where more is uncommitted than may be copied, what is left out says so."""
    monkeypatch.setattr(copies, "MOST", 3 << 20)
    for number in range(5):
        project.write(f"large{number}.txt", bytes([97 + number]) * 900_000)
    live = living(project)
    for number in range(5):
        project.write(f"large{number}.txt", "small\n")
    events(live)
    notes = [live.diff.of(f"large{number}.txt").note for number in range(5)]
    assert [bool(note) for note in notes] == [False, False, False, True, True]
    assert "more than 3 MB would have to be kept" in notes[4]


def test_what_git_no_longer_keeps(project, living):
    """An object that is gone is said to be gone, not guessed."""
    live = living(project)
    blob = project.git("rev-parse", "HEAD:README.md").strip()
    (project.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    project.write("README.md", "changed\n")
    assert events(live)["README.md"].added is None
    assert "git no longer keeps it" in live.diff.of("README.md").note


def test_many_changes_need_one_git(project, living, monkeypatch):
    """However many tracked files change, no new git is living for each."""
    for number in range(150):
        project.write(f"many/file{number}.txt", f"{number}\n")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "many")
    live = living(project)
    begins, real = [], CatFile._begun
    monkeypatch.setattr(CatFile, "_begun", lambda asked: (begins.append(asked), real(asked))[1])
    for number in range(150):
        project.write(f"many/file{number}.txt", "changed\n")
    assert {(event.added, event.removed) for event in events(live).values()} == {(1, 1)}
    assert len(begins) == 2


def test_a_git_that_was_killed(project, living):
    """Should the git that is asked be killed, another takes its place; what was asked meanwhile is said not to be known."""
    live = living(project)
    project.write("README.md", "changed\n")
    events(live)
    asked = live._copies._blobs._stores["."]
    for one in asked:
        os.killpg(one._process.pid, signal.SIGKILL)
        one._process.wait()
    notes = [live.diff.of("src/app.py").note for _ in range(4)]
    assert "git" in notes[0]
    assert notes[-1] == ""
    project.write("src/app.py", "changed\n")
    assert lines(live, "src/app.py") == ["-print('app')", "+changed"]


def test_a_git_that_gives_no_answer(project, living, monkeypatch):
    """A git that hangs is not waited for without end; it is ended, and another asked the next time."""
    live = living(project)
    project.write("README.md", "changed\n")
    events(live)
    monkeypatch.setattr(catfile, "_SECONDS", 0.5)
    for one in live._copies._blobs._stores["."]:
        os.killpg(one._process.pid, signal.SIGSTOP)
    project.write("src/app.py", "changed\n")
    assert events(live)["src/app.py"].added is None
    assert 1 in [live.diff.of("src/app.py").added for _ in range(6)]


def test_nothing_is_run_and_nothing_written(project, living):
    """Neither the watch nor a diff runs what the repository names, or touches anything below `.git`."""
    live = living(project)
    project.write("src/app.py", "changed\n")
    project.marker.unlink(missing_ok=True)

    def git_states():
        return {path: path.lstat().st_mtime_ns for path in (project.path / ".git").rglob("*")}

    before = git_states()
    events(live)
    live.diff.all()
    assert git_states() == before
    assert not project.marker.exists()


def test_names_from_elsewhere_are_not_followed(project, living):
    """A name that leads upwards, or through a link, shows nothing of what lies there."""
    (project.room / "secret").write_text("secret\n")
    (project.path / "out").symlink_to(project.room)
    live = living(project)
    for name in ("../secret", "out/secret", str(project.room / "secret"), "a\0b"):
        diff = live.diff.of(name)
        assert (diff.hunks, diff.what) == ((), "same")


def test_the_copies_are_private_and_go_at_the_end(project, living, state):
    """What is copied is for the user alone, and nothing is left of it when the watch ends."""
    project.write("untracked.txt", "untracked\n")
    live = living(project)
    project.write("src/app.py", "changed\n")
    events(live)
    paths = list((state / "rescue").rglob("*"))
    assert any(path.is_file() and path.parent.name == "versions" for path in paths)
    for path in [state / "rescue", *paths]:
        if "shadow" not in str(path):
            assert stat.S_IMODE(path.lstat().st_mode) & 0o077 == 0
    live.close()
    assert list((state / "rescue").iterdir()) == []


def test_a_place_that_cannot_be_written(project, state):
    """Where nothing can be kept the folder is watched all the same, and the problem says why."""
    (state / "rescue").write_text("in the way")
    live = LiveFolder(project.path, run="a run", state=state)
    live.begin()
    live.settle()
    project.write("src/app.py", "changed\n")
    assert events(live)["src/app.py"].added is None
    assert "cannot be kept" in live.problem
    assert live.diff is None
    live.rescue("src/app.py", "0" * 64, changed=1.0, overwritten=2.0, by="Write")
    live.close()
    assert [path.name for path in state.iterdir()] == ["rescue"]
