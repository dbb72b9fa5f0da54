"""Writing in the operator's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from monitor.errors import MonitorError
from monitor.text import clean

LARGEST = 1 << 20
"""Bytes of a text that is taken back."""


def edited(text: str) -> str:
    """The text as the operator leaves it in $VISUAL or $EDITOR, clean.

    Blocks until the editor ends. Raises `MonitorError`; the text is then as it was.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise MonitorError(f"$EDITOR cannot be read: {problem}", "Set it to a command") from None
    if not words:
        raise MonitorError("No editor is set", "Set $EDITOR to the command that opens yours")
    try:
        with tempfile.TemporaryDirectory(prefix="monitor-", ignore_cleanup_errors=True) as folder:
            file = Path(folder) / "feedback.md"
            file.write_text(text, encoding="utf-8")
            _open(words, file)
            return _read(file)
    except OSError as problem:
        raise MonitorError(
            f"The draft cannot be put into a file: {problem.strerror or problem}", "The draft is as it was"
        ) from None


def _open(words: list[str], file: Path) -> None:
    try:
        done = subprocess.run([*words, str(file)], check=False)  # noqa: S603 - the operator's own editor
    except OSError as problem:
        raise MonitorError(f"{words[0]} cannot be started: {problem.strerror}", "Set $EDITOR to your editor") from None
    if done.returncode:
        raise MonitorError(f"{words[0]} ended with {done.returncode}", "The draft is as it was")


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as problem:
        raise MonitorError(f"What was written cannot be read: {problem.strerror}", "The draft is as it was") from None
    if len(data) > LARGEST:
        raise MonitorError(f"What was written is larger than {LARGEST:,} bytes", "The draft is as it was")
    return clean(data.decode("utf-8", "replace")).rstrip("\n")
