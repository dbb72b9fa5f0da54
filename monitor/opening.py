"""Opens a run for the screen, or for a watch without one: what it is, where it works, how it is followed."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from monitor.agents.protocol import Decoder, Found
from monitor.agents.sniffing import SniffingDecoder
from monitor.config import state_folder
from monitor.errors import USAGE, MonitorError
from monitor.journal import Header, Journal, prune
from monitor.streams.notify import Notifier
from monitor.streams.pipe import PipeReader
from monitor.streams.record import Input
from monitor.supervisor import Supervisor
from monitor.targets import FINDERS, find, project_folder
from monitor.worktree.measuring import Measuring

_PIPE = "the pipe"


class PipedRun:
    """A run that another program writes into our standard input; its agent shows from what it says."""

    agent = ""
    title = _PIPE

    def inputs(self) -> Sequence[Input]:
        """The pipe alone."""
        return (Input(0, _PIPE, "stream"),)

    def decoder(self) -> Decoder:
        """One that recognises the agent first."""
        return SniffingDecoder(FINDERS, _PIPE)

    def project(self) -> Path | None:
        """Nothing tells."""
        return None

    def alive(self) -> bool | None:
        """The pipe's end tells it."""
        return None


def opened(target: str, project: Path | None) -> Supervisor:
    """A supervisor that follows the run at `target`, not yet started; `-` reads standard input."""
    folder = project_folder(project)
    if target == "-":
        run = PipedRun()
        return piped(run, _standard_input(), folder, journal=journaled(run))
    found = find(target)
    return supervised(found, folder or found.project())


def supervised(found: Found, project: Path | None) -> Supervisor:
    """A supervisor over a run's files."""
    return Supervisor(
        found,
        live=True,
        project=project,
        measuring=measured(project),
        journal=None if found.alive() is False else journaled(found),
        notifier=Notifier(),
    )


def piped(
    found: Found,
    fd: int,
    project: Path | None,
    *,
    measuring: Measuring | None = None,
    journal: Journal | None = None,
) -> Supervisor:
    """A supervisor over a pipe, which it takes over; what is read is spooled, since it cannot be read again."""
    notifier = Notifier()
    folder = state_folder("spool")

    def reader(source: Input) -> PipeReader:
        return PipeReader(fd, source, folder, wake=notifier.wake)

    return Supervisor(
        found,
        live=True,
        project=project,
        measuring=measuring or measured(project),
        journal=journal,
        reader=reader,
        notifier=notifier,
    )


def measured(project: Path | None) -> Measuring | None:
    """What measures a project folder, where one is known."""
    return None if project is None else Measuring(project, state=state_folder("shadow"))


def journaled(found: Found) -> Journal:
    """A new journal of a run; the oldest ones make room for it."""
    folder = state_folder("journals")
    prune(folder)
    return Journal.open(
        folder, Header(run=found.title, agent=found.agent, inputs=tuple(one.name for one in found.inputs()))
    )


def _standard_input() -> int:
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if os.isatty(sys.stdin.fileno()):
        raise MonitorError("nothing is piped in", "Use: agent | monitor -", USAGE)
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISREG(mode)):
        raise MonitorError("standard input is neither a pipe nor a file", "Use: agent | monitor -", USAGE)
    return os.dup(sys.stdin.fileno())
