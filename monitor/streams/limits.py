"""Says which limit of the system is in the way of noticing changes, and how to raise it."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

_SYSCTL = Path("/proc/sys")


def explain(error: OSError, limit: Literal["watches", "instances"], late: str) -> str:
    """What is in the way; `limit` is what the kernel calls the limit that may be, `late` what happens instead."""
    if error.errno == errno.EMFILE and not _may_open():
        return f"this process may open no more files (`ulimit -n`): {late}"
    if error.errno not in (errno.ENOSPC, errno.EMFILE):
        return f"no notice of some changes ({error.strerror}): {late}"
    figure, name = min(((_figure(path), name) for path, name in _limits(limit)), key=lambda pair: pair[0])
    shown = int(figure) if figure < math.inf else "unknown"
    return f"the limit {name} = {shown} is reached: {late}; raise it with `sysctl {name}=NUMBER`"


def _limits(limit: str) -> Iterator[tuple[Path, str]]:
    """The machine's limit, and that of the container we may be in."""
    yield _SYSCTL / "fs" / "inotify" / f"max_user_{limit}", f"fs.inotify.max_user_{limit}"
    yield _SYSCTL / "user" / f"max_inotify_{limit}", f"user.max_inotify_{limit}"


def _figure(path: Path) -> float:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return math.inf


def _may_open() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return False
    return True
