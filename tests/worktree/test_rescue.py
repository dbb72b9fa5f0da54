"""Versions that were overwritten: kept, listed, shown, and brought back."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time

import pytest
from overwriting import overwrite, watches

from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.worktree import cabinet, copies
from monitor.worktree.fingerprint import measure
from monitor.worktree.rescue import rescued, restore


@pytest.fixture
def root(private_home):
    """Where versions are kept."""
    return state_folder("rescue")


@pytest.fixture
def begun(project, root):
    """Begins to watch the project, and ends it."""
    with watches(project) as begin:
        yield begin


def test_what_was_overwritten_outlives_the_run(begun, project, root):
    """The version is kept when the run ends, with when it came to be so and what overwrote it."""
    live = begun()
    first, second = overwrite(live, project)
    live.close()
    (one,) = rescued(root)
    assert one.data() == b"by another hand\n"
    assert one.path == project.path / "README.md"
    assert (one.entry.by, one.entry.size, one.about.run) == ("Write", 16, "the run")
    assert (one.entry.changed, one.entry.overwritten) == (first.at, second.at)


def test_told_twice_it_is_kept_once(begun, project, root):
    """A version told again is not listed again; another overwriting of the file is."""
    live = begun()
    _, second = overwrite(live, project)
    live.rescue("README.md", second.before, changed=1.0, overwritten=second.at, by="Write")
    overwrite(live, project, outside="once more\n", agents="again\n")
    assert [one.data() for one in rescued(root)] == [b"once more\n", b"by another hand\n"]


def test_a_version_nobody_saw(begun, project, root):
    """Where the version was gone before it was seen, it is listed with the reason."""
    live = begun()
    live.rescue("README.md", "", changed=1.0, overwritten=2.0, by="Write")
    live.rescue("README.md", "0" * 64, changed=1.0, overwritten=3.0, by="Write")
    found = rescued(root)
    assert [one.data() for one in found] == [None, None]
    assert "nobody saw it before it was overwritten" in found[0].entry.lost
    with pytest.raises(MonitorError, match="not kept"):
        restore(found[0], project.path / "README.md", root, 4.0)


def test_it_is_for_the_user_alone(begun, project, root):
    """Folders that nobody else may look into, files that nobody else may read."""
    live = begun()
    overwrite(live, project)
    live.close()
    paths = [root, *root.rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()} == {0o600}


def test_the_oldest_make_room(begun, project, root, monkeypatch):
    """Beyond the bound of a run the oldest versions go, those that were overwritten last of all."""
    monkeypatch.setattr(copies, "MOST", 3 << 20)
    live = begun()
    overwrite(live, project, outside="a" * 900_000)
    for number in range(6):
        project.write("other.txt", f"{number}" * 900_000)
        live.settle()
    assert rescued(root)[0].data() == b"a" * 900_000
    for letter in "bcd":
        overwrite(live, project, outside=letter * 900_000)
    assert [one.data() and one.data()[:1] for one in rescued(root)] == [b"d", b"c", b"b", None]


def test_bringing_back(begun, project, root):
    """The file holds the version again, with the mode it has now; what stood there is kept as a version itself."""
    live = begun()
    overwrite(live, project)
    live.close()
    path = project.path / "README.md"
    path.chmod(0o755)
    (one,) = rescued(root)
    assert restore(one, path, root, 5e9)
    assert path.read_text() == "by another hand\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    newest, _ = rescued(root)
    assert (newest.data(), newest.path, newest.entry.by) == (b"by the agent\n", path, "monitor rescue")
    assert not restore(one, path, root, 5e9)
    assert restore(newest, path, root, 6e9)
    assert path.read_text() == "by the agent\n"


def test_bringing_back_writes_nothing_else(begun, project, root):
    """Only the named file is another afterwards; nothing is left beside it."""
    live = begun()
    overwrite(live, project)
    live.close()
    before = measure(project.path).entries
    (one,) = rescued(root)
    restore(one, project.room / "copy.md", root, 5e9)
    assert (project.room / "copy.md").read_text() == "by another hand\n"
    assert measure(project.path).entries == before
    restore(one, project.path / "README.md", root, 5e9)
    names = {path.name for path in project.path.iterdir()}
    assert names == {"README.md", "src", "docs", "kept.log", ".gitignore", ".git", "ignored.log"}


@pytest.mark.parametrize("what", ["link", "folder", "pipe", "missing folder"])
def test_what_is_never_written_over(begun, project, root, what):
    """A link, a folder, anything but a file is left as it is, and another path is asked for."""
    live = begun()
    overwrite(live, project)
    live.close()
    path = project.path / "README.md"
    path.unlink()
    if what == "link":
        path.symlink_to("src/app.py")
    elif what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path = project.path / "missing/README.md"
    (one,) = rescued(root)
    with pytest.raises(MonitorError, match="--to"):
        restore(one, path, root, 5e9)
    assert (project.path / "src/app.py").read_text() == "print('app')\n"


def test_a_folder_that_cannot_be_written(begun, project, root):
    """Where the file cannot be replaced nothing has changed."""
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    live = begun()
    overwrite(live, project)
    live.close()
    project.path.chmod(0o500)
    try:
        (one,) = rescued(root)
        with pytest.raises(MonitorError, match="Permission denied"):
            restore(one, project.path / "README.md", root, 5e9)
    finally:
        project.path.chmod(0o700)
    assert (project.path / "README.md").read_text() == "by the agent\n"


def test_what_a_killed_monitor_left(begun, project, root):
    """Copies of a watch that was killed are cleared away by the next; its rescued versions stay."""
    script = """
