"""Reaches a Codex that somebody else started: a run of `codex exec` by signals, and afterwards by resuming it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import psutil

from monitor.agents.codex.decode import ROLLOUT
from monitor.agents.codex.find import Thread
from monitor.agents.codex.kin import THREAD
from monitor.agents.codex.shared import SharedChannel
from monitor.channels.messages import framed
from monitor.channels.paned import PaneChannel
from monitor.channels.signalling import SignalChannel
from monitor.control import Channel, NoChannel
from monitor.processes.identity import Identity, identify

_ID = re.compile(THREAD)
_SHARED = "app-server"
_ENDS = "SIGINT ends the run; what it did stands in its rollout, and it can be resumed"
_PIPED = "monitor only reads this stream: its process is not known"
_NOBODY = "no process of Codex holds its rollout open"
_DAEMON = (
    "its thread lives in a server of Codex's with others: it is not signalled, and has to be told in its own window"
)


def channel(found: Thread) -> Channel:
    """By its process, where that holds this thread alone; else by the socket of the server that holds it."""
    if found.inputs()[0].role != ROLLOUT:
        return NoChannel(_PIPED)
    process = found.process()
    if process is not None and found.session and _is_server(process.pid):
        return SharedChannel(found, lambda: server_of(found))
    writer = Writer(found)
    signals = SignalChannel(
        writer.identity,
        offering=lambda text: resuming(found.session, text),
        ending=_ENDS,
        remains=lambda: f"the thread is taken up again by: {shlex.join(['codex', 'resume', found.session])}",
        unknown=lambda: writer.why,
    )
    return PaneChannel(signals, lambda: signals.identity, None)


class Writer:
    """The process that writes a thread's rollout, where no other thread lives in it."""

    def __init__(self, found: Thread) -> None:
        self.why = _NOBODY
        """Why none is known."""
        self._found = found

    def identity(self) -> Identity | None:
        """The process as it is now."""
        process = self._found.process()
        if process is None:
            self.why = _NOBODY
            return None
        if _is_server(process.pid):
            self.why = _DAEMON
            return None
        return identify(process.pid, process.started)


def resuming(thread: str, text: str) -> str:
    """The command that goes on with a thread with this text."""
    return shlex.join(["codex", "exec", "resume", thread, framed(text)]) if _ID.fullmatch(thread) else ""


def server_of(found: Thread) -> int:
    """The number of the server's process that holds the thread; 0 where there is none."""
    process = found.process()
    return process.pid if process is not None and _is_server(process.pid) else 0


def _is_server(pid: int) -> bool:
    """Whether it serves whoever connects; one that cannot be asked is taken for such."""
    try:
        words = psutil.Process(pid).cmdline()
    except (psutil.Error, OSError):
        return True
    return _SHARED in [Path(word).name for word in words[:20]]
