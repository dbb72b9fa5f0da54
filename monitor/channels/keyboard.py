"""What is typed into a pane: Escape, and words as one paste followed by Enter."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from monitor.channels.pane import Pane
from monitor.channels.tmux import TmuxError
from monitor.text import clean

_BUFFER = "monitor"
_SHOWS = 3.0
"""Seconds in which the program must show what was pasted."""
_PAUSE = 0.05
_SIGN = 16
"""Characters by which a pasted text is known on the screen: fewer than any prompt is wide."""
_COMMANDS = tuple("/!#&@\\")
"""What a prompt may take for an order to itself when words begin with it."""
_FRAME = re.compile(r"[\s│┃|>❯]+")
_FOLDED = "[Pastedtext#"
"""What Claude Code shows instead of a long paste."""
UNSHOWN = "its terminal does not show the words: Enter was not pressed, they may stand in its prompt"
ONE_LINE = "its terminal takes no pastes as such: each line would be sent by itself"


def typed(text: str) -> str:
    """The words as they go into a terminal: no control character but the ends of lines, and no order to its prompt."""
    words = clean(text).expandtabs(4).strip("\n").rstrip()
    return f"Feedback: {words}" if words.startswith(_COMMANDS) else words


def escape(pane: Pane) -> str:
    """Press Escape; empty when tmux took it, else why not."""
    return _tried(lambda: _press(pane, "Escape"))


def paste(pane: Pane, text: str, *, apart: bool = False) -> str:
    """Paste a text, `apart` on a line of its own, and press Enter; empty when tmux took both, else why not.

    Enter is pressed only when the words are seen in the terminal: what has put a question there meanwhile shows no
    words, and Enter would be the answer to it.
    """
    return _tried(lambda: _paste(pane, "\n" * apart + typed(text)))


def _tried(do: Callable[[], None]) -> str:
    try:
        do()
    except TmuxError as error:
        return str(error)
    return ""


def _press(pane: Pane, key: str) -> None:
    if pane.now().scrolled:
        pane.server.run("copy-mode", "-q", "-t", pane.id)
    pane.server.run("send-keys", "-t", pane.id, key)


def _paste(pane: Pane, words: str) -> None:
    row = pane.now()
    if row.pastes is False and "\n" in words:
        raise TmuxError(ONE_LINE)
    signs = _signs(words)
    before = _counted(pane, signs)
    buffer = f"{_BUFFER}-{pane.id[1:]}"
    pane.server.run("load-buffer", "-b", buffer, "-", given=words)
    pane.server.run("paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane.id)
    end = time.monotonic() + _SHOWS
    while not any(now > then for now, then in zip(_counted(pane, signs), before, strict=True)):
        if time.monotonic() > end:
            raise TmuxError(UNSHOWN)
        time.sleep(_PAUSE)
    _press(pane, "Enter")


def _signs(words: str) -> tuple[str, ...]:
    """What shows that a text was taken: its beginning, its end, or what stands for it."""
    lines = [bare for one in words.split("\n") if (bare := _FRAME.sub("", one))]
    return (lines[0][:_SIGN], lines[-1][-_SIGN:], _FOLDED) if lines else (_FOLDED,)


def _counted(pane: Pane, signs: tuple[str, ...]) -> list[int]:
    """How often each stands on the pane's screen, however it is wrapped and framed.

    A short one might stand in any question: it counts where a line holds nothing else.
    """
    shown = pane.server.run("capture-pane", "-p", "-J", "-t", pane.id)
    screen, lines = _FRAME.sub("", shown), [_FRAME.sub("", one) for one in shown.split("\n")]
    return [lines.count(one) if len(one) < _SIGN and one != _FOLDED else screen.count(one) for one in signs]
