"""The scripted agent as a program: `python -m monitor.demo.agent PROJECT [--fast]`."""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from monitor.demo.story import story
from monitor.demo.voice import Voice

USAGE = 2
_SIGNALLED = 128
"""What a shell adds to a signal's number to make an exit code of it."""


class Interrupted(Exception):  # noqa: N818 -- nothing went wrong: the agent was asked to stop
    """The agent was asked to stop, by the signal in `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Rest:
    """Rests between two steps, and is woken by a signal: never within a step, so that every line is whole."""

    def __init__(self, *, fast: bool) -> None:
        self._fast = fast
        self._wakened, end = os.pipe()
        os.set_blocking(end, False)
        signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)

    def __call__(self, seconds: float) -> None:
        """Rest so long, or not at all when fast."""
        if select.select([self._wakened], [], [], 0 if self._fast else seconds)[0]:
            raise Interrupted(os.read(self._wakened, 1)[0])


def run(project: Path, out: BinaryIO, rest: Callable[[float], None]) -> int:
    """Play the story to its end or until it is interrupted; the exit code comes back."""
    voice = Voice(out, project)
    steps = story(voice, project)
    try:
        for seconds in steps:
            rest(seconds)
    except Interrupted as stop:
        steps.close()
        code = _SIGNALLED + stop.number
        voice.tell("RunEnded", status="interrupted", exit=code, reason=str(stop))
        return code
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run in the folder that is named; when nobody listens any more it ends without a word."""
    parser = argparse.ArgumentParser(prog="monitor.demo.agent", description="A scripted agent: no model, no network.")
    parser.add_argument("project", type=Path, help="the scratch project it works in")
    parser.add_argument("--fast", action="store_true", help="without pauses")
    asked = parser.parse_args(arguments)
    if not asked.project.is_dir():
        parser.exit(USAGE, f"{asked.project} is no folder. Name the scratch project.\n")
    if sys.stdout is None:
        return _SIGNALLED + signal.SIGPIPE
    try:
        return run(asked.project.resolve(), sys.stdout.buffer, Rest(fast=asked.fast))
    except BrokenPipeError:
        # What is left in the buffer would be tried again, and complained about, at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _SIGNALLED + signal.SIGPIPE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
