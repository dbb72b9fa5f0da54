"""A terminal into which several commands were typed: what each of them printed, and whether it was taken at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.events import Outcome

ASKS = "Are you sure you want to mark the task as complete?"
"""What the harness says to the first claim of done; only the second counts."""
_PROMPT = re.compile(r"(?:\([\w.() -]{1,60}\) ?)?[\w.-]{1,64}@[\w.-]{1,255}:(?P<folder>[^\s#$]{0,300})[#$] ?")
_ENDS = re.compile(_PROMPT.pattern + r"\Z")
_OPEN = re.compile(r">(?!>)")
"""The prompt of a shell that waits for the rest of what was typed."""
_OMITTED = re.compile(r"\[\.\.\. output limited to \d+ bytes; \d+ interior bytes omitted \.\.\.\]")
_SHELL_SAYS = re.compile(
    r"(?:-|/bin/)?(?:ba|z|da)?sh: .{1,400}: (?:command not found|not found|No such file or directory|Permission denied)"
)
_SHOWN = 60
"""Characters of a command by which its echo is found: the terminal folds long lines."""
_KEPT = 200_000


@dataclass(frozen=True, slots=True)
class Typed:
    """What became of one command."""

    outcome: Outcome = "unknown"
    output: str = ""
    cut: bool = False
    folder: str = ""
    """Where the shell stood afterwards, where its prompt says so in full."""


def read_screen(screen: str, commands: Sequence[str]) -> list[Typed]:
    """What became of each command that was typed, in order; one whose echo is not shown is not known."""
    screen = screen.split(ASKS, maxsplit=1)[0].rstrip()[:_KEPT]
    starts: list[tuple[int, int] | None] = []
    at = 0
    for command in commands:
        starts.append(found := _echo(screen, command, at))
        at = _past(screen, command, found[1]) if found else at
    return [_typed(screen, starts, number) for number in range(len(commands))]


def _echo(screen: str, command: str, at: int) -> tuple[int, int] | None:
    """Where the line of a command's echo begins, and where the command begins in it."""
    head = next((line for line in command.split("\n") if line.strip()), "").strip()[:_SHOWN]
    found = screen.find(head, at) if head else -1
    return (screen.rfind("\n", 0, found) + 1, found) if found >= 0 else None


def _past(screen: str, command: str, at: int) -> int:
    """Where the echo of a command is over, so that the next one is not found in its own lines."""
    lines = [line.strip()[:_SHOWN] for line in command.split("\n") if line.strip()]
    for line in (lines[0], lines[-1]) if len(lines) > 1 else lines:
        found = screen.find(line, at)
        at = found + len(line) if found >= 0 else at
    return at


def _typed(screen: str, starts: Sequence[tuple[int, int] | None], number: int) -> Typed:
    start = starts[number]
    later = [one for one in starts[number + 1 :] if one is not None]
    if start is None:
        return _unseen(screen) if number == len(starts) - 1 else Typed()
    end = later[0][0] if later else len(screen)
    part = screen[start[0] : max(end, start[1])].rstrip()
    following = screen[end : later[0][1]].rstrip() if later else part.split("\n")[-1]
    folder = _folder(following)
    shown = f"{part}\n{following}" if later and _ENDS.search(following + " ") else part
    cut = _OMITTED.search(part) is not None
    if _OPEN.match(screen[start[0] : start[1]]):
        return Typed("not_executed", shown, cut, folder)
    return Typed(_outcome(part, following, last=not later), shown, cut, folder)


def _unseen(screen: str) -> Typed:
    """The last command, where the screen has scrolled past its echo: what is shown is its end."""
    last = screen.rstrip().split("\n")[-1]
    return Typed(
        "unknown" if _ENDS.search(last + " ") is None else "ok", screen.strip(), cut=True, folder=_folder(last)
    )


def _outcome(part: str, following: str, *, last: bool) -> Outcome:
    """What a command came to: its prompt came back, or it still runs, or the shell waits for more."""
    if _ENDS.search(following + " ") is None:
        return "unknown"
    lines = part.split("\n")[1:]
    printed = [line for line in (lines[:-1] if last else lines) if line.strip()]
    return "failed" if printed and all(_SHELL_SAYS.match(line) for line in printed) else "ok"


def _folder(line: str) -> str:
    found = _PROMPT.search(line + " ")
    told = found["folder"] if found else ""
    return told if told.startswith("/") else ""
