"""What is told of a folder while it changes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time

from gathered import one, told

from monitor.worktree.watch import Watcher


def digest(data):
    return hashlib.sha256(data).hexdigest()


def test_an_edit_is_told_with_digests_and_time(watcher, project):
    """A changed file is told with what it holds, when it changed, and the folder it is relative to."""
    before = time.time()
    project.write("src/app.py", "print('new')\n")
    event = one(watcher)
    assert (event.file, event.what, event.after) == ("src/app.py", "modified", digest(b"print('new')\n"))
    assert before - 0.1 <= event.at <= time.time()
    assert event.folder == str(project.path)
    project.write("src/app.py", "print('newer')\n")
    assert one(watcher).before == event.after


def test_what_happens_to_files(watcher, project):
    """Created, deleted, another mode, a link led elsewhere: each is told as what it is."""
    project.write("new.txt", "new\n")
    (project.path / "README.md").unlink()
    (project.path / "src/app.py").chmod(0o755)
    (project.path / "src/link").unlink()
    (project.path / "src/link").symlink_to("run.sh")
    assert told(watcher) == {
        "new.txt": "created",
        "README.md": "deleted",
        "src/app.py": "mode",
        "src/link": "modified",
    }


def test_a_move_is_told_at_both_ends(watcher, project):
    """The old name has moved, the new one was created; so too for all that lies in a folder."""
    (project.path / "README.md").rename(project.path / "docs/README.md")
    assert told(watcher) == {"README.md": "moved", "docs/README.md": "created"}
    (project.path / "src").rename(project.path / "lib")
    assert told(watcher) == {
        "src/app.py": "moved", "src/run.sh": "moved", "src/link": "moved",
        "lib/app.py": "created", "lib/run.sh": "created", "lib/link": "created",
    }  # fmt: skip


def test_a_folder_that_moves_keeps_the_times_within(watcher, project):
    """A file that comes with a moved folder came when the folder did, however old its own times are."""
    outside = project.room / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep/old.txt").write_text("old\n")
    while time.time() < (outside / "deep/old.txt").stat().st_ctime + 1.2:
        time.sleep(0.05)
    moved = time.time()
    outside.rename(project.path / "came")
    assert one(watcher).at >= moved - 0.1


def test_what_is_no_change_is_not_told(watcher, project):
    """The same bytes again, a touch, an ignored file, an empty folder, a commit: none of them changes a file."""
    project.write("src/app.py", (project.path / "src/app.py").read_bytes())
    os.utime(project.path / "README.md")
    project.write("ignored.log", "more\n")
    project.write("build/deep/out.o", "object\n")
    (project.path / "empty").mkdir()
    project.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert told(watcher) == {}


def test_a_file_replaced_as_editors_do(watcher, project):
    """Written beside and put in its place, a file is modified; the file beside is not told."""
    project.write("src/.app.py.swp", "print('atomic')\n")
    (project.path / "src/.app.py.swp").rename(project.path / "src/app.py")
    assert told(watcher) == {"src/app.py": "modified"}


def test_a_file_that_comes_and_goes_unseen(watcher, project):
    """What was created and deleted between two looks was never there."""
    for number in range(20):
        project.write(f"temporary{number}", "x")
        (project.path / f"temporary{number}").unlink()
    assert not [file for file, what in told(watcher).items() if what == "deleted"]


def test_tracked_though_ignored(watcher, project):
    """A tracked file counts though a rule hides it, as it does for the measurement."""
    project.write("kept.log", "other\n")
    assert told(watcher) == {"kept.log": "modified"}


def test_nothing_is_left_on_what_is_read(watcher, project):
    """Watching and reading change no time of any file or folder, that of access included; links alone cannot be spared."""
    project.write("src/app.py", "changed\n")
    paths = [project.path, *project.path.rglob("*")]
    for path in paths:
        status = path.lstat()
        os.utime(path, ns=(1_000_000_000, status.st_mtime_ns), follow_symlinks=False)
    watcher.settle()
    project.write("src/new.py", "new\n")
    watcher.settle()
    known = [path for path in paths if ".git" not in path.parts]
    assert [path for path in known if path.lstat().st_atime_ns != 1_000_000_000 and not path.is_symlink()] == []


def test_another_process_writes(watcher, project):
    """What any other process writes is told, and `wake` is called for it."""
    code = "import sys; open(sys.argv[1], 'w').write('by another\\n')"
    subprocess.run([sys.executable, "-c", code, str(project.path / "src/app.py")], check=True)
    assert one(watcher).after == digest(b"by another\n")


def test_a_file_kept_open(watcher, project):
    """A file that is written and never closed is told all the same."""
    with (project.path / "README.md").open("a") as kept:
        kept.write("more\n")
        kept.flush()
        assert told(watcher) == {"README.md": "modified"}


def test_told_as_it_happens(project):
    """Whoever waits is woken by a change, without asking."""
    import threading

    woken = threading.Event()
    watcher = Watcher(project.path, wake=woken.set)
    watcher.begin()
    watcher.settle()
    woken.clear()
    project.write("README.md", "changed\n")
    assert woken.wait(10)
    assert [event.file for event in watcher.changes()] == ["README.md"]
    watcher.close()
    watcher.close()
