"""A thread of an app-server that monitor started: what went over the wire, and the thread's rollout beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monitor.agents.codex.decode import BESIDE, ROLLOUT, CodexDecoder
from monitor.agents.codex.frame import read
from monitor.agents.codex.kin import Kin, thread_of
from monitor.agents.codex.process import home
from monitor.agents.fields import part, raw, read_object
from monitor.streams.files import read_head
from monitor.streams.record import Input

_HEAD = 1 << 18
"""Bytes of the wire in which the thread must be told of."""


class Served:
    """One thread; its rollout is an input once it is there, and so are those of its sub-agents."""

    agent = "codex"

    def __init__(self, path: Path | None, name: str) -> None:
        self.title = name
        self._path = path
        self._inputs = [Input(0, name, BESIDE, path)]
        self._kin: Kin | None = None

    def inputs(self) -> Sequence[Input]:
        """The wire, and the rollouts."""
        if self._kin is None and self._path is not None and (found := rollout_of(self._path)) is not None:
            self._inputs.append(Input(1, found.name, ROLLOUT, found))
            self._kin = Kin(found, thread_of(found))
        if self._kin is not None:
            self._kin.join(self._inputs)
        return tuple(self._inputs)

    def decoder(self) -> CodexDecoder:
        """A fresh one."""
        return CodexDecoder()

    def project(self) -> Path | None:
        """Nothing but the operator's own word tells."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


def rollout_of(wire: Path) -> Path | None:
    """The rollout of the thread that a wire tells of; a path that leads out of Codex's own sessions is nobody's."""
    thread, told = _told(wire)
    if not thread or not told:
        return None
    path, sessions = Path(told), home() / "sessions"
    try:
        inside = path.resolve(strict=True).is_relative_to(sessions.resolve())
    except (OSError, ValueError):
        return None
    return path if inside and not path.is_symlink() and thread_of(path) == thread else None


def _told(wire: Path) -> tuple[str, str]:
    """The id and the rollout of the first thread."""
    try:
        head = read_head(wire, _HEAD)
    except OSError:
        return "", ""
    for line in head.splitlines():
        if b"thread/started" not in line:
            continue
        found = read_object(line)
        frame = read(found) if isinstance(found, dict) else None
        if frame is not None and frame.method == "thread/started":
            thread = part(frame.params, "thread")
            return raw(thread, "id"), raw(thread, "path")
    return "", ""
