"""Reading git's index without git, in each of its versions."""

from __future__ import annotations

import hashlib
import os
import subprocess

import pytest

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitindex import recent, without_folders


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_paths_and_times_are_those_that_git_lists(folder, version, algorithm):
    """Every path comes with the time of its last change, long and odd names and flags included."""
    for name in ("a", "deep/er/b.txt", "deep/er/c.txt", "n" * 200 + "/" + "m" * 200, os.fsdecode(b"\xff")):
        folder.write(name, "content\n")
    folder.git("init", "-q", f"--object-format={algorithm}")
    folder.git("add", "-A")
    folder.git("update-index", "--index-version", version)
    folder.git("update-index", "--skip-worktree", "a")
    data = (folder.path / ".git/index").read_bytes()
    found = recent(data, algorithm, 0)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder.path, capture_output=True, check=True).stdout
    assert list(found) == listed.split(b"\0")[:-1]
    for name, changed in found.items():
        assert changed == (folder.path / os.fsdecode(name)).lstat().st_ctime_ns
    latest = max(found.values())
    assert latest in recent(data, algorithm, latest // 1_000_000_000).values()
    assert recent(data, algorithm, latest // 1_000_000_000 + 1) == {}


def test_very_long_names_are_read(folder):
    """A name longer than its length field can say is read to its end."""
    name = "/".join(["n" * 200] * 21)
    folder.git("init", "-q")
    blob = folder.git("hash-object", "-w", "a.txt").strip()
    folder.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    folder.git("add", "a.txt")
    assert list(recent((folder.path / ".git/index").read_bytes(), "sha1", 0)) == [b"a.txt", name.encode()]


def test_an_index_without_folders_is_left_as_it_is(project):
    """Only a sparse index is written anew."""
    data = (project.path / ".git/index").read_bytes()
    assert without_folders(data, "sha1") is data


@pytest.mark.parametrize("version", [b"\0\0\0\2", b"\0\0\0\4"])
@pytest.mark.parametrize("rest", [b"", b"\0" * 70, b"\xff" * 70, b"sdir\0\0\0\0"])
def test_a_damaged_index_is_told(version, rest):
    """An index that promises more entries than it holds is damaged, whatever its bytes."""
    data = b"DIRC" + version + b"\0\0\xff\xff" + rest
    data += hashlib.sha1(data).digest()
    for read in (lambda: recent(data, "sha1", 0), lambda: without_folders(data + b"sdir\0\0\0\0", "sha1")):
        with pytest.raises(MeasureError):
            read()
