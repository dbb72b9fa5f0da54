"""Takes the operator to the pane of a run, or says the command that does."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from pathlib import Path

from monitor.channels.pane import Pane
from monitor.channels.tmux import TmuxError


def attaching(pane: Pane) -> str:
    """The command that shows the pane, from any terminal that is in no tmux."""
    usual = Path(os.environ.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.geteuid()}" / "default"  # noqa: S108 - tmux's own
    where = () if pane.server.path == usual else ("-S", str(pane.server.path))
    return shlex.join(["tmux", *where, "attach", "-t", pane.id])


def near(pane: Pane) -> bool:
    """Whether monitor itself runs in the server of that pane."""
    told = os.environ.get("TMUX", "").rsplit(",", 2)[0]
    with suppress(OSError, ValueError):
        return bool(told) and Path(told).samefile(pane.server.path)
    return False


def visit(pane: Pane) -> str:
    """Switch the operator's terminal to the pane; empty when that was done, else why not. Asks tmux, so it takes a moment."""
    try:
        pane.server.run("switch-client", "-Z", "-t", pane.id)
    except TmuxError as error:
        return str(error)
    return ""
