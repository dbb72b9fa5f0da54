"""Keeping on disk what came through a pipe."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from monitor.errors import MonitorError
from monitor.streams.spool import Spool


def test_only_its_owner_can_read_it(tmp_path):
    """The folder is made for its owner alone, and so is the file; it goes when it is closed."""
    folder = tmp_path / "state" / "spool"
    spool = Spool(folder, reserve=0)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(spool.path.stat().st_mode) == 0o600
    spool.close()
    spool.close()
    assert list(folder.iterdir()) == []


def test_what_is_appended_is_read_back(tmp_path):
    """Any span of what was kept, cut at its end; the file holds just that."""
    spool = Spool(tmp_path, reserve=0)
    assert spool.append(b"0123") == 4
    assert spool.append(b"456789") == 6
    assert spool.size == 10
    assert spool.read_at(2, 5) == b"23456"
    assert spool.read_at(8, 5) == b"89"
    assert spool.read_at(10, 5) == spool.read_at(99, 5) == spool.read_at(-1, 5) == b""
    assert spool.path.read_bytes() == b"0123456789"
    spool.close()
    assert spool.read_at(0, 5) == b""


def test_a_system_that_takes_less_than_it_is_given(tmp_path, monkeypatch):
    """Short writes are carried on."""
    spool = Spool(tmp_path, reserve=0)
    plain = os.pwrite
    monkeypatch.setattr("os.pwrite", lambda descriptor, data, offset: plain(descriptor, data[:3], offset))
    assert spool.append(b"01234567") == 8
    assert spool.read_at(0, 9) == b"01234567"
    spool.close()


def test_it_is_kept_when_asked(tmp_path):
    """A spool that is the only record of a run stays."""
    spool = Spool(tmp_path, keep=True, reserve=0)
    spool.append(b"x")
    spool.close()
    assert spool.path.read_bytes() == b"x"


def test_free_space_is_left_to_others(tmp_path):
    """Below the reserve nothing is kept, and it is said how much is free; with space again it goes on."""
    spool = Spool(tmp_path, reserve=1 << 62)
    assert spool.append(b"x") == 0
    assert spool.problem.startswith("what comes through the pipe cannot be kept: only ")
    assert spool.size == 0
    spool._reserve = 0
    assert spool.append(b"x") == 1
    assert spool.problem == ""
    spool.close()


def test_a_file_that_may_grow_no_further(tmp_path):
    """A write that the system cuts off keeps what it took, and is a problem, not an exception."""
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from monitor.streams.spool import Spool\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "spool = Spool(Path(sys.argv[1]), reserve=0)\n"
        "print(spool.append(b'x' * 600), spool.problem or 'none', sep='|')\n"
        "print(spool.append(b'x' * 600), spool.problem or 'none', sep='|')\n"
        "print(spool.append(b'x' * 600), spool.size, len(spool.read_at(0, 2000)), sep='|')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False)
    problem = "what comes through the pipe cannot be kept: File too large"
    assert done.stdout.splitlines() == ["600|none", f"400|{problem}", "0|1000|1000"], done.stderr


def test_a_folder_that_cannot_be_made(tmp_path):
    """The user is told which folder, and why."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MonitorError, match=r"cannot be kept in '.*file/spool': Not a directory"):
        Spool(tmp_path / "file" / "spool")


def test_a_closed_spool_keeps_nothing(tmp_path):
    """Whoever appends after the end is told so, and writes into no other file."""
    spool = Spool(tmp_path, reserve=0)
    spool.close()
    assert spool.append(b"x") == 0
    assert "Bad file descriptor" in spool.problem
