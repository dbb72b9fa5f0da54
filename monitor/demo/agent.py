"""The scripted agent as a program: `python -m monitor.demo.agent PROJECT [--fast]`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from monitor.demo.ear import Ear
from monitor.demo.story import DEAF, Listener, story
from monitor.demo.voice import Voice

USAGE = 2
_SIGNALLED = 128
"""What a shell adds to a signal's number to make an exit code of it."""
_TICK = 0.03
"""Seconds: a write that comes sooner after a prompt may bear a time from before it."""


class Interrupted(Exception):  # noqa: N818 -- nothing went wrong: the agent was asked to stop
    """The agent was asked to stop, by the signal in `number` or as if by it."""

    def __init__(self, number: int, why: str = "") -> None:
        super().__init__(why or signal.Signals(number).name)
        self.number = number


class Rest:
    """Rests between two steps, and is woken by a signal: never within a step, so that every line is whole."""

    def __init__(self, ear: Ear, *, fast: bool) -> None:
        self._ear = ear
        self._fast = fast
        self._wakened, end = os.pipe()
        os.set_blocking(end, False)
        signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)

    def __call__(self, seconds: float) -> None:
        """Rest so long, or when fast as long as a file's time may lag behind the clock; what is said is heard."""
        end = time.monotonic() + (min(seconds, _TICK) if self._fast else seconds)
        while True:
            if self._ear.wait(end - time.monotonic(), self._wakened):
                raise Interrupted(os.read(self._wakened, 1)[0])
            if self._ear.aborted:
                raise Interrupted(signal.SIGINT, "told to stop by a control line")
            if time.monotonic() >= end:
                return


def run(project: Path, out: BinaryIO, rest: Callable[[float], None], ear: Listener = DEAF) -> int:
    """Play the story to its end or until it is interrupted; the exit code comes back."""
    voice = Voice(out, project)
    steps = story(voice, project, ear)
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
        ear = Ear(0)
        return run(asked.project.resolve(), sys.stdout.buffer, Rest(ear, fast=asked.fast), ear)
    except BrokenPipeError:
        # What is left in the buffer would be tried again, and complained about, at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _SIGNALLED + signal.SIGPIPE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
