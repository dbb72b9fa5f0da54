"""How a run that monitor started came to its end: what its keeper wrote down, and the abort that a monitor recorded."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from monitor.events import NOWHERE, Acted, SourceChanged
from monitor.launch.recorded import Recorded
from monitor.text import line, shorten

_LONG = 160
_CLIMB = 60.0
"""Seconds within which a process that an abort has reached is ended by it: all steps of an abort, and the last look."""
_REACHED = ("delivered", "seen", "done")


def fate(ended: Mapping[str, Any]) -> SourceChanged:
    """What the keeper wrote of the end."""
    code, problem = ended.get("code"), ended.get("problem")
    text = "the agent's process is gone"
    if problem:
        text = f"the agent could not begin: {shorten(line(str(problem)), _LONG)}"
    elif name := _signal(code):
        text = f"the agent's process was ended by {name}"
    elif isinstance(code, int) and not isinstance(code, bool):
        text = f"the agent's process ended with exit code {code}"
    return SourceChanged(what="gone", text=text, seen=_moment(ended))


def abort(journals: Iterable[Recorded], ended: Mapping[str, Any]) -> tuple[Acted, ...]:
    """The latest abort that reached the agent, as a monitor recorded it; none where another cause may have ended it.

    A monitor that was left before it saw the end could not say that it was done: the keeper's word for the signal is.
    """
    told = [one for journal in journals for one in journal.aborts.values() if one.receipt in _REACHED]
    last = max(told, key=lambda one: (one.receipt == "done", one.seen), default=None)
    if last is None:
        return ()
    last = msgspec.structs.replace(last, seq=-1, place=NOWHERE, request=0, turn=0)
    if last.receipt == "done":
        return (last,)
    name = _signal(ended.get("code"))
    if not name or not 0 <= _moment(ended) - last.seen <= _CLIMB:
        return ()
    words = f"its process was ended by {name}"
    return (msgspec.structs.replace(last, receipt="done", evidence=words, until=None, then=""),)


def _signal(code: object) -> str:
    """The signal's name, where it was one."""
    if not isinstance(code, int) or code >= 0:
        return ""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _moment(ended: Mapping[str, Any]) -> float:
    at = ended.get("ended")
    return float(at) if isinstance(at, int | float) else 0.0
