"""What differs in a real folder since the start, by what git and the private copies keep."""

from __future__ import annotations

import os
import signal
import stat

import pytest

from monitor.worktree import catfile, copies
from monitor.worktree.catfile import CatFile
from monitor.worktree.diff_text import unified
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder


@pytest.fixture
def state(tmp_path):
    place = tmp_path / "state"
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def begun(state):
    """Begins to watch folders, each measured once, and ends that."""
    made = []

    def begin(project):
        live = LiveFolder(project.path, run="a run", state=state)
        made.append(live)
        live.begin()
        live.settle()
        live.reconcile(measure(project.path))
        live.settle()
        assert live.changes() == []
        assert live.problem == ""
        return live

    yield begin
    for live in made:
        live.close()


def events(live):
    live.settle()
    return {event.file: event for event in live.changes()}


def lines(live, file, since=None):
    """What is added and removed, as a person reads it."""
    live.settle()
    return [row for row in unified(live.diff.of(file, since)) if row[0] in "+-" and row[:3] not in ("+++", "---")]


def test_tracked_files(project, begun):
    """What a tracked file held comes from git's own objects, and is not copied at the start."""
    live = begun(project)
    project.write("src/app.py", "print('new')\nmore\n")
    event = events(live)["src/app.py"]
    assert (event.added, event.removed) == (2, 1)
    assert lines(live, "src/app.py") == ["-print('app')", "+print('new')", "+more"]


def test_uncommitted_files(project, begun):
    """What git did not keep at the start was copied: an untracked file, and an edit that was never staged."""
    project.write("untracked.txt", "untracked\n")
    project.write("README.md", "# Dirty at the start\n")
    live = begun(project)
    project.write("untracked.txt", "untracked\nmore\n")
    project.write("README.md", "# Changed\n")
    assert {file: (event.added, event.removed) for file, event in events(live).items()} == {
        "untracked.txt": (1, 0), "README.md": (1, 1),
    }  # fmt: skip
    assert lines(live, "README.md") == ["-# Dirty at the start", "+# Changed"]


def test_bytes_that_git_stores_converted(project, begun):
    """Where git stores other bytes than lie there, the bytes that lie there count."""
    project.write(".gitattributes", "*.txt text\n")
    project.write("crlf.txt", b"one\r\ntwo\r\n")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "crlf")
    live = begun(project)
    project.write("crlf.txt", b"one\r\nthree\r\n")
    assert lines(live, "crlf.txt") == ["-two␍", "+three␍"]


def test_a_folder_without_git(folder, begun):
    """In a folder that is no repository everything is copied at the start."""
    live = begun(folder)
    folder.write("deep/b.txt", "b\nc\n")
    (folder.path / "a.txt").unlink()
    assert [(diff.file, diff.what, diff.added, diff.removed) for diff in (events(live), live.diff.all())[1].files] == [
        ("a.txt", "deleted", 0, 1),
        ("deep/b.txt", "modified", 1, 0),
    ]


def test_repositories_within(project, begun):
    """A nested repository and a submodule each give what their own objects hold."""
    project.repository("vendor/lib")
    project.submodule("modules/sub")
    live = begun(project)
    project.write("vendor/lib/inner.txt", "changed\n")
    project.write("modules/sub/inner.txt", "changed too\n")
    events(live)
    assert lines(live, "vendor/lib/inner.txt") == ["-inner", "+changed"]
    assert lines(live, "modules/sub/inner.txt") == ["-inner", "+changed too"]


def test_a_part_of_a_repository(project, begun):
    """A folder within a repository gives what the repository holds of it."""
    part = type(project)(project.path / "src", project.room, project.command, project.marker, project.cache)
    live = begun(part)
    part.write("app.py", "changed\n")
    events(live)
    assert lines(live, "app.py") == ["-print('app')", "+changed"]


def test_a_repository_of_sha256(folder, begun):
    """Objects with ids of another length are read as well."""
    folder.git("init", "-q", "--object-format=sha256")
    folder.git("add", "-A")
    folder.git("commit", "-q", "-m", "x")
    live = begun(folder)
    folder.write("a.txt", "changed\n")
    events(live)
    assert lines(live, "a.txt") == ["-a", "+changed"]


def test_everything_that_differs(project, begun):
    """New, deleted, moved, another mode, binary: all are named; what is as it was at the start is not."""
    project.write("image.bin", b"\0\1\2")
    live = begun(project)
    project.write("new.txt", "new\n")
    (project.path / "README.md").rename(project.path / "docs/MOVED.md")
    (project.path / "src/app.py").chmod(0o755)
    project.write("image.bin", b"\0\1\2\3")
    project.write("docs/two words.txt", "for a while\n")
    events(live)
    project.write("docs/two words.txt", "two\n")
    events(live)
    found = {diff.file: diff for diff in live.diff.all().files}
    assert {file: diff.what for file, diff in found.items()} == {
        "new.txt": "created", "docs/MOVED.md": "moved", "src/app.py": "mode", "image.bin": "modified",
    }  # fmt: skip
    assert found["docs/MOVED.md"].was == "README.md"
    assert found["image.bin"].note == "no text: 3 bytes before, 4 now"
    assert found["src/app.py"].note == "a file before, a program now"


