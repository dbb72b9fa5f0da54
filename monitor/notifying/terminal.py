"""What a terminal can be asked for: its bell, and where it has them its own notifications."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from monitor.notifying.settings import Targets
from monitor.text import line, shorten

_LONGEST: Final = 200
"""Cells of a text; terminals cut what is longer."""
_PROGRAMS: Final = frozenset({"iTerm.app", "WezTerm", "ghostty"})
_TERMS: Final = ("foot", "xterm-kitty", "xterm-ghostty", "wezterm")
"""Terminals that show OSC 9 as a notification, by TERM_PROGRAM and TERM; within a multiplexer it gets lost."""


def shows_notes(environment: Mapping[str, str]) -> bool:
    """Whether the terminal is one that shows notifications of its own."""
    if environment.get("TMUX") or environment.get("STY"):
        return False
    term = environment.get("TERM", "")
    return environment.get("TERM_PROGRAM", "") in _PROGRAMS or term.startswith(_TERMS)


def signs(text: str, targets: Targets, environment: Mapping[str, str]) -> str:
    """What to write to the terminal; the text is cleaned, so that nothing of it can end the sequence."""
    bell = "\a" if targets.bell else ""
    if not (targets.terminal and shows_notes(environment)):
        return bell
    return f"{bell}\x1b]9;{shorten(line(text), _LONGEST)}\x1b\\"


def write(signs_: str) -> None:
    """Write to the controlling terminal in one piece; where there is none, nothing is written."""
    try:
        tty = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return
    try:
        os.write(tty, signs_.encode())
    except OSError:
        return
    finally:
        os.close(tty)
