"""Which file a shell command shows, where its output is that file's lines and nothing else."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from monitor.shell.step import Step
from monitor.shell.steps import steps_of

_OPTIONS = {
    "cat": re.compile(r"(?:-n|--number)?"),
    "nl": re.compile(r"-ba|-b a"),
    "head": re.compile(r"(?:-\d+|-n ?\d+|--lines[= ]\d+)?"),
    "sed": re.compile(r"-n (?:-e )?1,(?:\d+|\$)p"),
}
"""With these options a program prints a file from its first line on, or with the numbers of its lines."""


@lru_cache(maxsize=64)
def shown_by(command: str) -> str:
    """The path of the file, from where the command began; empty where it prints anything else, or that is not sure."""
    read = steps_of(command)
    steps = [step for step in read.steps if step.program != "cd"]
    return _shown(steps[0]) if read.sure and len(steps) == 1 else ""


def _shown(step: Step) -> str:
    options = _OPTIONS.get(step.program)
    led = step.into or step.before or step.listed or step.remote or step.stdin or step.here is not None
    if options is None or led or step.folder is None or len(step.words) < 2:
        return ""
    *words, file = step.words[1:]
    named = file and not file.startswith("-") and not re.search(r"[*?$`\[{]", file)
    return posixpath.join(step.folder, file) if named and options.fullmatch(" ".join(words)) else ""
