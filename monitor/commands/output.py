"""Standard output, whose reader may go away."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from monitor.config import chosen_numbers
from monitor.errors import MonitorError


def warn_of_config() -> None:
    """Say on stderr, a line each, which numbers of the user's config could not be taken; the defaults stand in."""
    for problem in chosen_numbers().problems:
        click.echo(f"monitor: {problem}", err=True)


def emit(text: str) -> None:
    """Print and flush; when nobody reads any more, end quietly: `monitor … | head` is no error."""
    _give(lambda: sys.stdout.write(text))


def emit_data(data: bytes) -> None:
    """The same of bytes, which are given as they are."""
    sys.stdout.flush()
    _give(lambda: sys.stdout.buffer.write(data))


def _give(write: Callable[[], object]) -> None:
    try:
        write()
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not be flushed into the closed pipe when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise MonitorError(
            f"standard output cannot be written ({error.strerror})", "Make room, or name a file"
        ) from None
