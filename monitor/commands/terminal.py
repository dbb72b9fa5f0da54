"""Runs the screen, and leaves the terminal as it was, whatever ends the screen."""

from __future__ import annotations

import signal
import sys
import termios
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from monitor.commands.last_word import last_word
from monitor.supervisor import Supervisor
from monitor.ui.app import SIGNALS, MonitorApp

_SIGNALLED = 128
"""What a shell adds to a signal's number to make an exit code of it."""
_LEAVING = "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l\x1b[?2004l"
"""The main screen, the cursor, wrapped lines; no mouse, no focus, no marks around what is pasted."""


def run(app: MonitorApp) -> int:
    """Show it until the operator quits; the exit code, 128 and the signal's number where one ended it."""
    with restored():
        app.run()
    return app.return_code or 0


def report_aborts(sources: Iterable[object], code: int) -> None:
    """Say what became of aborts under way; one that a signal sent away does not wait for it."""
    for source in sources:
        if isinstance(source, Supervisor):
            last_word(source, waits=code < _SIGNALLED)


@contextmanager
def restored() -> Iterator[None]:
    """Put the terminal back if the screen did not; a signal that comes before the screen hears any ends us cleanly."""
    before = _settings()
    whole = False
    with heeded():
        try:
            yield
            whole = True
        finally:
            if not whole or _settings() != before:
                _put_back(before)


@contextmanager
def heeded() -> Iterator[None]:
    """A signal that nothing else hears ends us as an exit does, so that what is open is closed; an ignored one stays so."""
    kept = {number: signal.signal(number, _leave) for number in _heard()}
    try:
        yield
    finally:
        _hear(kept)


@contextmanager
def undisturbed() -> Iterator[None]:
    """A signal waits for the end of the block: a program that is just being started would go on without us."""
    came: list[int] = []
    kept = {number: signal.signal(number, lambda number, _: came.append(number)) for number in _heard()}
    try:
        yield
    finally:
        _hear(kept)
        if came:
            signal.raise_signal(came[0])


def _heard() -> list[signal.Signals]:
    """Those that are not ignored, as they are in the background of a shell."""
    return [number for number in _numbers() if signal.getsignal(number) != signal.SIG_IGN]


def _hear(kept: dict[signal.Signals, Any]) -> None:
    for number, handler in kept.items():
        signal.signal(number, handler)


def _numbers() -> list[signal.Signals]:
    return [signal.Signals[name] for name in SIGNALS if name in signal.Signals.__members__]


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(_SIGNALLED + number)


def _settings() -> list[Any] | None:
    with suppress(OSError, ValueError, AttributeError, termios.error):
        return termios.tcgetattr(sys.__stdin__.fileno()) if sys.__stdin__ is not None else None
    return None


def _put_back(before: list[Any] | None) -> None:
    with suppress(OSError, ValueError, AttributeError, termios.error):
        if before is not None and sys.__stdin__ is not None:
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, before)
        if sys.__stderr__ is not None:
            sys.__stderr__.write(_LEAVING)
            sys.__stderr__.flush()
