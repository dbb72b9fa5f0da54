"""Heads and tails of many files, and the folders they lie in: read once, and again only where something changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from monitor.agents.folders import Folders
from monitor.finding.ends import FileEnds


def opened():
    return len(list(Path("/proc/self/fd").iterdir()))


def tell(head, tail):
    return head[:3], tail[-3:]


def test_many_files_are_told_in_their_order(tmp_path):
    """More than are opened at once; what is gone or no file is left out, and no descriptor stays open."""
    paths = [tmp_path / f"{number:03}" for number in range(150)]
    for number, path in enumerate(paths):
        path.write_text(f"{number:03}" + "x" * 20_000 + f"{number:03}")
    paths[70].unlink()
    paths[71].unlink()
    paths[71].mkdir()
    before = opened()
    found = list(FileEnds().of_all(paths, tell))
    assert [path for path, _, _ in found] == [path for number, path in enumerate(paths) if number not in (70, 71)]
    assert all(told == (path.name.encode(), path.name.encode()) for path, told, _ in found)
    assert opened() == before


def test_a_file_that_took_the_place_of_another_is_read(tmp_path):
    """Of the same size and time, but another: told by its inode. One that is gone is not told any more."""
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_text("one")
    other.write_text("two")
    os.utime(path, ns=(10**18, 10**18))
    os.utime(other, ns=(10**18, 10**18))
    ends = FileEnds()
    assert ends.of(path, tell) == ((b"one", b"one"), 1e9)
    other.replace(path)
    assert ends.of(path, tell) == ((b"two", b"two"), 1e9)
    path.unlink()
    assert ends.of(path, tell) is None


def test_what_throws_leaves_nothing_open(tmp_path):
    """A fault of a plug-in's own reading does not cost a descriptor each time."""
    paths = [tmp_path / str(number) for number in range(9)]
    for path in paths:
        path.write_text("x")

    def fail(head, tail):
        raise ValueError(head + tail)

    before = opened()
    with pytest.raises(ValueError, match="xx"):
        list(FileEnds().of_all(paths, fail))
    assert opened() == before


def test_a_folder_is_read_again_when_it_changed(tmp_path):
    """A new file shows at once, however fresh the folder is; one that stands still gives the very same paths."""
    folder = tmp_path / "p"
    folder.mkdir()
    folders = Folders(lambda name: name.endswith(".jsonl"))
    (folder / "note.txt").touch()
    assert list(folders.below(tmp_path)) == []
    for number in range(3):
        (folder / f"{number}.jsonl").touch()
        assert len(list(folders.below(tmp_path))) == number + 1
    os.utime(folder, ns=(10**18, 10**18))
    first = list(folders.below(tmp_path))
    assert all(one is two for one, two in zip(first, folders.below(tmp_path), strict=True))
    (folder / "3.jsonl").touch()
    assert len(list(folders.below(tmp_path))) == 4
    assert list(folders.below(tmp_path / "none")) == []


def test_what_only_grows_is_read_again_after_a_while(tmp_path):
    """Behind a head that is whole nothing is read for so long; what took its place, or was cut, is read at once."""
    path, now = tmp_path / "a", [100.0]
    ends = FileEnds(head=4, tail=3, clock=lambda: now[0])

    def told():
        return ends.of(path, tell, grown=10.0)[0]

    path.write_text("one")
    assert told() == (b"one", b"one")
    path.write_text("one more")
    assert told() == (b"one", b"ore"), "its head was not whole"
    path.write_text("one more word")
    assert told() == (b"one", b"ore")
    now[0] += 10
    assert told() == (b"one", b"ord")
    path.write_text("two wo")
    assert told() == (b"two", b" wo")
    (tmp_path / "b").write_text("another file")
    (tmp_path / "b").replace(path)
    assert told() == (b"ano", b"ile")
