"""Small logs of Codex's sub-agents, as version 0.171 writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import codex_logs as logs

from monitor.agents.codex.decode import ROLLOUT
from monitor.events import Event, RunStarted
from monitor.streams.record import Input, Record

ROOT = "01a22d2e-0000-7633-b70f-82ecef623a4e"
DAY = "2026/11/30"


def thread(number: int) -> str:
    """The id of a thread, the later the greater."""
    return f"01a22d2e-{number:04x}-7563-b0d6-6593a2bc72a7"


def child(name: str, parent: str = ROOT, root: str = ROOT, **more: Any) -> dict[str, Any]:
    """The first line of a sub-agent's rollout."""
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_path": None, "agent_nickname": "Pauli"}
    source = {"subagent": {"thread_spawn": spawn}}
    return logs.meta(id=name, session_id=root, parent_thread_id=parent, source=source, **more)


def root(**more: Any) -> dict[str, Any]:
    return logs.meta(id=ROOT, session_id=ROOT, **more)


def activity(name: str, call: str = "c1", kind: str = "started", path: str = "/root/fixer") -> dict[str, Any]:
    """What the second way of delegating tells in the rollout of who started it."""
    item = {"type": "SubAgentActivity", "id": call, "kind": kind, "agent_thread_id": name, "agent_path": path}
    return logs.told("item_completed", thread_id=ROOT, item={**item, "model": "gpt-5.5"})


def spawned(*names: str, call: str = "c1", prompt: str = "Mend it") -> dict[str, Any]:
    """What the first way tells."""
    return logs.done("CollabAgentToolCall", id=call, tool="spawn_agent", receiver_thread_ids=list(names), prompt=prompt)


def begun(turn: str) -> dict[str, Any]:
    return logs.told("task_started", turn_id=turn)


def path_of(sessions: Path, name: str, day: str = DAY) -> Path:
    return sessions / day / f"rollout-{day.replace('/', '-')}T07-44-27-{name}.jsonl"


def write(sessions: Path, name: str, *rows: dict[str, Any], day: str = DAY) -> Path:
    """A rollout in its place."""
    path = path_of(sessions, name, day)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    return path


def told_by(name: str, rows: list[dict[str, Any]], index: int = 1) -> list[Record]:
    """The records of a sub-agent's rollout."""
    return logs.records(rows, Input(index, name, ROLLOUT, actor=name))


def starts(events: list[Event]) -> list[tuple[str, str | None, str, str]]:
    """Who was started by whom, with which call, for what."""
    return [
        (one.actor, one.parent, one.parent_call, one.task)
        for one in events
        if isinstance(one, RunStarted) and one.actor
    ]
