"""What stands above the operator's words: to whom they go, how, and the command where they go by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from textual.content import Content

from monitor.actions import When
from monitor.snapshot import ActionFacts, RunFacts
from monitor.text import shorten
from monitor.ui.pen import Pen
from monitor.ui.present.lines import fit, put, role, spread, wrap

ORDER: Final[tuple[When, ...]] = ("next", "now", "later")
"""The usual moment first."""
ROWS = 7
"""Rows of it all; a command takes those that are left, and the whole of it is what is copied."""
SHOWN = 2_000
"""Characters of a command that are laid out."""
_HOW = 2
_INDENT = 5


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which the words can be delivered."""

    when: When
    words: str


@dataclass(frozen=True, slots=True)
class Post:
    """How the operator's words can be sent now."""

    run: RunFacts
    cannot: str
    """Why nothing can be sent; empty when it can."""
    last: ActionFacts | None
    now: float
    ways: tuple[Way, ...] = ()
    """In what ways, the usual one first; none where nothing can be sent."""
    offer: Callable[[str], str] = lambda _: ""
    """From the words to the command that goes on with the run; empty where none is known."""

    def way(self, chosen: int) -> Way:
        """The way that is chosen, by its place; what is no longer possible becomes the usual."""
        return self.ways[chosen % len(self.ways)] if self.ways else Way("next", "as soon as it takes them")

    def command(self, text: str, chosen: int) -> str:
        """The command that is run or copied; empty where the words go to the agent as it runs."""
        by_command = bool(self.cannot) or self.way(chosen).words.endswith(":")
        return self.offer(text) if by_command else ""


def ways(how: Callable[[When], str]) -> tuple[Way, ...]:
    """The ways there are, each once: a channel that cannot choose words all moments alike."""
    found: dict[str, Way] = {}
    for when in ORDER:
        if words := how(when):
            found.setdefault(words, Way(when, words))
    return tuple(found.values())


def address(pen: Pen, post: Post, text: str, chosen: int, room: int, *, rows: int = ROWS) -> list[Content]:
    """To whom the words go, how, and by which command."""
    run = post.run
    who = f" {pen.mark('dot')} ".join(filter(None, (run.agent, run.model))) or "the agent"
    where = pen.place(run.project or run.cwd)
    to = put(("to   ", role("muted")), (who, role("", bold=True)), ("   " + where if where else "", role("")))
    lines = [spread(pen, to, put(("as your own words", role("muted"))), room)]
    how = put((f"not now: {post.cannot}", role("warn")) if post.cannot else post.way(chosen).words)
    lines += _named(pen, "how", how, room, _HOW)
    if command := post.command(text or pen.mark("more"), chosen):
        left = max(rows - len(lines), 1)
        lines += _named(pen, "run", put((shorten(command, SHOWN), role("accent"))), room, left)
    return lines


def _named(pen: Pen, name: str, words: Content, room: int, most: int) -> list[Content]:
    """The words beside their name, over `most` lines."""
    lines = wrap(words, room - _INDENT)
    shown = [
        *lines[: most - 1],
        *([fit(pen, put(*lines[most - 1 :]), room - _INDENT)] if lines[most - 1 :] else []),
    ]
    names = [name.ljust(_INDENT), *[" " * _INDENT for _ in shown[1:]]]
    return [put((one, role("muted"))) + line for one, line in zip(names, shown, strict=True)]
