"""`monitor runs`: the runs found on this machine, live ones first."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from monitor.agents.listed import Listed
from monitor.commands.output import emit
from monitor.finding.listers import listers
from monitor.finding.standing import Place
from monitor.finding.survey import Sighting, Survey, together
from monitor.text import line, plural, shorten, width

_MOST = 20
"""Ended runs that are shown unless all are asked for."""
_TITLE = 60
_SHORT = 12
_WHOLE = 22
"""Characters of an id that is shown whole."""


def listed(*, as_json: bool, everything: bool) -> int:
    """Print them."""
    found = Survey(listers()).look()
    if as_json:
        _emit_json(found)
    elif found.runs:
        _emit_table(found, everything=everything)
    else:
        _emit_none(found.places)
    return 0


def age(at: float | None, now: float) -> str:
    """`12s`, `5m`, `3h`, `9d`: how long ago; a day to come by its date, and empty for no time."""
    if at is None:
        return ""
    if at > now + 86_400:
        try:
            return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"
        except (ValueError, OverflowError, OSError):
            return ""
    passed = max(int(now - at), 0)
    for unit, seconds in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if passed >= seconds:
            return f"{passed // seconds}{unit}"
    return f"{passed}s"


def where(places: Sequence[Place], home: str) -> list[str]:
    """Each folder that was looked into, and what came of it."""
    rows = []
    for one in places:
        path = str(one.path)
        shown = "~" + path[len(home) :] if home and path.startswith(home + "/") else path
        rows.append(line(f"{shown} ({one.agent}): {one.problem or plural(one.found, 'run')}"))
    return rows


def _emit_json(found: Sighting) -> None:
    shared = together(found.runs)
    runs = [
        {
            **asdict(one),
            "path": str(one.path) if one.path else None,
            "together": [other.key for other in shared.get(one.folder.rstrip("/"), ()) if other.key != one.key and one.alive],
        }
        for one in found.runs
    ]  # fmt: skip
    places = [{**asdict(one), "path": str(one.path)} for one in found.places]
    emit(json.dumps({"runs": runs, "places": places}, ensure_ascii=False) + "\n")


def _emit_table(found: Sighting, *, everything: bool) -> None:
    live = [one for one in found.runs if one.alive]
    rest = [one for one in found.runs if not one.alive]
    shown = rest if everything else rest[:_MOST]
    now, home = time.time(), str(Path.home())
    rows: list[tuple[str, ...]] = [("STATE", "AGENT", "SESSION", "AGE", "PROJECT", "TITLE", "KNOWN BECAUSE")]
    short = _short_names(one.session for one in found.runs)
    rows += [_row(one, short.get(one.session, one.session), now, home) for one in (*live, *shown)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
        emit("  ".join(cells).rstrip() + "\n")
    for folder, there in sorted(together(found.runs).items()):
        names = ", ".join(f"{one.called} {short.get(one.session, one.session)} (process {one.pid})" for one in there)
        emit(f"{plural(len(there), 'agent')} work in one folder, {line(f'{folder}: {names}')}\n")
    if len(shown) < len(rest):
        emit(f"and {len(rest) - len(shown):,} more that have ended: monitor runs --all\n")


def _short_names(sessions: Iterable[str]) -> dict[str, str]:
    """What is shown of each id: enough to name the run by."""
    long = {one for one in sessions if len(one) > _WHOLE}
    shared = Counter(one[:size] for one in long for size in (_SHORT, _WHOLE))
    return {one: next((one[:size] for size in (_SHORT, _WHOLE) if shared[one[:size]] == 1), one) for one in long}


def _row(one: Listed, session: str, now: float, home: str) -> tuple[str, ...]:
    folder = "~" + one.folder[len(home) :] if one.folder.startswith(home + "/") else one.folder
    return (
        one.state, line(one.called), line(session), age(one.last, now), shorten(line(folder) or "not known", 40),
        shorten(line(one.title), _TITLE), shorten(line(one.how), 80),
    )  # fmt: skip


def _emit_none(places: Sequence[Place]) -> None:
    emit("No run was found. monitor looked here:\n")
    for row in where(places, str(Path.home())):
        emit(f"  {row}\n")
    emit("See it at work on a scripted agent: monitor demo\n")
