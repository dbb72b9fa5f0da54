"""Following large logs and long lines."""

from __future__ import annotations

import subprocess
import sys

from followed import follow


def test_a_large_log_comes_in_steps(tmp_path):
    """One read gives about as many bytes as it is asked for."""
    log = tmp_path / "log"
    log.write_bytes(b"x" * 99 + b"\n")
    log.write_bytes(log.read_bytes() * 1000)
    follower = follow(log)
    assert len(follower.read(10_000)) == 100
    assert not follower.at_end
    assert len(follower.read(10_000)) == 100
    while not follower.at_end:
        follower.read(10_000)
    assert follower.bytes == 100_000


def test_a_read_goes_on_until_a_line_has_ended(tmp_path):
    """None means that there is nothing more now, even where one line is longer than the limit."""
    log = tmp_path / "log"
    log.write_bytes(b"x" * 5000 + b"\n" + b"y" * 5000 + b"\n")
    assert [one.length for one in follow(log).read(10)] == [5001]


def test_a_line_of_100_megabytes(tmp_path):
    """It comes whole, whether it is read while it grows or afterwards."""
    log = tmp_path / "log"
    follower = follow(log)
    with log.open("wb", buffering=0) as growing:
        for _ in range(50):
            growing.write(b"x" * 2_000_000)
            assert follower.read() == []
        growing.write(b"\n{}\n")
    long, short = follower.read()
    assert (long.length, len(long.data), long.problem) == (100_000_001, 100_000_000, "")
    assert short.data == b"{}"
    assert [one.length for one in follow(log).read()] == [100_000_001, 3]


def test_a_line_beyond_the_cap(tmp_path):
    """It becomes a record with its true length and without data; its neighbours are whole."""
    log = tmp_path / "log"
    log.write_bytes(b"a\n" + b"x" * 5001 + b"\n" + b"y" * 5000 + b"\r\nz" + b"w" * 6000)
    follower = follow(log, cap=5001)
    a, x, y, z = follower.finish()
    assert (a.data, y.data) == (b"a", b"y" * 5000)
    assert (x.data, x.length, x.problem) == (b"x" * 5001, 5002, "")
    assert (z.data, z.length) == (b"", 6001)
    assert z.problem == "a line of 6,001 bytes is too long to hold (the limit is 5,001)"
    assert follower.bytes == log.stat().st_size


def test_a_line_beyond_the_cap_is_read_in_bounded_memory(tmp_path):
    """Half a gigabyte without a line end is counted, not held."""
    log = tmp_path / "log"
    with log.open("wb") as sparse:
        sparse.truncate(512 << 20)
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from monitor.streams.follow import Follower\n"
        "from monitor.streams.record import Input\n"
        "follower = Follower(Input(0, 'log', '', Path(sys.argv[1])), cap=8 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))\n"
        "(record,) = [*follower.read(), *follower.finish()]\n"
        "print(record.length, bool(record.problem), follower.bytes)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(log)], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(512 << 20), "True", str(512 << 20)], done.stderr
