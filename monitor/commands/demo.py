"""`monitor demo`: a scripted agent in a scratch project, supervised live."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from monitor.agents.native.control import NativeChannel
from monitor.agents.native.find import FINDER
from monitor.agents.protocol import Decoder, Found
from monitor.channels.wire import PlainWire
from monitor.commands.attach import screen
from monitor.commands.output import emit
from monitor.commands.terminal import heeded, undisturbed
from monitor.commands.watch import until_ended
from monitor.control import Channel
from monitor.demo.project import scratch_project
from monitor.opening import piped, started
from monitor.processes.identity import identify
from monitor.report import as_text
from monitor.report.build import build
from monitor.report.redact import finished
from monitor.streams.record import Input

_PATIENCE = 5
"""Seconds the agent has to end after it was asked to."""


class _Child:
    """The scripted agent's run: a process of our own, its events on a pipe."""

    agent = "demo"
    title = "the demo agent"

    def __init__(self, process: subprocess.Popen[bytes], project: Path) -> None:
        self._process = process
        self._project = project
        self._piped = FINDER.pipe("demo agent")

    def inputs(self) -> Sequence[Input]:
        return self._piped.inputs()

    def decoder(self) -> Decoder:
        return self._piped.decoder()

    def project(self) -> Path | None:
        return self._project

    def alive(self) -> bool | None:
        return self._process.poll() is None


def play(*, fast: bool, theme: str | None, ascii_only: bool) -> int:
    """Show the demo; without a terminal it runs at full speed and the report is printed. A signal leaves nothing behind."""
    to_screen = all(one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr))
    with heeded(), ExitStack() as left:
        with undisturbed():
            project = left.enter_context(scratch_project())
            start = started(project, "the demo")
            process = _start(project, fast=fast or not to_screen)
            left.callback(_end, process)
        assert process.stdout is not None
        found: Found = _Child(process, project)
        supervisor = piped(found, os.dup(process.stdout.fileno()), project, start=start, channel=_channel(process))
        try:
            supervisor.start()
            if to_screen:
                return screen(supervisor, theme=theme, ascii_only=ascii_only)
            until_ended(supervisor)
        finally:
            supervisor.close()
        emit(as_text.render([finished(build(supervisor.snapshot, supervisor.accounts()), home=str(Path.home()))]))
        return 0


def _channel(process: subprocess.Popen[bytes]) -> Channel:
    """The scripted agent is told by control lines on its standard input."""
    assert process.stdin is not None
    return NativeChannel(PlainWire(os.dup(process.stdin.fileno())), lambda: identify(process.pid))


def _start(project: Path, *, fast: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "monitor.demo.agent", str(project), *(["--fast"] if fast else [])]
    return subprocess.Popen(  # noqa: S603 - our own agent, by our own interpreter
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the child we started, however far it got."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
