"""Speaks to a tmux server that is already there.

By tmux's own program: libtmux waits without a limit for a server that does not answer, and takes a text only from its
command line, where every process may read it, or from a file.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from monitor.processes.table import below
from monitor.text import line

PATIENCE = 3.0
"""Seconds a server has to answer."""
ABSENT = "tmux is not installed"
_FORMAT = (
    "#{pane_id} #{pane_tty} #{pane_dead}#{pane_input_off}#{pane_synchronized} b#{bracket_paste_flag} #{pane_in_mode} "
)
_NAME = "#{session_name}:#{window_index}.#{pane_index}"


class TmuxError(Exception):
    """Why tmux did not do it, in one line."""


@dataclass(frozen=True, slots=True)
class PaneRow:
    """A pane as its server tells it now."""

    id: str
    """As `%5`: the same for as long as the pane lives, wherever it is moved."""
    tty: str
    name: str
    """Session, window and pane, as a person names them."""
    dead: bool = False
    deaf: bool = False
    """It takes no input."""
    shared: bool = False
    """What is typed in it is typed in the other panes of its window too."""
    pastes: bool | None = None
    """Whether its program takes pastes as such; none where this tmux does not tell."""
    scrolled: bool = False
    """It shows its history, to which keys go instead."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server by the path of its socket."""

    path: Path

    def run(self, *words: str, given: str = "") -> str:
        """What a command of tmux prints. Raises `TmuxError`."""
        program = shutil.which("tmux")
        if program is None:
            raise TmuxError(ABSENT)
        try:
            done = subprocess.run(  # noqa: S603 - tmux itself, at a socket that was looked at; no shell
                [program, "-u", "-S", str(self.path), *words],
                input=given.encode(), capture_output=True, check=False, timeout=PATIENCE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise TmuxError("its tmux server does not answer") from None
        except OSError as error:
            raise TmuxError(f"tmux cannot be started: {error.strerror}") from None
        if done.returncode:
            raise TmuxError(f"tmux said: {line(done.stderr.decode('utf-8', 'replace').strip()) or 'nothing'}")
        return done.stdout.decode("utf-8", "replace")

    def panes(self) -> list[PaneRow]:
        """All its panes, each once."""
        rows = (_row(one) for one in self.run("list-panes", "-a", "-F", _FORMAT + _NAME).split("\n"))
        return list({row.id: row for row in rows if row is not None}.values())

    def holds(self, pid: int) -> bool:
        """Whether a process runs below this very server, as the kernel tells; no other may be handed any words.

        What a process says of its server could be written by that process itself; who listens at a socket, and who
        started whom, could not.
        """
        listening = _listening(self.path)
        return listening > 0 and below(pid, listening)


def _row(told: str) -> PaneRow | None:
    parts = told.split(" ", 5)
    if len(parts) != 6 or parts[0][:1] != "%" or not parts[0][1:].isdigit() or len(parts[2]) != 3:
        return None
    dead, deaf, shared = (flag == "1" for flag in parts[2])
    pastes = {"b0": False, "b1": True}.get(parts[3])
    return PaneRow(parts[0], parts[1], line(parts[5]), dead, deaf, shared, pastes, parts[4] != "0")


def _listening(path: Path) -> int:
    """The number of the process that listens at a socket of this user; 0 where there is none, or it is not told."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as opened:
        opened.settimeout(PATIENCE)
        try:
            found = path.lstat()
            if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
                return 0
            opened.connect(str(path))
            told = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        except (OSError, ValueError):
            return 0
    number: int = struct.unpack("3i", told)[0]
    return number
