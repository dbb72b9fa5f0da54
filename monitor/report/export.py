"""Writes a run's summary where its operator finds it again."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.report import as_markdown
from monitor.report.build import build
from monitor.report.redact import finished
from monitor.snapshot import Snapshot
from monitor.streams.record import Account

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def export(snapshot: Snapshot, accounts: Sequence[Account], now: float) -> str:
    """Write the redacted summary as Markdown into the state folder; its path.

    Never into the project. Raises `MonitorError` when it cannot be written.
    """
    report = finished(build(snapshot, accounts), home=str(Path.home()))
    text, run = as_markdown.render([report]), report["runs"][0]
    folder = state_folder("reports")
    words = re.sub(r"[^A-Za-z0-9]+", "-", f"{run['agent'] or ''} {run['session'] or ''}").strip("-")[:60] or "run"
    stem = f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}-{words}"
    for number in range(1, 100):
        path = folder / (f"{stem}.md" if number == 1 else f"{stem}-{number}.md")
        try:
            _write(path, text)
        except FileExistsError:
            continue
        except OSError as error:
            raise MonitorError(
                f"{path}: cannot be written ({error.strerror})", "Make room in the state folder"
            ) from None
        return str(path)
    raise MonitorError(f"{folder}: too many summaries of this second", "Try again")


def _write(path: Path, text: str) -> None:
    """Write a new file, whole or not at all."""
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        path.unlink(missing_ok=True)
        raise
