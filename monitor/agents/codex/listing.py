"""Lists Codex's threads: its rollouts, and the processes that hold them open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from pathlib import Path

from monitor.agents.codex.kin import ROLLOUT_NAME, rollouts
from monitor.agents.codex.lineage import Lineage, lineage, meta_of
from monitor.agents.codex.process import can_tell, held, home
from monitor.agents.codex.started import is_start
from monitor.agents.fields import part, parts, raw, read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.text import first_line, shorten

_LONGEST = 200
_TITLED = 200
"""Of the latest threads so many are read further for their title: Codex 0.171 writes some 38 KB before the prompt."""
_FAR = 64 << 10
_TURN = re.compile(rb'"type"\s*:\s*"(task_started|turn_started|task_complete|turn_complete|turn_aborted)"')


class CodexLister:
    """Knows where Codex of this user keeps its threads."""

    def places(self) -> Sequence[Path]:
        """The folder of sessions."""
        return (home() / "sessions",)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every thread but those of sub-agents, which belong to the one at their top where that is there."""
        holders = held(program.pid for program in machine.programs("codex"))
        found = [one for one in ends.of_all(rollouts(home() / "sessions"), _about) if one[1].known]
        threads = {told.lineage.thread: told.lineage for _, told, _ in found if told.lineage.thread}
        below: dict[str, list[tuple[Path, _About, float]]] = {}
        for one in found:
            if (top := _top(one[1].lineage, threads)) is not None:
                below.setdefault(top, []).append(one)
        shown = sorted((one for one in found if _top(one[1].lineage, threads) is None), key=itemgetter(2), reverse=True)
        far = [path for path, told, _ in shown[:_TITLED] if not told.title]
        titles = {path: title for path, title, _ in ends.of_all(far, _title, _FAR)}
        for path, told, last in shown:
            named = replace(told, title=told.title or titles.get(path, ""))
            yield _thread(path, named, last, holders, below.get(told.lineage.thread, ()))


LISTER = CodexLister()


@dataclass(frozen=True, slots=True)
class _About:
    known: bool = False
    folder: str = ""
    version: str = ""
    title: str = ""
    in_turn: bool = False
    """The latest turn that was begun has not ended."""
    lineage: Lineage = Lineage()


def _about(head: bytes, tail: bytes) -> _About:
    lines = head.splitlines()
    found = read_object(lines[0]) if b"\n" in head else ""
    turns = _TURN.findall(tail) or _TURN.findall(head)
    # A turn's end is the last that is written of it: where the tail holds lines and no end, it goes on.
    in_turn = turns[-1].endswith(b"started") if turns else b"\n" in tail.rstrip()
    known = b'"session_meta"' in head[:200] if isinstance(found, str) else is_start(found)
    meta = meta_of(head) if isinstance(found, str) else part(found, "payload")
    return _About(known, text(meta, "cwd"), text(meta, "cli_version"), _prompt(lines[1:]), in_turn, lineage(meta))


def _title(head: bytes, _tail: bytes) -> str:
    return _prompt(head.splitlines()[1:])


def _top(told: Lineage, threads: Mapping[str, Lineage]) -> str | None:
    """The thread at the top of a sub-agent's, as far up as they are there; none for one that is no sub-agent's."""
    if told.parent and told.root in threads and told.root != told.thread:
        return told.root
    thread, met = told.thread, {told.thread}
    while told.parent in threads and told.parent not in met:
        told = threads[told.parent]
        met.add(told.thread)
    return told.thread if told.thread != thread and told.parent not in met else None


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


def _thread(
    path: Path,
    about: _About,
    last: float,
    holders: Mapping[tuple[int, int], int],
    below: Sequence[tuple[Path, _About, float]],
) -> Listed:
    found = ROLLOUT_NAME.fullmatch(path.name)
    began, session = (found[1], found[2]) if found else ("", path.stem)
    state, how, pid = _standing(path, about, holders)
    last = max([last, *(one for _, _, one in below)])
    if state == "idle" and any(_standing(one, told, holders)[0] == "live" for one, told, _ in below):
        state, how = "live", f"process {pid} holds its rollout open, and a sub-agent of its is in a turn"
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
