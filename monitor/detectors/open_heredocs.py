"""Heredocs typed into a terminal that never ended: what follows is taken for their text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.events import ToolCalled
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of

_OPERATOR = re.compile(r"(?<![<\d])<<(?!<)-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.-]+))")
_PROMPT = re.compile(
    r"(?:\([\w.-]+\) ?)?(?:[\w.-]+@[\w.-]+[: ].{0,200}|(?:ba|z|k|da)?sh-[\d.]+|\[[^\]\n]{1,80}\])?[#$%❯] ?"
)
"""A shell's prompt, as it stands before a command or alone."""
_RECENT = 10
_TAIL = 64_000


@dataclass(frozen=True, slots=True)
class Heredoc:
    """A heredoc as a command begins it."""

    line: str
    """The line of the command that holds its operator."""
    end: str
    """The line that ends it."""
    file: str
    """The file it is led into; empty where that is not told."""


def begun(call: ToolCalled) -> tuple[Heredoc, ...]:
    """The heredocs of a command."""
    if "<<" not in call.command:
        return ()
    files = [one.path for step in steps_of(call.command).steps for one in writes_of(step) if one.by == "text"]
    found: list[Heredoc] = []
    for line in call.command.split("\n"):
        operators = [(one[1] or one[2] or one[3]) for one in _OPERATOR.finditer(line)]
        for end in operators[:1]:
            file = next((one for one in files if one and one in line), "")
            found.append(Heredoc(line.strip(), end, file or _led_into(line)))
    return tuple(found[-_RECENT:])


def _led_into(line: str) -> str:
    led = re.search(r">{1,2}\s*([\w./~-]+)", line)
    return led[1] if led else ""


def left_open(output: str, heredocs: tuple[Heredoc, ...]) -> Heredoc | None:
    """The heredoc that the terminal still reads after this output; none where it was closed, or is not shown at all."""
    lines = output[-_TAIL:].rstrip().split("\n")
    for heredoc in reversed(heredocs):
        begins = [at for at, line in enumerate(lines) if heredoc.line and heredoc.line in line]
        if not begins:
            continue
        after = lines[begins[-1] + 1 :]
        ended = any(line.lstrip("> ").rstrip() == heredoc.end for line in after)
        return None if ended or not still_open("\n".join(after)) else heredoc
    return None


def still_open(output: str) -> bool:
    """Whether a terminal that was reading a heredoc goes on to do so: its `>` stands there, and no prompt after it."""
    lines = output[-_TAIL:].rstrip().split("\n")
    signs = [at for at, line in enumerate(lines) if line == ">" or line.startswith("> ")]
    return bool(signs) and not any(_PROMPT.match(line) for line in lines[signs[-1] + 1 :] if line.strip())
