"""What is said on the terminal once the screen is gone, of an abort that was under way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

import click

from monitor.processes.plan import Plan
from monitor.snapshot import ActionFacts, Snapshot
from monitor.text import line, plural, shorten

_FINAL = ("done", "failed")
_BEGINS = 2.0
"""Seconds that what was asked for at the last moment has to be begun."""
_LONGEST = 30.0
"""Seconds for which an abort is waited for: its steps take five each."""
_AT_ONCE = 0.5
"""Seconds after which the operator is told what he waits for."""
_PAUSE = 0.05
_NAMED = 5


class Aborting(Protocol):
    """A run that may be ended just now."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The ids of what was asked of its channel."""

    def plan(self) -> Plan | None:
        """The processes that it has now."""


def last_word(
    source: Aborting, *, waits: bool = True, say: Callable[[str], None] | None = None, longest: float = _LONGEST
) -> None:
    """Say what became of an abort that the operator left before it was done: what is gone, what is left, what to do.

    Nothing is said where none was under way. It is waited for while time is given to a step; ctrl+c ends the wait.
    """
    say = say or _tell
    ended = tuple(one.id for one in source.snapshot.actions if one.action == "abort" and one.receipt in _FINAL)
    _wait(lambda: _begun(source), _BEGINS)
    under_way = partial(_latest, source, ended)
    if (abort := under_way()) is None:
        return
    if waits and not _settled(under_way()):
        try:
            _wait(lambda: _settled(under_way()), _AT_ONCE)
            if not _settled(under_way()):
                say("the abort goes on: waiting for what becomes of it, ctrl+c to leave at once")
                _wait(lambda: _settled(under_way()), longest)
        except KeyboardInterrupt:
            _report(source, under_way() or abort, say)
            raise
    _report(source, under_way() or abort, say)


def _begun(source: Aborting) -> bool:
    """Whether all that was asked for is under way: what is still queued would be lost with the screen."""
    return set(source.asked) <= {one.id for one in source.snapshot.actions}


def _latest(source: Aborting, ended: Sequence[str]) -> ActionFacts | None:
    """The latest abort that had not ended when the screen was left."""
    actions = source.snapshot.actions
    return next((one for one in reversed(actions) if one.action == "abort" and one.id not in ended), None)


def _settled(abort: ActionFacts | None) -> bool:
    """Whether nothing more comes of it unasked."""
    if abort is None or abort.receipt in _FINAL:
        return True
    return abort.receipt != "queued" and not abort.then and (abort.until is None or abort.until <= time.time())


def _report(source: Aborting, abort: ActionFacts, say: Callable[[str], None]) -> None:
    told = abort.evidence or "there is no news of it"
    if abort.receipt in _FINAL:
        say(f"the abort {'is done' if abort.receipt == 'done' else 'failed'}: {told}")
    else:
        say(f"the abort is not done: {told}")
    plan = source.plan() if abort.receipt != "done" else None
    left = [one for one in plan.processes if not one.stays] if plan is not None else []
    if left:
        named = ", ".join(f"{one.pid} {shorten(one.command, 40)}" for one in left[:_NAMED])
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        say(f"{plural(len(left), 'process', 'processes')} of the run still running: {named}{more}")
        force = "" if any(one.depth == 0 for one in left) else "-KILL "
        say(f"to end what is left: kill {force}{' '.join(str(one.pid) for one in left)}")


def _wait(condition: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(_PAUSE)


def _tell(words: str) -> None:
    """On stderr; a terminal that is gone hears nothing."""
    with suppress(OSError):
        click.echo(f"monitor: {line(words)}", err=True)
