"""Reads back a span of a file that was read before, when its text is looked at."""

from __future__ import annotations

import os
from pathlib import Path

from monitor.streams.files import open_quietly, pread_all


def read_span(path: Path, offset: int, length: int, cap: int) -> bytes | None:
    """The first `cap` bytes of a span, as they are now; none when the file is gone or ends before the span does."""
    if min(offset, length, cap) < 0:
        return None
    try:
        descriptor = open_quietly(path)
    except OSError:
        return None
    try:
        if os.fstat(descriptor).st_size < offset + length:
            return None
        data = pread_all(descriptor, min(length, cap), offset)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) == min(length, cap) else None
