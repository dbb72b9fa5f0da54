"""Files that hold several runs, each of which is named by a line of it: `FILE:12`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from monitor.agents.aider.find import runs_in as sessions_in
from monitor.agents.openhands.find import runs_in as instances_in
from monitor.agents.protocol import Found
from monitor.errors import MonitorError
from monitor.streams.record import Span
from monitor.text import line, shorten


def each_run(target: str) -> Sequence[str]:
    """The targets of all runs that a target stands for; itself where it is one run."""
    path = Path(target).expanduser()
    runs = (instances_in(path) or sessions_in(path)) if os.path.lexists(path) else ()
    return [f"{target}:{_span(run).line}" for run in runs] if len(runs) > 1 else [target]


def refuse_several(path: Path, target: str) -> None:
    """Raise where a file holds several runs, none of which is the latest."""
    runs = instances_in(path)
    if len(runs) > 1:
        first, last = (_shown(f"{target}:{_span(run).line}") for run in (runs[0], runs[-1]))
        raise MonitorError(f"{_shown(target)}: {len(runs):,} runs in one file", f"Name one of them, {first} to {last}")


def run_on_line(target: str) -> Found | None:
    """The run of a file that stands on a line: `FILE:12`; none for any other target."""
    name, _, number = target.rpartition(":")
    path = Path(name).expanduser()
    if not (name and number.isascii() and number.isdigit() and os.path.lexists(path)):
        return None
    wanted = int(number[:9])
    for run in instances_in(path) or sessions_in(path):
        if 0 <= wanted - _span(run).line < _span(run).lines:
            return run
    raise MonitorError(f"{_shown(target)}: no run on that line", f"Name the file alone: {_shown(name)}")


def _span(run: Found) -> Span:
    return run.inputs()[0].span or Span(1, 0, 0)


def _shown(target: str) -> str:
    return shorten(line(target), 120)
