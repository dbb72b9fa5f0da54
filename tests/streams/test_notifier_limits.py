"""What wakes a waiting thread though the kernel gives no notice, or not of everything."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys

import pytest
from noticed import no_kernel, settle

from monitor.streams import limits, notify
from monitor.streams.notify import Notifier

LONG = 20.0
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


def test_looking_that_takes_long_is_done_less_often(tmp_path, monkeypatch):
    """Polling takes at most a twentieth of the time, however slow the file system."""
    monkeypatch.setattr(notify, "Kernel", no_kernel)
    one = Notifier()
    one.watch(tmp_path / "log")
    times = iter([100.0, 103.0])
    monkeypatch.setattr(notify.time, "monotonic", lambda: next(times))
    assert not one._polled_changed()
    assert one._due == pytest.approx(160.0)


@linux_only
def test_notices_that_were_dropped(tmp_path):
    """When the kernel drops notices, something may have changed: the wait ends."""
    one = Notifier()
    one.watch(tmp_path / "log")
    assert one._kernel
    assert one._kernel._concerns(-1, 0x4000, "")
    assert one._kernel.shaken
    one.close()


@linux_only
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the limit fs.inotify.max_user_watches = "),
        (errno.EACCES, "no notice of some changes (Permission denied)"),
    ],
)
def test_a_folder_the_kernel_will_not_watch(tmp_path, monkeypatch, number, words):
    """It is looked at every 250 ms, the reason is said, and the others are watched as before."""
    monkeypatch.setattr(notify, "_INTERVAL", 0.01)
    (tmp_path / "watched").write_bytes(b"")
    one = Notifier()
    one.watch(tmp_path / "watched")
    assert one._kernel
    plain = one._kernel.add

    def refuse(*_arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(one._kernel, "add", refuse)
    one.watch(tmp_path / "looked at")
    assert one.problem.startswith(words)
    assert "changes are looked for every 250 ms" in one.problem
    (tmp_path / "watched").write_bytes(b"x")
    assert one.wait(LONG)
    settle(one)
    (tmp_path / "looked at").write_bytes(b"x")
    assert one.wait(LONG)
    monkeypatch.setattr(one._kernel, "add", plain)
    (tmp_path / "looked at").write_bytes(b"xy")
    assert one.wait(LONG)
    assert one._polled == {}
    assert one.problem == ""
    one.close()


_LIMITED = """
import resource, sys
from pathlib import Path
from monitor.streams.notify import Notifier
folder = Path(sys.argv[1])
one = Notifier()
one.watch(folder / "log")
print(one.problem)
(folder / "log").write_bytes(b"x")
print(one.wait(20))
one.close()
"""


@linux_only
@pytest.mark.parametrize("limit", ["watches", "instances"])
def test_the_limits_of_the_kernel(tmp_path, limit):
    """In a user namespace that may have no watches, or instances, polling takes over and names the figure."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    # /proc/sys/user is the namespace's own: nothing outside it is changed
    order = f'echo 0 > /proc/sys/user/max_inotify_{limit} || exit 99; exec "$0" -c "$1" "$2"'
    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", order, sys.executable, _LIMITED, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr or done.returncode == 99:
        pytest.skip("user namespaces are not permitted here")
    problem, woken = done.stdout.splitlines()
    assert problem.startswith(f"the limit user.max_inotify_{limit} = 0 is reached: changes are looked for every 250 ms")
    assert problem.endswith(f"raise it with `sysctl user.max_inotify_{limit}=NUMBER`")
    assert woken == "True"


@linux_only
def test_a_process_that_may_open_no_more_files(tmp_path):
    """The limit of the process is not taken for one of the kernel."""
    script = _LIMITED.replace(
        "one = Notifier()", "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\none = Notifier()"
    )
    script = script.replace('(folder / "log").write_bytes(b"x")', "one.wake()")
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "this process may open no more files (`ulimit -n`): changes are looked for every 250 ms instead",
        "True",
    ], done.stderr


def test_the_figure_of_a_limit(tmp_path, monkeypatch):
    """The smaller limit is named, the machine's where they are equal; one that cannot be read is called unknown."""
    monkeypatch.setattr(limits, "_SYSCTL", tmp_path)
    full = OSError(errno.ENOSPC, "")
    assert "the limit fs.inotify.max_user_watches = unknown is reached" in limits.explain(full, "watches", "late")
    for folder, name, figure in (("fs/inotify", "max_user_watches", 8192), ("user", "max_inotify_watches", 8192)):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name).write_text(f"{figure}\n")
    assert "`sysctl fs.inotify.max_user_watches=NUMBER`" in limits.explain(full, "watches", "late")
    (tmp_path / "user" / "max_inotify_watches").write_text("10\n")
    assert "the limit user.max_inotify_watches = 10 is reached" in limits.explain(full, "watches", "late")


@pytest.fixture
def told(tmp_path):
    """One that the kernel gives notice to, and a log that it watches."""
    if sys.platform != "linux":
        pytest.skip("inotify is Linux's")
    one, log = Notifier(), tmp_path / "log"
    log.write_bytes(b"")
    one.watch(log)
    settle(one)
    yield one, log
    one.close()


def test_what_is_written_to_neighbours_wakes_nobody(told):
    """Twenty logs in one folder: an append to another is not even told by the kernel, one to the watched one is, once."""
    one, log = told
    for number in range(20):
        log.with_name(f"other{number}").write_bytes(b"")
    settle(one)
    for number in range(20):
        log.with_name(f"other{number}").write_bytes(b"more")
    assert one._kernel._instance.wait(0) == (False, False)
    log.write_bytes(b"x")
    assert one.wait(LONG)
    assert one._kernel._instance.wait(0) == (False, False)


def test_a_log_that_is_put_away_again_and_again(told):
    """Each new file of the name is watched; those put away, which live on, are not."""
    one, log = told
    for number in range(30):
        log.rename(log.with_name(f"log.{number}"))
        log.write_bytes(b"")
        settle(one)
        with log.open("ab") as file:
            file.write(b"x")
        assert one.wait(LONG)
        settle(one)
        assert len(one._kernel._names) == 2
    log.with_name("log.3").write_bytes(b"more")
    assert not one.wait(0.05)


def test_a_file_that_may_not_be_watched_itself(told, monkeypatch):
    """Where the kernel gives no notice of the file, it is noticed through its folder."""
    one, log = told
    other = log.with_name("other")
    other.write_bytes(b"")
    real = one._kernel._instance.watch

    def refuse(path, mask):
        if path == other:
            raise PermissionError(13, "Permission denied")
        return real(path, mask)

    monkeypatch.setattr(one._kernel._instance, "watch", refuse)
    one.watch(other)
    settle(one)
    assert not one.problem
    with other.open("ab") as file:
        file.write(b"x")
    assert one.wait(LONG)
