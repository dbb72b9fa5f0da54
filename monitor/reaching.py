"""Gives each run the channel by which it is reached, as things stand on this machine."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from monitor.agents.acp.control import AcpChannel
from monitor.agents.claude.control import ClaudeChannel
from monitor.agents.claude.hooked import HookedChannel
from monitor.agents.claude.process import standing
from monitor.agents.claude.session import SESSION, Session
from monitor.agents.codex.control import CodexChannel
from monitor.agents.codex.find import Thread
from monitor.agents.codex.foreign import channel as codex
from monitor.agents.codex.foreign import resuming
from monitor.agents.dirtywork.control import DirtyworkChannel
from monitor.agents.dirtywork.find import FINDER as DIRTYWORK
from monitor.agents.dirtywork.find import RunFolder
from monitor.agents.fields import raw, read_object
from monitor.agents.lcode.decode import SESSION as SESSION_FILE
from monitor.agents.lcode.decode import STREAM
from monitor.agents.lcode.find import LcodeRun
from monitor.agents.lcode.hooked import LcodeHooks
from monitor.agents.lcode.process import Worker
from monitor.agents.native.control import NativeChannel
from monitor.agents.native.find import EventStream
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.reach import channel as opencode
from monitor.agents.opencode.stored import Stored
from monitor.agents.protocol import Found
from monitor.channels.hold import Hold
from monitor.channels.kept import KeptWire
from monitor.channels.messages import framed
from monitor.channels.named import NamedWire
from monitor.channels.paned import PaneChannel
from monitor.channels.sent import Sent
from monitor.channels.signalling import SignalChannel
from monitor.channels.wire import CLOSED, NoWire, Wire
from monitor.config import state_folder
from monitor.control import Channel, NoChannel
from monitor.errors import MonitorError
from monitor.launch.command import Prepared
from monitor.launch.launched import OUTPUT, SENT, Launched
from monitor.launch.start import launch, reached
from monitor.processes.family import Family
from monitor.processes.identity import Identity, identify
from monitor.streams.files import read_head
from monitor.targets import finders

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_LCODE = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_PATIENCE = 30.0
"""Seconds an agent has to make its run's folder."""
_PAUSE = 0.1
_HEAD = 1 << 16
_CLOSES = "SIGINT closes the whole session; its shells are ended too; it can be resumed"
_UNTOLD = "nothing tells which lcode is at work here; start it with monitor run to reach it"
_UNKNOWN = "monitor only watches this run: its process is not known"


def channel_of(found: Found, hold: Hold | None = None) -> Channel:
    """The channel of a run that was found or started; what but one can have of it is taken while `hold` wishes."""
    hold = hold or Hold()
    match found:
        case Launched():
            return _launched(found, hold)
        case RunFolder():
            return DirtyworkChannel(found, _start, sent=_promised(found))
        case EventStream() if found.inputs()[0].path is not None:
            named = NamedWire(state_folder("control"), hold)
            return NativeChannel(named, named.identity, know=named.know, into="its socket")
        case Session():
            return _running(found, hold)
        case LcodeRun():
            return _lcode(found, hold)
        case Thread():
            return codex(found)
        case Live() | Stored():
            return opencode(found)
        case _:
            return NoChannel(_UNKNOWN)


def _running(found: Session, hold: Hold) -> Channel:
    """A session that somebody else started: where its id is known through its hooks and its tmux pane, and by signals."""
    offer, reopen = _resumption(found)
    signals = SignalChannel(lambda: _verified(found), offering=offer, ending=_CLOSES, remains=reopen)
    if SESSION.fullmatch(found.session) is None or found.inputs()[0].role != "transcript":
        return PaneChannel(signals, lambda: signals.identity, None)
    hooks = HookedChannel(found.session, found.project, signals, hold=hold)
    return PaneChannel(hooks, lambda: signals.identity, lambda: standing(found.session))


def _lcode(found: LcodeRun, hold: Hold) -> Channel:
    """By the hooks of, and signals to, the process that works on it, where it is certain which."""
    source = found.inputs()[0]
    if source.path is None or source.role not in (SESSION_FILE, STREAM):
        return NoChannel(_UNTOLD, lambda text: _continued(found, text))
    worker = Worker(source.path, stream=source.role == STREAM)
    signals = SignalChannel(worker.identity, offering=lambda text: _continued(found, text), unknown=lambda: worker.why)
    return LcodeHooks(worker.identity, signals, hold=hold)


