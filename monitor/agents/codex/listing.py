"""Lists Codex's threads: its rollouts, and the processes that hold them open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from monitor.agents.codex.kin import ROLLOUT_NAME, rollouts
from monitor.agents.codex.process import can_tell, held, home
from monitor.agents.codex.started import is_start
from monitor.agents.fields import part, parts, raw, read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.text import first_line, shorten

_LONGEST = 200
_TURN = re.compile(rb'"type"\s*:\s*"(task_started|turn_started|task_complete|turn_complete|turn_aborted)"')


class CodexLister:
    """Knows where Codex of this user keeps its threads."""

    def places(self) -> Sequence[Path]:
        """The folder of sessions."""
        return (home() / "sessions",)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every thread."""
        holders = held(program.pid for program in machine.programs("codex"))
        for path, told, last in ends.of_all(rollouts(home() / "sessions"), _about):
            if told.known:
                yield _thread(path, told, last, holders)


LISTER = CodexLister()


@dataclass(frozen=True, slots=True)
class _About:
    known: bool = False
    folder: str = ""
    version: str = ""
    title: str = ""
    in_turn: bool = False
    """The latest turn that was begun has not ended."""


def _about(head: bytes, tail: bytes) -> _About:
    lines = head.splitlines()
    found = read_object(lines[0]) if lines else ""
    turns = _TURN.findall(tail) or _TURN.findall(head)
    in_turn = bool(turns) and turns[-1].endswith(b"started")
    if isinstance(found, str):
        return _About(known=b'"session_meta"' in head[:200], in_turn=in_turn)
    meta = part(found, "payload")
    return _About(is_start(found), text(meta, "cwd"), text(meta, "cli_version"), _prompt(lines[1:]), in_turn)


def _prompt(lines: Sequence[bytes]) -> str:
    """The first thing the user said."""
    for line in lines:
        if b"UserMessage" not in line and b"user_message" not in line:
            continue
        found = read_object(line)
        payload = part(found, "payload") if isinstance(found, dict) else {}
        words = [text(one, "text") for one in parts(part(payload, "item"), "content")] or [text(payload, "message")]
        if words[0].strip() and raw(payload, "type") in ("item_completed", "user_message"):
            return shorten(first_line(words[0]), _LONGEST)
    return ""


def _thread(path: Path, about: _About, last: float, holders: Mapping[tuple[int, int], int]) -> Listed:
    found = ROLLOUT_NAME.fullmatch(path.name)
    began, session = (found[1], found[2]) if found else ("", path.stem)
    state, how, pid = _standing(path, about, holders)
    return Listed(
        "codex", session, path, state, how, about.folder, about.title, _moment(began), last, pid, about.version
    )


def _standing(path: Path, about: _About, holders: Mapping[tuple[int, int], int]) -> tuple[ListedState, str, int | None]:
    if not can_tell():
        return "unknown", "this system does not tell which process holds its rollout open", None
    try:
        stat = path.stat()
    except OSError:
        return "unknown", "its rollout cannot be looked at", None
    pid = holders.get((stat.st_dev, stat.st_ino))
    if pid is None:
        return "ended", "no process of Codex holds its rollout open", None
    if about.in_turn:
        return "live", f"process {pid} holds its rollout open, in a turn that has not ended", pid
    return "idle", f"process {pid} holds its rollout open, and its last turn has ended", pid


def _moment(told: str) -> float | None:
    """The moment in a rollout's name, by this machine's clock."""
    try:
        return datetime.strptime(told, "%Y-%m-%dT%H-%M-%S").timestamp()  # noqa: DTZ007 - Codex names it in local time
    except (ValueError, OverflowError):
        return None
