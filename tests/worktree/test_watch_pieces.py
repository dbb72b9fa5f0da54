"""The pieces of the watch by themselves: pace, look-ups, rules and disks."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.worktree import mounts
from monitor.worktree.counting import Counting, Scope
from monitor.worktree.fingerprint import measure
from monitor.worktree.folders import Folder
from monitor.worktree.listed import Listed
from monitor.worktree.lookout import Lookout
from monitor.worktree.notices import Notices
from monitor.worktree.pace import Pace
from monitor.worktree.reach import folder_at, read_at, status_at

HERE = Folder("", Scope())


def test_what_is_written_is_looked_at_once_it_is_whole():
    """A file is looked at when its writer closed it, and after a while where nobody does."""
    pace = Pace()
    pace.stirred(HERE, "a", 10.0, ended=False)
    assert pace.take(10.1) == []
    pace.stirred(HERE, "a", 10.1, ended=True)
    assert pace.take(10.1) == [(HERE, "a")]
    pace.stirred(HERE, "b", 11.0, ended=False)
    pace.stirred(HERE, "b", 11.2, ended=False)
    assert pace.next() == 11.25
    assert pace.take(11.25) == [(HERE, "b")]
    assert pace.next() is None


def test_a_file_that_never_rests_is_looked_at_seldom():
    """Written a hundred times a second for a minute, a file is looked at a few dozen times; another one is not kept waiting."""
    pace, looks, now = Pace(), 0, 0.0
    while now < 60:
        pace.stirred(HERE, "log", now, ended=True)
        looks += len(pace.take(now))
        now += 0.01
    assert 30 <= looks <= 40
    pace.stirred(HERE, "other", now, ended=True)
    assert pace.take(now) == [(HERE, "other")]


def test_a_file_that_comes_to_rest_is_looked_at_at_once_again():
    """After a pause a file counts as any other; its last change is never left out."""
    pace = Pace()
    for step in range(2_000):
        pace.stirred(HERE, "log", step * 0.01, ended=True)
        pace.take(step * 0.01)
    last = pace.next()
    assert last is not None
    assert pace.take(last) == [(HERE, "log")]
    pace.stirred(HERE, "log", 100.0, ended=True)
    assert pace.take(100.0) == [(HERE, "log")]


def test_in_a_hurry():
    """When everything is to be told now, nothing waits for its turn."""
    pace = Pace()
    pace.stirred(HERE, "a", 10.0, ended=False)
    pace.hurry(10.0)
    assert pace.take(10.0) == [(HERE, "a")]


PATHS = st.lists(st.text("ab/.-", min_size=1, max_size=8).map(str.encode), unique=True, max_size=30).map(sorted)


@settings(deadline=None, max_examples=100)
@given(PATHS, st.text("ab/.-", min_size=1, max_size=8).map(str.encode))
def test_look_ups_in_a_measurement(paths, wanted):
    """Every path of a measurement is found, no other is, and so are all paths below a folder."""
    listed = Listed(b"\0".join(b"H 100644 %040x 0\t%s" % (number, path) for number, path in enumerate(paths)))
    assert [int(listed.get(path).id, 16) for path in paths] == list(range(len(paths)))
    assert (listed.get(wanted) is not None) == (wanted in paths)
    assert list(listed.below(wanted)) == [path for path in paths if path.startswith(wanted + b"/")]
    assert listed.any_below(wanted) == any(path.startswith(wanted + b"/") for path in paths)
    assert len(listed) == len(paths)


def test_the_rules_agree_with_git(project):
    """What counts by the rules is what git itself lists, in every folder and whatever the rules say."""
    project.write(".gitignore", "*.log\nbuild/\n/top\ndeep/**/x\n!keep.log\n")
    project.write("deep/.gitignore", "/here\n!/a.log\n")
    project.write(".git/info/exclude", "excluded\n")
    names = ("a.log", "keep.log", "top", "deep/top", "deep/here", "deep/y/here", "deep/y/x", "deep/a.log", "excluded",
             "build/a", "deep/build/a", "plain")  # fmt: skip
    for name in names:
        project.write(name, "x")
    counting = Counting(project.path)
    listed = Listed(measure(project.path).entries)

    def counts(name):
        scope, place = counting.top(), ""
        *folders, last = name.split("/")
        for folder in folders:
            place = f"{place}{folder}"
            if scope.hides(place.encode(), folder=True):
                return False
            scope = counting.within(scope, place.encode())
            place += "/"
        return not scope.hides((place + last).encode(), folder=False)

    assert {name: counts(name) for name in names} == {name: listed.get(name.encode()) is not None for name in names}


@pytest.mark.parametrize("path", ["../secret", "src/../../secret", "..", "out/secret", "/etc/hostname"])
def test_nothing_outside_is_reached(project, path):
    """Neither upwards, nor through a link, nor by an absolute path is anything reached outside the folder."""
    (project.room / "secret").write_text("secret\n")
    (project.path / "out").symlink_to(project.room)
    for reach in (status_at, lambda top, path: read_at(top, path, 100)):
        with pytest.raises(OSError):  # noqa: PT011 - of many kinds
            reach(str(project.path), path)


def test_a_folder_is_reached_part_by_part(project):
    """A link in the middle of a path leads nowhere, even to a folder within."""
    (project.path / "alias").symlink_to("src")
    with pytest.raises(OSError), folder_at(str(project.path), "alias"):  # noqa: PT011 - of many kinds
        pass


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/share/p", "nfs4"),
        ("/srv/sharing", ""),
        ("/mnt/host dir/p", "9p"),
        ("/home/u", ""),
        ("/home/u/s", "fuse.sshfs"),
    ],
)
def test_remote_disks(tmp_path, monkeypatch, folder, kind):
    """The disk a folder lies on is told by the nearest mount above it; only remote ones matter."""
    table = tmp_path / "mountinfo"
    table.write_text(
        "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
        "40 22 0:40 / /srv/share rw shared:2 - nfs4 server:/share rw\n"
        "41 22 0:41 / /mnt/host\\040dir rw - 9p host rw\n"
        "42 22 0:42 / /home rw - btrfs /dev/sdb rw\n"
        "43 42 0:43 / /home/u/s rw - fuse.sshfs other:/ rw\n"
        "damaged line\n"
    )
    monkeypatch.setattr(mounts, "_TABLE", table)
    assert mounts.remote(tmp_path.__class__(folder)) == kind
    monkeypatch.setattr(mounts, "_TABLE", tmp_path / "missing")
    assert mounts.remote(tmp_path.__class__(folder)) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_a_folder_that_nobody_looks_at_is_asked_for_less_often(tmp_path, monkeypatch):
    """So many times less often; once somebody looks again the wait ends, and is as short as before."""
    waits = []
    lookout = Lookout(tmp_path)
    lookout.open()
    monkeypatch.setattr(Notices, "wait", lambda _, timeout: waits.append(round(timeout)))
    for slowed in (1, 6, 1):
        lookout.slow(slowed)
        lookout.wait()
    assert waits == [3, 18, 3]
    woken = []
    monkeypatch.setattr(Notices, "wake", lambda _: woken.append(1))
    for slowed in (1, 6, 6, 2):
        lookout.slow(slowed)
    assert woken == [1]
    lookout.close()
