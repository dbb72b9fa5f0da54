"""How many rows there are, and what the timeline does with them, in a few words."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.replay.playback import Playback
from monitor.text import shorten


@dataclass(frozen=True, slots=True)
class Counted:
    """What the words depend on."""

    total: int
    live: bool = True
    new: int | None = None
    """Rows that came since the view is held; none when it is not."""
    playback: Playback | None = None
    cursor: int | None = None
    """The row at the cursor; none when it follows the end."""
    found: int | None = None
    """Rows that a filter lets through; none without one."""
    searched: float = 1.0
    """The share of the rows that the filter has looked at."""
    query: str = ""


def counted(one: Counted) -> str:
    """The words at the right of the timeline's heading."""
    rows = f"{one.total:,} {'row' if one.total == 1 else 'rows'}"
    if one.found is not None:
        rest = "" if one.searched >= 1 else f"{int(100 * one.searched)}% searched"
        return " · ".join(filter(None, (f"{one.found:,} of {rows}", rest, shorten(one.query, 40))))
    if one.new is not None:
        return f"{rows} · held{f' · {one.new:,} new' if one.new > 0 else ''}"
    if one.playback is not None and one.playback.read < 1:
        return "reading the log"
    here = rows if one.cursor is None else f"row {one.cursor + 1:,} of {one.total:,}"
    if one.playback is not None:
        end = one.playback.count >= one.playback.total
        return f"{here} · {'playing' if one.playback.playing else 'end of the log' if end else 'paused'}"
    if not one.live:
        return f"{rows} · end of the log"
    return f"{rows} · following" if one.cursor is None else here