def test_since_a_moment(project, begun):
    """Since a prompt, what came before it is not shown; a file that went back to how it was at the start is."""
    live = begun(project)
    project.write("src/app.py", "first\n")
    project.write("README.md", "changed for a while\n")
    events(live)
    moment = max((project.path / name).stat().st_ctime for name in ("src/app.py", "README.md"))
    while (project.path / "src/app.py").stat().st_ctime <= moment:
        project.write("src/app.py", "second\n")
    project.write("README.md", "# Readme\n")
    project.write("new.txt", "new\n")
    events(live)
    assert lines(live, "src/app.py", moment) == ["-first", "+second"]
    since = {diff.file: diff.what for diff in live.diff.all(moment).files}
    assert since == {"src/app.py": "modified", "README.md": "modified", "new.txt": "created"}
    assert {diff.file for diff in live.diff.all().files} == {"src/app.py", "new.txt"}


def test_what_is_too_large_is_said(project, begun):
    """A file beyond the bound is not kept, and its diff says why; its change is told all the same."""
    project.write("large.txt", b"x" * (copies.LARGEST + 1))
    live = begun(project)
    project.write("large.txt", "small\n")
    event = events(live)["large.txt"]
    assert (event.added, event.removed) == (None, None)
    diff = live.diff.of("large.txt")
    assert (diff.hunks, diff.note) == ((), "what it held before is not known: it is larger than 1 MB")


def test_no_more_room_at_the_start(project, begun, monkeypatch):
    """Where more is uncommitted than may be copied, what is left out says so."""
    monkeypatch.setattr(copies, "MOST", 3 << 20)
    for number in range(5):
        project.write(f"large{number}.txt", bytes([97 + number]) * 900_000)
    live = begun(project)
    for number in range(5):
        project.write(f"large{number}.txt", "small\n")
    events(live)
    notes = [live.diff.of(f"large{number}.txt").note for number in range(5)]
    assert [bool(note) for note in notes] == [False, False, False, True, True]
    assert "more than 3 MB would have to be kept" in notes[4]


def test_what_git_no_longer_keeps(project, begun):
    """An object that is gone is said to be gone, not guessed."""
    live = begun(project)
    blob = project.git("rev-parse", "HEAD:README.md").strip()
    (project.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    project.write("README.md", "changed\n")
    assert events(live)["README.md"].added is None
    assert "git no longer keeps it" in live.diff.of("README.md").note


def test_many_changes_need_one_git(project, begun, monkeypatch):
    """However many tracked files change, no new git is begun for each."""
    for number in range(150):
        project.write(f"many/file{number}.txt", f"{number}\n")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "many")
    live = begun(project)
    begins, real = [], CatFile._begun
    monkeypatch.setattr(CatFile, "_begun", lambda asked: (begins.append(asked), real(asked))[1])
    for number in range(150):
        project.write(f"many/file{number}.txt", "changed\n")
    assert {(event.added, event.removed) for event in events(live).values()} == {(1, 1)}
    assert len(begins) == 2


def test_a_git_that_was_killed(project, begun):
    """Should the git that is asked be killed, another takes its place; what was asked meanwhile is said not to be known."""
    live = begun(project)
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


def test_a_git_that_gives_no_answer(project, begun, monkeypatch):
    """A git that hangs is not waited for without end; it is ended, and another asked the next time."""
    live = begun(project)
    project.write("README.md", "changed\n")
    events(live)
    monkeypatch.setattr(catfile, "_SECONDS", 0.5)
    for one in live._copies._blobs._stores["."]:
        os.killpg(one._process.pid, signal.SIGSTOP)
    project.write("src/app.py", "changed\n")
    assert events(live)["src/app.py"].added is None
    assert 1 in [live.diff.of("src/app.py").added for _ in range(6)]


def test_nothing_is_run_and_nothing_written(project, begun):
    """Neither the watch nor a diff runs what the repository names, or touches anything below `.git`."""
    live = begun(project)
    project.write("src/app.py", "changed\n")
    project.marker.unlink(missing_ok=True)

    def git_states():
        return {path: path.lstat().st_mtime_ns for path in (project.path / ".git").rglob("*")}

    before = git_states()
    events(live)
    live.diff.all()
    assert git_states() == before
    assert not project.marker.exists()


def test_names_from_elsewhere_are_not_followed(project, begun):
    """A name that leads upwards, or through a link, shows nothing of what lies there."""
    (project.room / "secret").write_text("secret\n")
    (project.path / "out").symlink_to(project.room)
    live = begun(project)
    for name in ("../secret", "out/secret", str(project.room / "secret"), "a\0b"):
        diff = live.diff.of(name)
        assert (diff.hunks, diff.what) == ((), "same")


def test_odd_names(project, begun):
    """A name that is no text is found by the letters it is shown with."""
    live = begun(project)
    project.write("\udcff.txt", "odd\n")
    events(live)
    assert lines(live, "\ufffd.txt") == ["+odd"]


def test_the_copies_are_private_and_go_at_the_end(project, begun, state):
    """What is copied is for the user alone, and nothing is left of it when the watch ends."""
    project.write("untracked.txt", "untracked\n")
    live = begun(project)
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
