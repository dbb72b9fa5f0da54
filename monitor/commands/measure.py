"""`monitor measure`: the exact fingerprint of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import click

from monitor.commands.output import emit
from monitor.config import state_folder
from monitor.errors import USAGE, MonitorError
from monitor.worktree.compare import compare
from monitor.worktree.fingerprint import measure
from monitor.worktree.measurement import Measurement
from monitor.worktree.measurement_json import MeasurementError, from_json, to_json


def measured(folder: Path, *, since: Path | None) -> int:
    """Print the measurement, and against an earlier one what changed; 0 when it could be measured, else 3."""
    if not folder.is_dir():
        raise MonitorError(f"{folder}: no such folder", "Give the project folder", USAGE)
    before = _earlier(since) if since else None
    now = measure(folder.resolve(), state=_state())
    comparison = compare(before, now) if before else None
    emit(json.dumps(to_json(now, comparison), indent=2) + "\n")
    if now.without_git:
        click.echo(f"monitor: {now.without_git}: this compares only with what was measured without it", err=True)
    return 0 if now.content is not None else 3


def _state() -> Path | None:
    """Where it keeps what it needs meanwhile; none for the system's temporary folder."""
    try:
        return state_folder()
    except MonitorError:
        return None


def _earlier(file: Path) -> Measurement:
    try:
        return from_json(file.read_bytes())
    except OSError as error:
        raise MonitorError(f"{file}: {error.strerror or error}", "Give a file that holds an earlier output") from None
    except MeasurementError as error:
        raise MonitorError(f"{file}: {error}", "Give a file that holds an earlier output of monitor measure") from None
