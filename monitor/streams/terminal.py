"""Gives the keyboard back to a program that something is piped into."""

from __future__ import annotations

import os

from monitor.errors import USAGE, MonitorError


def reclaim_keyboard() -> int:
    """A descriptor for what is piped in; descriptor 0 reads the terminal from now on.

    Textual reads its keys from descriptor 0, so a piped log would be taken for key presses. Raises
    MonitorError, and changes nothing, when nothing is piped in or there is no terminal.
    """
    try:
        piped = os.dup(0)
    except OSError as error:
        raise _nothing_piped() from error
    if os.isatty(piped):
        os.close(piped)
        raise _nothing_piped()
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        os.close(piped)
        raise MonitorError(
            "There is no terminal to show the screen on",
            "`monitor watch -` works without one; `monitor report` reads files",
            USAGE,
        ) from error
    os.dup2(terminal, 0)
    os.close(terminal)
    return piped


def _nothing_piped() -> MonitorError:
    return MonitorError("Nothing is piped in", "Use it as: AGENT … | monitor -", USAGE)
