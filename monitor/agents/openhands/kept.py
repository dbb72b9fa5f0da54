"""A conversation of OpenHands 1: a folder with its state, and a file for each event."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from monitor.agents.fields import Object, part, raw, read_object
from monitor.agents.folders import changed
from monitor.agents.openhands.conversation import ConversationDecoder
from monitor.config import state_folder
from monitor.streams.files import read_head
from monitor.streams.polled import PolledReader
from monitor.streams.reader import Reader
from monitor.streams.record import Input
from monitor.text import clean

_STATE, _EVENTS = "base_state.json", "events"
_NAME = re.compile(r"event-(\d{5,12})-[0-9a-fA-F-]{8,64}\.json")
_ID = re.compile(r"[0-9a-f]{8,32}")
_ALIKE = 20
"""Conversations that are named when several begin alike."""
_LARGEST = 16 << 20
"""Bytes of an event that is taken; a larger one is told as a line that cannot be read."""
_BATCH = 200
"""Events taken at a time."""


class KeptEvents:
    """What is new in the folder, a JSON object a line: how the state begins, the events, and the state as it is now."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._next = 0
        """The number of the event that is to come."""
        self._begun = self._known = False
        """That it begins was told, and how; a state that is being written is read when it is whole."""
        self._state = b""

    def stamp(self) -> object:
        """Another value whenever an event was added, or the state was written, and once more when that has settled."""
        paths = self._folder / _EVENTS, self._folder / _STATE
        return tuple((_changed(path), changed(path)) for path in paths)

    def lines(self) -> Sequence[bytes]:
        """The state that it begins with, then events; once there are no more, the state where it is another."""
        found = state_of(self._folder)
        begins = [_line({"begins": found})] if not self._begun or (found and not self._known) else []
        self._begun, self._known = True, self._known or bool(found)
        events = self._events()
        if begins or events:
            return [*begins, *events]
        state = _line({"state": found})
        if not found or state == self._state:
            return []
        self._state = state
        return [state]

    def _events(self) -> list[bytes]:
        """Events that are new. Raises OSError where the folder cannot be read."""
        new = [one for one in event_files(self._folder) if one[0] >= self._next][: _BATCH + 1]
        lines: list[bytes] = []
        for number, path in new[:_BATCH]:
            data = read_head(Path(path), _LARGEST + 1)
            last = number == new[-1][0]
            if last and isinstance(read_object(data), str) and len(data) <= _LARGEST:
                break  # somebody is still writing it
            lines.append(b" ".join(data.split(b"\n")) if len(data) <= _LARGEST else b"an event too large to hold")
            self._next = number + 1
        return lines


class Conversation:
    """One conversation."""

    agent = "openhands"

    def __init__(self, folder: Path) -> None:
        self.title = clean(folder.name)
        self._folder = folder
        self._input = Input(0, _EVENTS, _EVENTS, opens=self._opened)

    def inputs(self) -> Sequence[Input]:
        """The folder."""
        return (self._input,)

    def decoder(self) -> ConversationDecoder:
        """A fresh one."""
        return ConversationDecoder()

    def project(self) -> Path | None:
        """Nothing tells: the folder names no process."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None

    def _opened(self, source: Input, wake: Callable[[], None]) -> Reader:
        return PolledReader(KeptEvents(self._folder), source, state_folder("spool"), wake)


def conversation_in(path: Path) -> Conversation | None:
    """The conversation in a folder, or whose event or state a file is; none for any other."""
    folder = path if path.is_dir() else path.parent if path.name == _STATE else path.parent.parent
    if not path.is_dir() and path.name != _STATE and not (path.parent.name == _EVENTS and _NAME.fullmatch(path.name)):
        return None
    try:
        with os.scandir(folder / _EVENTS) as entries:
            known = any(_NAME.fullmatch(entry.name) for entry in entries)
    except OSError:
        return None
    return Conversation(folder) if known else None


def home() -> Path:
    """Where OpenHands' own program keeps its conversations."""
    return Path.home() / ".openhands" / "conversations"


def event_files(folder: Path) -> list[tuple[int, str]]:
    """The events of a conversation by their numbers, in order, and their paths. Raises OSError."""
    with os.scandir(folder / _EVENTS) as entries:
        return sorted((int(told[1]), entry.path) for entry in entries if (told := _NAME.fullmatch(entry.name)))


def conversations(session: str) -> list[Conversation]:
    """Those whose ids begin like this, in the folder in which OpenHands' own program keeps them."""
    wanted = session.replace("-", "")
    if not _ID.fullmatch(wanted):
        return []
    try:
        folders = sorted(home().iterdir())
    except OSError:
        return []
    named = [one for one in folders if one.name.replace("-", "").startswith(wanted)]
    exact = [one for one in named if one.name.replace("-", "") == wanted]
    return [found for one in (exact or named)[:_ALIKE] if (found := conversation_in(one)) is not None]


def state_of(folder: Path) -> Object:
    """What is looked at of a conversation's state; nothing else of it, keys and secrets least of all, is kept."""
    try:
        found = read_object(read_head(folder / _STATE, _LARGEST))
    except OSError:
        return {}
    if isinstance(found, str):
        return {}
    agent = part(found, "agent")
    usages = part(part(found, "stats"), "usage_to_metrics")
    return {
        "id": raw(found, "id"),
        "status": raw(found, "execution_status") or raw(found, "agent_status"),
        "model": raw(part(agent, "llm"), "model"),
        "folder": raw(part(found, "workspace"), "working_dir"),
        "usage": [
            {
                "cost": one.get("accumulated_cost"),
                "tokens": {
                    key: count for key, count in part(one, "accumulated_token_usage").items() if _is_count(count)
                },
            }
            for one in usages.values()
            if isinstance(one, dict)
        ],
    }


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _line(found: Object) -> bytes:
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changed(path: Path) -> object:
    try:
        there = path.stat()
    except OSError:
        return None
    return there.st_mtime_ns, there.st_size, there.st_ino
