"""Gives a session of OpenCode the channel by which it is reached."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path

from monitor.agents.opencode.bridge import bridge
from monitor.agents.opencode.control import OpenCodeChannel
from monitor.agents.opencode.live import Live, rivals
from monitor.agents.opencode.process import running
from monitor.agents.opencode.server import Server, ServerError
from monitor.agents.opencode.stored import Stored
from monitor.channels.messages import framed
from monitor.control import Channel, NoChannel
from monitor.hooks.standing import reaching
from monitor.processes.identity import Identity

_READ = "this session is only read: "
_DEAF = (
    f"{_READ}its OpenCode listens on no port; start that with --port or with monitor run, or install the plug-in: "
    "monitor hooks install --agent opencode"
)
_CLOSED = f"{_READ}no OpenCode that runs has it open"
_UNLOADED = f"{_READ}its OpenCode has not loaded the plug-in that is installed; start it again, else with --port"
_SEVERAL = f"{_READ}several processes of OpenCode work in its folder, and which one has it open is not known"
_PACE = 2.0
"""Seconds between two looks at other processes of OpenCode."""


def channel(found: Live | Stored, find: Callable[[], Identity | None] | None = None, mark: str = "") -> Channel:
    """Over its server, where it has one. `find` gives the process of a server that is this run's alone, with its mark."""
    if isinstance(found, Live):
        rival = _rival(found) if find is None else str
        process = find or found.identity
        return OpenCodeChannel(found.server, found.session, found.folder, process, rival=rival, mark=mark)
    return NoChannel(_why(found), lambda text: _resumed(found, text))


def _why(found: Stored) -> str:
    """What keeps it from being reached, and what can be done about it."""
    if found.alive() is False:
        return _CLOSED
    here = [one for one in running() if one.folder == found.folder]
    if len(here) > 1:
        return _SEVERAL
    if here and (way := bridge(here[0].process)) is not None:
        return _READ + _unanswered(Server(0, bridge=way), found.session)
    return _UNLOADED if here and reaching("opencode", Path(found.folder)) is not None else _DEAF


def _unanswered(server: Server, session: str) -> str:
    """Why a window with the plug-in was not taken: it refuses, or it was too slow."""
    try:
        server.session(session)
    except ServerError as error:
        return f"its OpenCode was asked through the plug-in, but {error.strerror}"
    return "its OpenCode answered too late; open it again"


def _rival(found: Live) -> Callable[[], str]:
    """Why words might begin a second loop: another process may have the session open; looked at now and then."""
    told, looked = "", float("-inf")

    def rival() -> str:
        nonlocal told, looked
        if time.monotonic() - looked > _PACE:
            others, looked = rivals(found), time.monotonic()
            pids = ", ".join(str(one.process.pid) for one in others)
            told = (
                f"process {pids} of OpenCode works in its folder too: words could begin a second loop in it"
                if others
                else ""
            )
        return told

    return rival


def _resumed(found: Stored, text: str) -> str:
    """The command that goes on with a session once it has ended."""
    if found.alive() is not False:
        return ""
    command = shlex.join(["opencode", "run", "--session", found.session, framed(text)])
    return f"cd {shlex.quote(found.folder)} && {command}" if found.folder else command
