"""`monitor replay`: a finished log on the screen, at its own pace."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from monitor.commands.attach import need_terminal, screen
from monitor.errors import USAGE, MonitorError
from monitor.replay.replay import Replay
from monitor.targets import find, project_folder


def show(
    log: str, *, speed: float | None, start: str | None, project: Path | None, theme: str | None, ascii_only: bool
) -> int:
    """Replay a log on the screen until the operator quits."""
    need_terminal()
    replay = Replay(
        find(log), project=project_folder(project), start=moment(start) if start else None, speed=speed or 1.0
    )
    replay.begin()
    try:
        return screen(replay, theme=theme, ascii_only=ascii_only)
    finally:
        replay.close()


def moment(text: str) -> float:
    """A time of day or a date with it, as seconds since the epoch; a bare time of day is under 86,400."""
    for form in ("%H:%M:%S", "%H:%M"):
        try:
            found = datetime.strptime(text, form)  # noqa: DTZ007 - a time of day belongs to the log's own day
        except ValueError:
            continue
        return found.hour * 3600 + found.minute * 60 + found.second
    try:
        return datetime.fromisoformat(text).astimezone().timestamp()
    except ValueError:
        raise MonitorError(f"--from {text}: no time", "Use 12:05, 12:05:41, or 2026-11-30T12:05:41", USAGE) from None
