"""The desktop's notifications, by the program that comes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Final

_PATIENCE: Final = 5.0
"""Seconds a notification may take to be handed over."""
_SCRIPT: Final = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


def command(title: str, text: str) -> tuple[str, ...]:
    """The command that shows a text; empty where there is no desktop."""
    if sys.platform == "darwin":
        program = shutil.which("osascript")
        return (program, "-e", _SCRIPT, title, text) if program else ()
    program = shutil.which("notify-send")
    at_a_desktop = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    return (program, "--app-name=monitor", "--", title, text) if program and at_a_desktop else ()


def show(title: str, text: str) -> str:
    """Show it; why it could not be shown, or nothing. No desktop is no failure."""
    words = command(title, text)
    if not words:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - the desktop's own program, its arguments apart
            words, check=False, timeout=_PATIENCE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the desktop did not take a notification: {error}"
    return "" if done.returncode == 0 else f"the desktop refused a notification ({done.returncode})"
