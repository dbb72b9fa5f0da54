"""How things are written on this terminal: its signs, its clock, its home folder, its user's keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from monitor.ui.keys import KEYS, Key
from monitor.ui.marks import EIGHTHS, MARKS

TWINS = {ord(sign): twin for sign, twin in MARKS.values()}


@dataclass(frozen=True, slots=True)
class Pen:
    """What every drawing needs besides its data."""

    ascii: bool = False
    """Only ASCII signs."""
    zone: tzinfo | None = None
    """The time zone of clock times; none is the machine's own."""
    home: str = ""
    """The folder shown as `~`; empty for none."""
    keys: tuple[Key, ...] = KEYS
    """Every key, as the user wants it."""
    measures: bool = True
    """Whether the folder can be measured now."""

    def key(self, name: str) -> str:
        """The key that does what the action of that id does."""
        return next((key.first for key in self.keys if key.id == name), name)

    def mark(self, name: str) -> str:
        """The sign of that name; an unknown name is a blank."""
        return MARKS[name][self.ascii] if name in MARKS else " "

    def own(self, text: str) -> str:
        """Our own words with our signs in ASCII; never for what an agent or a file says."""
        return text.translate(TWINS) if self.ascii else text

    def eighth(self, filled: int) -> str:
        """A cell filled from below by so many eighths."""
        return EIGHTHS[self.ascii][max(0, min(8, filled))]

    def clock(self, at: float | None, now: float | None = None) -> str:
        """`12:08:33`, with the day before it when `now` is another day; empty for no time."""
        if at is None:
            return ""
        try:
            moment = datetime.fromtimestamp(at, self.zone)
            today = moment if now is None else datetime.fromtimestamp(now, self.zone)
        except (ValueError, OverflowError, OSError):
            return ""
        if moment.date() == today.date():
            return f"{moment:%H:%M:%S}"
        year = f" {moment.year}" if moment.year != today.year else ""
        return f"{moment.day} {moment:%b}{year} {moment:%H:%M:%S}"

    def place(self, path: str) -> str:
        """The path with the home folder as `~`."""
        home = self.home.rstrip("/")
        if home and (path == home or path.startswith(home + "/")):
            return "~" + path[len(home) :]
        return path


def took(seconds: float | None) -> str:
    """`0.2s`, `41s`, `1m 04s`, `2h 05m`, `3d 04h`; empty for no time."""
    if seconds is None or not 0 <= seconds < 1e9:
        return ""
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02}s"
    if whole < 86400:
        return f"{whole // 3600}h {whole % 3600 // 60:02}m"
    return f"{whole // 86400}d {whole % 86400 // 3600:02}h"


def whole(seconds: float) -> str:
    """A duration that still runs: without tenths, never negative; empty where the times are of no common clock."""
    passed = max(0, int(seconds))
    return f"{passed}s" if passed < 60 else took(passed)


def count(number: int) -> str:
    """`812`, `9,999`, `12k`, `1.2M`."""
    if number < 10_000:
        return f"{number:,}"
    return f"{number / 1000:.0f}k" if number < 999_500 else f"{number / 1_000_000:.1f}M"
