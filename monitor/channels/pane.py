"""The tmux pane that is a process's terminal: found by that process, and looked at again before each key."""

from __future__ import annotations

import os
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from monitor.channels.tmux import ABSENT, PaneRow, Server, TmuxError
from monitor.processes.identity import Identity, why_not_itself
from monitor.processes.table import PROC, below, everything, read

_VARIABLE = b"TMUX="
_TERMINAL = 4
"""Field 7 of `stat`, counted after the closing bracket."""
NO_TERMINAL = "its process has no terminal"
NO_PANE = "its terminal is no tmux pane"
FOREIGN = "its process belongs to another user"
UNTOLD = "which terminal a process has is not looked up on this system"
BEHIND = "it is not in the foreground of its terminal: the keys would go to another program"
COOKED = "its program reads no keys: what is typed would go to whatever reads the terminal next"
BESIDE = "another program that it started reads its terminal now"


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane, and the process it was found by."""

    server: Server
    id: str
    name: str
    identity: Identity
    terminal: int
    """The device's number."""

    def now(self) -> PaneRow:
        """The pane as it is; raises `TmuxError` where the keys would not reach the process, and only it."""
        if reason := _why_not(self.identity, self.terminal):
            raise TmuxError(reason)
        row = next((one for one in self.server.panes() if one.id == self.id), None)
        if row is None or _device(row.tty) != self.terminal or row.dead:
            raise TmuxError("its tmux pane is gone")
        if not _takes_keys(row.tty):
            raise TmuxError(COOKED)
        if row.deaf:
            raise TmuxError("its tmux pane takes no input (select-pane -e allows it)")
        if row.shared:
            raise TmuxError("its tmux pane is synchronised: the keys would reach others too")
        return row


def pane_of(identity: Identity) -> Pane | str:
    """The pane of a process, or in one line why there is none. Asks tmux, so it takes a moment."""
    if identity.owner != os.geteuid():
        return FOREIGN
    if not sys.platform.startswith("linux"):
        return UNTOLD
    terminal = terminal_of(identity.pid)
    if not terminal:
        return NO_TERMINAL
    why = NO_PANE
    for path in dict.fromkeys(_sockets(identity.pid)):
        server = Server(path)
        if not server.holds(identity.pid):
            continue
        try:
            row = next((one for one in server.panes() if _device(one.tty) == terminal), None)
        except TmuxError as error:
            why = f"{NO_PANE} that can be asked: {error}" if str(error) != ABSENT else ABSENT
            continue
        if row is not None and not why_not_itself(identity):
            return Pane(server, row.id, row.name, identity, terminal)
    return why


def terminal_of(pid: int) -> int:
    """The device number of a process's controlling terminal, as `st_rdev` has it; 0 where it has none."""
    with suppress(OSError, ValueError, IndexError):
        told = int((PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[_TERMINAL])
        # The kernel packs it in 32 bits: the minor number's low byte, the major's twelve bits, the minor's rest.
        return os.makedev((told >> 8) & 0xFFF, (told & 0xFF) | ((told >> 12) & 0xFFF00)) if told > 0 else 0
    return 0


def _sockets(pid: int) -> Iterator[Path]:
    """Where its server may listen: as its own environment says, as ours does, and tmux's usual place."""
    with suppress(OSError):
        words = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
        yield from (_socket(os.fsdecode(one[len(_VARIABLE) :])) for one in words if one.startswith(_VARIABLE))
    if ours := os.environ.get("TMUX"):
        yield _socket(ours)
    yield Path(os.environ.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.geteuid()}" / "default"  # noqa: S108 - tmux's own


def _socket(told: str) -> Path:
    """The socket of `SOCKET,PID,SESSION`; the path itself may hold commas."""
    return Path(told.rsplit(",", 2)[0])


def _device(tty: str) -> int:
    try:
        return Path(tty).stat().st_rdev
    except (OSError, ValueError):
        return 0


def _takes_keys(tty: str) -> bool:
    """Whether a program has set the terminal to give it each key; else lines gather there for who comes next."""
    try:
        descriptor = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        flags: int = termios.tcgetattr(descriptor)[3]
    except termios.error:
        return False
    finally:
        os.close(descriptor)
    return not flags & termios.ICANON


def _why_not(identity: Identity, terminal: int) -> str:
    """Why keys typed in the terminal would not reach the process; empty when they would."""
    entry = read(identity.pid)
    if reason := why_not_itself(identity):
        return reason
    if terminal_of(identity.pid) != terminal:
        return NO_PANE
    if entry is None or not entry.foreground or entry.state == "T":
        return BEHIND
    return BESIDE if _read_by_another(identity.pid, entry.group, terminal) else ""


def _read_by_another(pid: int, group: int, terminal: int) -> bool:
    """Whether something that it started, as an editor, has the terminal for its input."""
    table = everything()
    for other in table.values():
        if other.group != group or other.pid == pid or other.ended:
            continue
        with suppress(OSError):
            if (PROC / str(other.pid) / "fd" / "0").stat().st_rdev == terminal and below(other.pid, pid):
                return True
    return False
