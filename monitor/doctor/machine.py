"""The machine: what is noticed at once, git, the terminal, and the folders monitor writes to."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from monitor import __version__
from monitor.config import state_path
from monitor.doctor.check import Check

_INOTIFY = Path("/proc/sys/fs/inotify")
_NEEDED = {"watches": 65_536, "instances": 128}
"""What twenty followed runs in large projects take, with room for editors."""


def machine(env: Mapping[str, str] = os.environ, inotify: Path = _INOTIFY) -> Iterator[Check]:
    """Everything about it."""
    words = f"{__version__}, Python {sys.version.partition(' ')[0]}, {sys.platform}"
    yield Check("machine", "monitor", "ok", words)
    yield from _notices(inotify)
    yield _processes()
    yield _git()
    yield _terminal(env)
    yield _state()


def _notices(inotify: Path) -> Iterator[Check]:
    if not sys.platform.startswith("linux"):
        yield Check("machine", "notices", "note", "files are looked at in turns: this system has no inotify")
        return
    for name, needed in _NEEDED.items():
        key = f"fs.inotify.max_user_{name}"
        try:
            figure = int((inotify / f"max_user_{name}").read_text())
        except (OSError, ValueError):
            yield Check("machine", key, "note", "cannot be read")
            continue
        if figure >= needed:
            yield Check("machine", key, "ok", f"{figure:,}")
        else:
            advice = f"sysctl {key}={needed}; beyond the limit changes are noticed later"
            yield Check("machine", key, "lack", f"{figure:,}, fewer than {needed:,}", advice)


def _processes() -> Check:
    if not Path("/proc/self/stat").exists():
        words = "this system does not tell start times as the agents do: some live runs show as unknown"
        return Check("machine", "processes", "note", words)
    held = hasattr(os, "pidfd_open")
    words = "verified by id and start time" + (", held while they are signalled" if held else "")
    return Check("machine", "processes", "ok", words)


def _git() -> Check:
    path = shutil.which("git")
    if path is None:
        words = "not on the PATH: repositories are read without it, and not compared with what was measured with it"
        return Check("machine", "git", "lack", words, "Install git")
    return Check("machine", "git", "ok", path)


def _terminal(env: Mapping[str, str]) -> Check:
    name = env.get("TERM", "")
    deep = env.get("COLORTERM", "") in ("truecolor", "24bit")
    colours = "24-bit colour" if deep else "256 colours" if "256" in name else "16 colours, or not told"
    utf = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    words = f"{name or 'TERM is not set'}, {colours}, {sys.stdout.encoding or 'no encoding'}"
    if not name or name == "dumb":
        return Check(
            "machine",
            "terminal",
            "lack",
            words,
            "Use a terminal that draws: TERM=xterm-256color, or watch, runs and report",
        )
    if not utf:
        return Check("machine", "terminal", "lack", words, "Set a UTF-8 locale, or draw with --ascii")
    return Check("machine", "terminal", "ok", words + (", NO_COLOR is set" if "NO_COLOR" in env else ""))


def _state() -> Check:
    """Where monitor keeps its own records, and whether it can; looking makes nothing."""
    folder = state_path()
    there = next(one for one in (folder, *folder.parents) if os.access(one, os.F_OK))
    advice = "Make room there, or set XDG_STATE_HOME"
    if not there.is_dir():
        return Check("machine", "state folder", "lack", f"{folder}: {there} is no folder", advice)
    if not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Check("machine", "state folder", "lack", f"{folder}: {there} cannot be written to", advice)
    if there != folder:
        return Check("machine", "state folder", "ok", f"{folder}, not there yet: made when a run is first followed")
    if folder.stat().st_uid != os.getuid():
        return Check("machine", "state folder", "lack", f"{folder}: the folder is another user's", advice)
    return Check("machine", "state folder", "ok", f"{folder}, {_size(folder) / 1e6:,.1f} MB")


def _size(folder: Path) -> int:
    """Bytes of all files below a folder; what goes meanwhile counts nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                there = Path(place, name).lstat()
                total += there.st_size if stat.S_ISREG(there.st_mode) else 0
    return total
