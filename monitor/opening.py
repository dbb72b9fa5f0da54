"""Opens a run for the screen, or for a watch without one: what it is, where it works, how it is followed."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from monitor.agents.protocol import Decoder, Found
from monitor.agents.sniffing import SniffingDecoder
from monitor.channels.hold import Hold
from monitor.config import config_folder, state_folder
from monitor.control import Channel, NoChannel
from monitor.errors import USAGE, MonitorError
from monitor.journal import Header, Journal, prune
from monitor.kept import Kept
from monitor.notifying.announcer import Announcer
from monitor.notifying.settings import load
from monitor.policy.deputy import Deputy
from monitor.policy.file import named, standing
from monitor.processes.identity import identify
from monitor.reaching import channel_of
from monitor.streams.notify import Notifier
from monitor.streams.open import open_reader
from monitor.streams.parting import leave_open
from monitor.streams.pipe import PipeReader
from monitor.streams.record import Input
from monitor.streams.terminal import reclaim_keyboard
from monitor.supervisor import Supervisor
from monitor.targets import find, finders, project_folder
from monitor.troubles import ailment
from monitor.unhurried import Unhurried
from monitor.worktree.live import LiveFolder
from monitor.worktree.measuring import Measuring

_PIPE = "the pipe"
Start = tuple[Measuring | None, LiveFolder | None]
"""What measures a project folder, and what watches it."""


class PipedRun:
    """A run that another program writes into our standard input; its agent shows from what it says."""

    agent = ""
    title = _PIPE

    def __init__(self) -> None:
        self._found: Found | None = None

    def inputs(self) -> Sequence[Input]:
        """The pipe alone."""
        return (Input(0, _PIPE, "stream"),)

    def decoder(self) -> Decoder:
        """One that recognises the agent first; once it is known, the agent's own."""
        return self._found.decoder() if self._found else SniffingDecoder(finders(), _PIPE, self._know)

    def _know(self, found: Found) -> None:
        self._found = found
        self.agent = found.agent

    @property
    def problem(self) -> str:
        """What its agent's run says is wrong."""
        return ailment(self._found)

    def project(self) -> Path | None:
        """Nothing tells."""
        return None

    def alive(self) -> bool | None:
        """The pipe's end tells it."""
        return None


@contextmanager
def opened(target: str, project: Path | None, *, screen: bool, deputy: Deputy | None = None) -> Iterator[Supervisor]:
    """A started supervisor that follows the run at `target`; `-` reads standard input.

    With `screen` the keyboard is taken back from the pipe; a `deputy` acts as the user's policy says. Whatever
    happens, the agent goes on unless he asked for its end.
    """
    folder = project_folder(project)
    pipe = None
    if target == "-":
        pipe = reclaim_keyboard() if screen else _standard_input()
        run = PipedRun()
        supervisor = piped(run, os.dup(pipe), folder, journal=journaled(run), deputy=deputy)
    else:
        found = find(target)
        supervisor = supervised(found, folder or found.project(), deputy=deputy)
    try:
        supervisor.start()
        yield supervisor
    finally:
        supervisor.close()
        if pipe is not None:
            leave_open(pipe)


def _standard_input() -> int:
    if os.isatty(0):
        raise MonitorError("nothing is piped in", "Use: agent | monitor watch -", USAGE)
    return os.dup(0)


def supervised(
    found: Found,
    project: Path | None,
    start: Start | None = None,
    deputy: Deputy | None = None,
    hold: Hold | None = None,
) -> Supervisor:
    """A supervisor over a run's files; `start` where the folder was measured before the agent began.

    Its channel is held as `hold` wishes, else for as long as it is followed.
    """
    living = found.alive() is not False
    notifier = Notifier() if hold is None else Unhurried(hold)
    measuring, watch = start or (measured(project), watched(project, found) if living else None)
    return Supervisor(
        found,
        live=True,
        project=project,
        measuring=measuring,
        watch=watch,
        journal=journaled(found) if living and not isinstance(found, Kept) else None,
        channel=_channel(found, hold),
        deputy=deputy,
        tap=deputy.tap if deputy else None,
        reader=lambda source: open_reader(source, notifier.wake),
        notifier=notifier,
    )


def piped(
    found: Found,
    fd: int,
    project: Path | None,
    *,
    start: Start | None = None,
    journal: Journal | None = None,
    channel: Channel | None = None,
    deputy: Deputy | None = None,
) -> Supervisor:
    """A supervisor over a pipe, which it takes over; what is read is spooled, since it cannot be read again."""
    notifier = Notifier()
    folder = _private("spool")

    measuring, watch = start or (measured(project), watched(project, found))

    def reader(source: Input) -> PipeReader:
        return PipeReader(fd, source, folder, wake=notifier.wake)

    return Supervisor(
        found,
        live=True,
        project=project,
        measuring=measuring,
        watch=watch,
        journal=journal,
        channel=channel,
        deputy=deputy,
        tap=deputy.tap if deputy else None,
        reader=reader,
        notifier=notifier,
    )


def deputed(policy: str | None, *, dry: bool = False) -> Deputy | None:
    """Who acts by the policy named, or else by the user's own; none where there is neither.

    Raises `MonitorError` where the policy cannot be read, and where a dry run has none.
    """
    rules = named(policy) if policy is not None else standing(config_folder())
    if rules is None and dry:
        raise MonitorError("--dry-run has no policy to try", "Name one with --policy, such as --policy seed", USAGE)
    if rules is None:
        return None
    return Deputy(rules, announcer=None if dry else Announcer(load(config_folder())), dry=dry)


def _channel(found: Found, hold: Hold | None) -> Channel:
    """The run's channel; where there is no state folder to be had, none, with that reason."""
    try:
        return channel_of(found, hold)
    except MonitorError as error:
        return NoChannel(error.text)


def _private(part: str) -> Path:
    """The state folder, or where there is none to be had a temporary one."""
    try:
        return state_folder(part)
    except MonitorError:
        folder = tempfile.mkdtemp(prefix="monitor-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)


def started(project: Path, run: str, *, assumed: bool = False) -> Start:
    """What measures and watches a project folder, the start measured: before an agent begins that may outrun it.

    `assumed` where nobody named the folder: then an agent that says it works elsewhere is believed.
    """
    measuring, watch = Measuring(project, state=_private("")), LiveFolder(project, run=run, state=_private(""))
    measuring.assumed = assumed
    measuring.told = watch.reconcile
    watch.begin()
    measuring.begin()
    measuring.settle()
    return measuring, watch


def watched(project: Path | None, found: Found) -> LiveFolder | None:
    """What watches a project folder while its run lives, where one is known."""
    return None if project is None else LiveFolder(project, run=found.title, state=_private(""))


def measured(project: Path | None) -> Measuring | None:
    """What measures a project folder, where one is known."""
    return None if project is None else Measuring(project, state=_private(""))


def journaled(found: Found) -> Journal | None:
    """A new journal of a run; the oldest ones make room for it. None where there is no state folder to be had."""
    try:
        folder = state_folder("journals")
    except MonitorError:
        return None
    prune(folder)
    names, ours = tuple(one.name for one in found.inputs()), identify(os.getpid())
    started = ours.begun if ours is not None else 0.0
    return Journal.open(
        folder, Header(run=found.title, agent=found.agent, inputs=names, pid=os.getpid(), started=started)
    )
