"""Starts an agent that goes on whatever becomes of monitor, and says where it can be found again."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import monitor
from monitor.agents.protocol import Finder
from monitor.channels.kept import KeptWire, connected
from monitor.config import make_private, state_folder
from monitor.errors import USAGE, MonitorError
from monitor.keeping.store import RESERVE
from monitor.launch.command import Prepared
from monitor.launch.launched import AGENT, ENDED, LAUNCH, SOCKET, Launched, LaunchedFinder, new_name
from monitor.text import line, shorten

_PATIENCE = 20.0
"""Seconds a keeper has to start, and an agent's pipe to take its first lines."""
_PAUSE = 0.02
_MOST = 1 << 30
"""Bytes of what ended runs have said that are kept."""
_DAY = 86_400
_BOOT = (
    "import os, sys; os.fork() and os._exit(0); sys.path.append(sys.argv[1]); "
    "from pathlib import Path; from monitor.keeping.keeper import main; sys.exit(main(Path(sys.argv[2])))"
)
"""The keeper belongs to nobody, so that nobody's end is its own; nothing of the folder it is started in is imported."""


def launch(prepared: Prepared, cwd: Path, finders: Sequence[Finder]) -> Launched:
    """Start it in a folder. Raises `MonitorError` where it cannot be started."""
    if shutil.which(prepared.command[0], path=os.environ.get("PATH")) is None:
        raise MonitorError(f"{_shown(prepared.command[0])}: no such program", "Check its name, or install it", USAGE)
    folder = _folder(prepared, cwd)
    _keep(folder)
    _wait(lambda: (folder / AGENT).exists() or (folder / ENDED).exists(), "the agent's keeper did not start")
    found = LaunchedFinder(finders).open(folder)
    assert isinstance(found, Launched)
    if (problem := (found.ended() or {}).get("problem")) is not None:
        raise MonitorError(
            f"{_shown(prepared.command[0])} cannot be started: {line(str(problem))}", "Try it without monitor"
        )
    _say(folder, prepared.first)
    found.task = prepared.task
    return found


def reached(folder: Path) -> socket.socket | None:
    """A connection to the keeper of a run; none once it has ended."""
    return connected(folder / SOCKET)


def _folder(prepared: Prepared, cwd: Path) -> Path:
    chance = secrets.token_hex(3)
    runs = state_folder("runs")
    prune(runs)
    _need_room(runs)
    folder = runs / new_name(time.time(), chance)
    told = {
        "agent": prepared.agent, "command": prepared.command, "cwd": str(cwd), "input": prepared.listens,
        "wire": prepared.wire, "env": dict(prepared.env), "ask": dict(prepared.ask),
        "mark": f"MONITOR_RUN={secrets.token_hex(16)}", "began": time.time(),
    }  # fmt: skip
    try:
        make_private(folder)
        (folder / LAUNCH).touch(0o600)
        (folder / LAUNCH).write_text(json.dumps(told), encoding="utf-8")
    except OSError as error:
        raise MonitorError(f"{folder}: {error.strerror or error}", "Make room there, or set XDG_STATE_HOME") from None
    return folder


def _need_room(runs: Path) -> None:
    """Raise where what the agent says could not be kept, so that nothing of it would be seen."""
    disk = os.statvfs(runs)
    free = disk.f_bavail * disk.f_frsize
    if disk.f_blocks and free < RESERVE:
        raise MonitorError(
            f"{runs}: only {free >> 20:,} MiB are free on its disk, too little to keep what the agent says",
            "Make room there, or set XDG_STATE_HOME",
        )


def prune(runs: Path, most: int = _MOST, now: float | None = None) -> None:
    """Remove the oldest runs that have ended beyond so many bytes; what ended within the last day stays."""
    now = time.time() if now is None else now
    total = 0
    for folder in sorted(runs.iterdir(), reverse=True):  # their names begin with the time
        ended = folder / ENDED
        with suppress(OSError):
            total += sum(one.stat().st_size for one in folder.iterdir())
            if total > most and ended.exists() and now - ended.stat().st_mtime > _DAY:
                shutil.rmtree(folder)


def _keep(folder: Path) -> None:
    root = Path(monitor.__file__).parents[1]
    command = [sys.executable, "-P", "-c", _BOOT, str(root), str(folder)]
    try:
        subprocess.run(  # noqa: S603 - our own keeper, by our own interpreter
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, check=True, timeout=_PATIENCE,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        raise MonitorError("the agent's keeper cannot be started", "Try the command without monitor") from None


def _say(folder: Path, lines: Sequence[str]) -> None:
    """Say the first lines and see them taken."""
    if not lines:
        return
    opened = reached(folder)
    if opened is None:
        return
    wire = KeptWire(opened)
    try:
        for one in lines:
            wire.say(one)
        problems: list[str] = []

        def taken() -> bool:
            problems.extend(problem for _, problem in wire.poll() if problem)
            return not wire.waits

        _wait(taken, "the agent does not read its standard input")
    finally:
        wire.close()


def _wait(condition: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise MonitorError(why, "Try the command without monitor")
        time.sleep(_PAUSE)


def _shown(word: str) -> str:
    return shorten(line(word), 80)