import os, sys
from pathlib import Path
from monitor.config import state_folder
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder
folder = Path(sys.argv[1])
for file in ("", "README.md"):
    live = LiveFolder(folder, run="killed", state=state_folder())
    live.begin()
    live.settle()
    live.reconcile(measure(folder))
    (folder / "README.md").write_text("seen " + file)
    live.settle()
    if file:
        live.rescue(file, live.changes()[-1].after, changed=1.0, overwritten=2.0, by="Write")
os.kill(os.getpid(), 9)
"""
    project.write("untracked.txt", "copied at the start\n")
    subprocess.run([sys.executable, "-c", script, str(project.path)], check=False)
    assert len(list(root.iterdir())) == 2
    begun()
    killed = [path for path in root.iterdir() if "killed" in path.name]
    assert [[part.name for part in path.iterdir() if part.is_dir()] for path in killed] == [["versions"]]
    assert rescued(root)[0].data() == b"seen README.md"


def test_a_watch_under_way_is_left_alone(begun, project, root):
    """A second watch clears nothing of one that still runs."""
    live = begun()
    overwrite(live, project)
    project.write("README.md", "a version on its way\n")
    live.settle()
    (event,) = live.changes()
    begun()
    live.rescue("README.md", event.after, changed=1.0, overwritten=9e9, by="Write")
    assert rescued(root)[0].data() == b"a version on its way\n"


def test_the_oldest_cabinets_go(begun, project, root, monkeypatch):
    """Beyond the bound of all runs the oldest cabinets go, but none of the last day."""
    monkeypatch.setattr(cabinet, "_MOST", 10)
    live = begun()
    overwrite(live, project)
    live.close()
    begun().close()
    (one,) = rescued(root)
    os.utime(one.place, (1.0, 1.0))
    begun().close()
    assert rescued(root) == []


def test_damaged_records(begun, project, root):
    """Entries that are none, digests that lead elsewhere, contents that were tampered with: nothing is believed."""
    live = begun()
    overwrite(live, project)
    live.close()
    (one,) = rescued(root)
    entries = one.place / "entries.jsonl"
    good = json.loads(entries.read_text())
    rows = [{**good, "digest": "../../../secret"}, {**good, "file": "a\0b"}, {**good, "size": "x"}, [1], {}]
    entries.write_text("".join(json.dumps(row) + "\n" for row in rows) + "not json\n" + entries.read_text())
    assert rescued(root) == [one]
    (one.place / "versions" / one.entry.digest).write_text("tampered\n")
    assert one.data() is None
    (one.place / "about.json").write_text("[]")
    (root / "stray file").write_text("x")
    assert rescued(root) == []


def test_the_story_of_two_writers(begun, project, root):
    """A second process edits a file, the agent overwrites it at once: the version between is kept."""
    live = begun()
    code = "import sys; open(sys.argv[1], 'w').write('precious work\\n')"
    subprocess.run([sys.executable, "-c", code, str(project.path / "README.md")], check=True)
    end = time.monotonic() + 20
    outside = []
    while not outside:
        outside = live.changes()
        assert time.monotonic() < end
    project.write("README.md", "overwritten\n")
    live.settle()
    (event,) = live.changes()
    live.rescue("README.md", event.before, changed=outside[0].at, overwritten=event.at, by="Write")
    assert rescued(root)[0].data() == b"precious work\n"
