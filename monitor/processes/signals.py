"""Sends a signal to one verified process, and to no other."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from monitor.processes.identity import GONE, Identity, ours, why_not_itself
from monitor.processes.table import PROC

FOREIGN = "it belongs to another user"
OURS = "monitor itself runs in it"


def deliver(identity: Identity, number: int) -> str:
    """Send the signal; empty when it was sent, else why it was not.

    The process is held by a descriptor before it is looked at, where the kernel has such descriptors, so that
    its number cannot pass to another in between.
    """
    if reason := untouchable(identity):
        return reason
    held = _held(identity.pid)
    try:
        if reason := why_not_itself(identity):
            return reason
        if held is None:
            os.kill(identity.pid, number)
        else:
            signal.pidfd_send_signal(held, number)
    except ProcessLookupError:
        return GONE
    except PermissionError:
        return FOREIGN
    finally:
        if held is not None:
            os.close(held)
    return ""


def untouchable(identity: Identity) -> str:
    """Why it must not be signalled, whatever is asked; empty when it may be."""
    if identity.pid in ours():
        return OURS
    return FOREIGN if identity.owner != os.geteuid() else ""


def ignores(pid: int, number: int) -> bool | None:
    """Whether a process ignores a signal, as those started with `&` by a script do; none where nothing tells."""
    with suppress(OSError, ValueError):
        for row in (PROC / str(pid) / "status").read_text("ascii", "replace").splitlines():
            if row.startswith("SigIgn:"):
                return bool(int(row.split()[1], 16) >> (number - 1) & 1)
    return None


def _held(pid: int) -> int | None:
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
