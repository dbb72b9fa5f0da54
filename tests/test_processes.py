"""Who is who among the processes: by number, start and command, and what belongs to a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from process_trees import alive, begun, commands, tree
from waiting import until

from monitor.processes import identity, signals, table
from monitor.processes.family import Family
from monitor.processes.identity import ANOTHER, CHANGED, GONE, identify, ours, why_not_itself
from monitor.processes.signals import FOREIGN, OURS, deliver, ignores

pytestmark = pytest.mark.skipif(not table.PROC.joinpath("self/stat").exists(), reason="this kernel has no /proc")


def test_a_process_is_its_number_start_and_command():
    """The same three are the same process; another start is another process, though the number is the same."""
    with tree("sleep 300; :") as process:
        found = begun(process)
        assert why_not_itself(found) == ""
        assert why_not_itself(replace(found, started=found.started - 1)) == ANOTHER
        assert why_not_itself(replace(found, command="vi")) == CHANGED
        assert identify(process.pid, found.begun) == found
        assert identify(process.pid, found.begun - 60) is None


def test_a_number_taken_over_is_not_signalled():
    """A process that took over the number between the look and the signal goes on unharmed."""
    with tree("sleep 300; :") as process:
        before = replace(begun(process), started=1.0)
        assert deliver(before, signal.SIGKILL) == ANOTHER
        assert deliver(replace(begun(process), command="another"), signal.SIGKILL) == CHANGED
        assert alive(process.pid)


def test_without_descriptors_of_processes_it_is_as_careful(monkeypatch):
    """Where the kernel cannot hold a process, the same is verified, and the signal still arrives."""
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    with tree("sleep 300; :") as process:
        found = begun(process)
        assert deliver(replace(found, started=1.0), signal.SIGKILL) == ANOTHER
        assert deliver(found, signal.SIGKILL) == ""
        until(lambda: not alive(process.pid))


def test_one_that_has_ended_is_gone():
    """A process that has ended is gone, whether its parent has taken note or not."""
    with tree("exit 0") as process:
        found = identify(process.pid)
        until(lambda: not alive(process.pid))
        assert identify(process.pid) is None
        if found is not None:
            assert deliver(found, signal.SIGTERM) == GONE
        process.wait()
        assert identify(process.pid) is None
    assert identify(-1) is None
    assert identify(1 << 40) is None


def test_monitor_and_what_it_runs_in_are_never_signalled():
    """Neither this process nor any that it was started by is signalled, though it be verified."""
    assert {os.getpid(), os.getppid()} <= ours()
    for pid in (os.getpid(), os.getppid()):
        found = identify(pid)
        assert found is not None
        assert deliver(found, signal.SIGKILL) == OURS


def test_another_users_process_is_never_signalled(monkeypatch):
    """A process that runs as another user is left alone, whatever rights monitor has."""
    with tree("sleep 300; :") as process:
        foreign = replace(begun(process), owner=os.geteuid() + 1)
        assert deliver(foreign, signal.SIGKILL) == FOREIGN
        assert alive(process.pid)


def test_whether_a_signal_is_ignored():
    """Who ignores SIGINT is known before it is sent."""
    with tree("trap '' INT; sleep 300; :") as deaf, tree("sleep 300; :") as hears:
        until(lambda: ignores(deaf.pid, signal.SIGINT))
        assert ignores(hears.pid, signal.SIGINT) is False
        assert ignores(deaf.pid, signal.SIGTERM) is False
    assert ignores(1 << 40, signal.SIGINT) is None


def test_only_one_that_we_started_may_become_another_program():
    """A verified process that runs another program now is not signalled; our own child, known by its mark, is."""
    mark = "MONITOR_TEST_MARK=exec"
    with tree("sleep 0.5; exec sleep 300", mark=mark) as process:
        stranger, own = Family(begun(process)), Family(begun(process), mark)
        until(lambda: commands(own) == ["sleep 300"])
        assert deliver(stranger.look()[0].identity, signal.SIGTERM) == CHANGED
        assert deliver(own.look()[0].identity, signal.SIGTERM) == ""
        until(lambda: not alive(process.pid))


def test_a_command_is_shown_clean_and_short():
    """A hostile command line cannot drive a terminal, nor fill a screen."""
    words = [sys.executable, "-c", "import time; time.sleep(300)", "\x1b]0;x\x07\n" + "y" * 500]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as process:
        try:
            command = begun(process).command
            assert "\x1b" not in command
            assert "\n" not in command
            assert len(command) <= 200
        finally:
            process.kill()


def test_a_kernel_without_files_is_asked_through_psutil():
    """Where there is no /proc the same facts come from psutil."""
    with tree("sleep 300; :") as process:
        found, told = table.asked(process.pid), table.read(process.pid)
        assert found is not None
        assert told is not None
        assert (found.pid, found.parent, found.group, found.session) == (
            told.pid,
            told.parent,
            told.group,
            told.session,
        )
        os.kill(process.pid, signal.SIGSTOP)
        until(lambda: (now := table.asked(process.pid)) and now.state == "T")
    assert table.asked(1 << 30) is None


def test_names_with_brackets_do_not_confuse(tmp_path):
    """A program whose name holds brackets and spaces is read like any other."""
    odd = tmp_path / "a) Z 1 (b"
    odd.symlink_to("/bin/sleep")
    with subprocess.Popen([str(odd), "300"], stdin=subprocess.DEVNULL) as process:
        try:
            entry = table.read(process.pid)
            assert entry is not None
            assert (entry.parent, entry.ended) == (os.getpid(), False)
        finally:
            process.kill()


def test_a_process_that_ends_while_it_is_looked_at_is_none(monkeypatch):
    """A process that ends between two looks at it is no process of anybody's."""
    with tree("sleep 300; :") as process:
        entries = iter([table.read(process.pid), None])
        with monkeypatch.context() as patched:
            patched.setattr(identity, "read", lambda _: next(entries))
            assert identify(process.pid) is None


def test_no_permission_is_said(monkeypatch):
    """A process that the kernel protects is left alone, and this is said."""

    def refuse(*_):
        raise PermissionError

    with tree("sleep 300; :") as process:
        monkeypatch.setattr(signals.signal, "pidfd_send_signal", refuse)
        assert deliver(begun(process), signal.SIGTERM) == FOREIGN
        assert alive(process.pid)