def _launched(found: Launched, hold: Hold) -> Channel:
    """By the keeper's socket; where another monitor is connected, or the run has ended, the channel says so."""
    if found.serving is not None:
        served = found.served()
        return NoChannel(CLOSED) if served is None else opencode(served, found.identity, found.mark)
    if found.agent == "lcode":
        return SignalChannel(found.identity, offering=_offering(found), mark=found.mark)
    if found.agent not in ("acp", "claude", "codex", "native"):
        return SignalChannel(found.identity, mark=found.mark)
    wire = _wire(found, hold)
    sent = Sent(found.folder / SENT)
    if found.agent == "acp":
        begin = (found.folder / OUTPUT).stat().st_size
        lcode = "lcode" in [Path(word).name for word in found.command[:3]]
        return AcpChannel(
            wire, found.identity, cwd=str(found.cwd), task=found.task, begin=begin, mark=found.mark, sent=sent,
            resuming=_resuming if lcode else None,
        )  # fmt: skip
    if found.agent == "codex":
        begin = (found.folder / OUTPUT).stat().st_size
        return CodexChannel(
            wire, found.identity, task=found.task, begin=begin, mark=found.mark, sent=sent, resuming=resuming
        )
    if found.agent == "native":
        return NativeChannel(wire, found.identity, mark=found.mark, sent=sent)
    return ClaudeChannel(wire, found.identity, cwd=str(found.cwd), mark=found.mark, sent=sent)


def _wire(found: Launched, hold: Hold) -> Wire:
    opened = reached(found.folder) if hold.wanted else None
    if opened is None and (hold.wanted or found.ended() is not None):
        return NoWire(CLOSED)
    wire = KeptWire(opened, lambda: reached(found.folder), hold=hold)
    if found.stops:
        wire.stop_with_us(stop=True)
    return wire


def followed(found: Launched, patience: float = _PATIENCE) -> Found:
    """Where a started run is read: a dirtywork run in the folder that it makes itself, all others from their output.

    `patience` are the seconds that are waited for that folder; where it does not come, it is the output after all.
    """
    if found.serving is not None and found.task and found.ended() is None:
        words = found.last_words
        found.serving.begin(found.folder / OUTPUT, found.task, found.ask, lambda: words() if found.ended() else None)
    if found.agent != "dirtywork":
        return found
    root, runs = found.identity(), Path.home() / ".dirtywork" / "runs"
    family = Family(root, found.mark) if root is not None else None
    end = time.monotonic() + patience
    while family is not None and found.ended() is None:
        run = DIRTYWORK.open(runs) if runs.is_dir() else None
        process = run.process() if isinstance(run, RunFolder) else None
        if process is not None and any(one.identity.pid == process.pid for one in family.look()):
            return run or found
        if time.monotonic() >= end:
            break
        time.sleep(_PAUSE)
    return found


def _promised(found: RunFolder) -> Sent | None:
    """Feedback that waits for a run to end, where it outlives the monitor that holds it."""
    if _SLUG.fullmatch(found.title):
        with suppress(MonitorError):
            return Sent(state_folder("control") / f"dirtywork-{found.title}.jsonl")
    return None


def _start(command: Sequence[str], cwd: Path) -> Launched:
    return launch(Prepared("other", tuple(command)), cwd, finders())


def _verified(found: Session) -> Identity | None:
    process = found.process()
    return identify(process.pid, process.started) if process is not None else None


def _resumption(found: Session) -> tuple[Callable[[str], str], Callable[[], str]]:
    """How a session of Claude Code is resumed with a text, and how it is opened again in a terminal.

    Both must be given in the session's folder, which a live process has told.
    """
    folders: list[Path] = []

    def command(*words: str) -> str:
        if not SESSION.fullmatch(found.session):
            return ""
        if not folders and (folder := found.project()) is not None:
            folders.append(folder)
        told = shlex.join(["claude", "--resume", found.session, *words])
        return f"cd {shlex.quote(str(folders[0]))} && {told}" if folders else told

    def reopen() -> str:
        opens = command()
        return f"SIGINT closes the whole session; this opens it again: {opens}" if opens else _CLOSES

    return lambda text: command("-p", framed(text)), reopen


def _continued(found: LcodeRun, text: str) -> str:
    return _resuming(found.title, text)


def _resuming(session: str, text: str) -> str:
    """The command that goes on with a session of lcode: in text mode, for in the others it begins a new one."""
    return shlex.join(["lcode", "-p", framed(text), "--resume", session]) if _LCODE.fullmatch(session) else ""


def _offering(found: Launched) -> Callable[[str], str]:
    """Goes on with the session of an lcode that monitor started, once it has told which that is."""
    known: list[str] = []

    def offer(text: str) -> str:
        if not known and (session := _session_of(found)):
            known.append(session)
        return _resuming(known[0], text) if known else ""

    return offer


def _session_of(found: Launched) -> str:
    """The session that an lcode names first in its stream of events; empty where it told none."""
    try:
        first = read_object(read_head(found.folder / OUTPUT, _HEAD).partition(b"\n")[0])
    except OSError:
        return ""
    return "" if isinstance(first, str) else raw(first, "session_id")
