"""Logs that are followed, and what was told of them."""

from __future__ import annotations

from pathlib import Path

from monitor.streams.follow import Follower
from monitor.streams.record import Input, Record, Shift


def follow(path: Path, **more) -> Follower:
    return Follower(Input(0, path.name, "transcript", path), **more)


def told(found: list[Record | Shift]) -> list[tuple[int, bytes, int] | tuple[str, str]]:
    """Records as line, data and generation; shifts as what and text."""
    return [(one.line, one.data, one.generation) if isinstance(one, Record) else (one.what, one.text) for one in found]
