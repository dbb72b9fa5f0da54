"""The calls of a session, from the first news of them to their result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from monitor.agents.acp.changes import changes_in, locations, path_of
from monitor.agents.acp.names import kind_of, name_of
from monitor.agents.fields import Object, raw, read_object, text, truth, whole
from monitor.agents.lcode.tools import written
from monitor.events import ToolCalled
from monitor.text import clean

_KEPT = 2_000
"""Calls remembered; those with a result are forgotten first."""

Decision = Literal["", "denied", "cancelled", "refused"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call, as far as it is told."""

    told: ToolCalled
    """With a name that is unique in the log; an agent may use an id again in its next request."""
    files: tuple[str, ...] = ()
    """Its files as the agent resolved them."""
    began: bool = False
    """It was told to be under way."""
    over: bool = False
    """It has its result."""
    decision: Decision = ""
    """What came of asking for permission, where that stopped it."""
    terminal: str = ""
    printed: str = ""
    """What its terminal has shown so far."""


class Calls:
    """The calls of one session by the agent's own ids."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._known: dict[str, Call] = {}
        self._names: dict[str, int] = {}
        """How often an id was used."""

    def __getitem__(self, name: str) -> Call | None:
        return self._known.get(name)

    def put(self, name: str, call: Call) -> None:
        """What is now known of a call."""
        self._known[name] = call
        if len(self._known) > _KEPT:
            over = [known for known, one in self._known.items() if one.over and known != name]
            for known in (over or [known for known in self._known if known != name])[: _KEPT // 4]:
                del self._known[known]

    def name(self, given: str) -> str:
        """A name for a new call with this id."""
        count = self._names[given] = self._names.pop(given, 0) + 1
        if len(self._names) > 4 * _KEPT:
            del self._names[next(iter(self._names))]
        return f"{self._prefix}{clean(given)}" + (f"#{count}" if count > 1 else "")

    def open(self) -> Iterator[tuple[str, Call]]:
        """Those without a result, in their order."""
        yield from [(name, one) for name, one in self._known.items() if not one.over]

    def forget(self) -> None:
        """Nothing more will come of them: what is told again is another call."""
        self._known = {name: replace(one, over=True) for name, one in self._known.items()}

    def copy(self) -> Calls:
        """Another that goes on from here."""
        other = Calls(self._prefix)
        other._known, other._names = dict(self._known), dict(self._names)
        return other


def called(update: Object, call: str, message: str, agent: str) -> ToolCalled:
    """A call as one record tells it, without what was known before."""
    given = update.get("rawInput")
    arguments = given if isinstance(given, dict) else _parsed(given)
    name = name_of(update, agent)
    kind = kind_of(update, name, agent) or "other"
    command = _command(update, arguments, given)
    asked = path_of(arguments)
    waits = (
        raw(update, "status") == "pending" and agent != "lcode" and not command and (not arguments or kind == "shell")
    )
    paths = (asked,) if asked else locations(update)
    return ToolCalled(
        call=call,
        message=message,
        tool=clean(name),
        kind=kind,
        arguments="" if given is None else written(given),
        changes=changes_in(update, arguments) if kind == "write" and not waits else (),
        paths=paths if kind in ("read", "search") else (),
        command=command,
        url=text(arguments, "url") if kind in ("fetch", "search") else "",
        timeout=_seconds(arguments),
        background=truth(arguments, "is_background") is True or truth(arguments, "background") is True,
        partial=waits,
    )


def fuller(old: ToolCalled, new: ToolCalled, update: Object) -> ToolCalled | None:
    """A call told again, where the record adds something; names and kinds stay known."""
    shows = bool(new.changes) and not old.changes
    if not new.arguments.strip("{} ") and not shows and not (old.partial and new.command):
        return None
    kind = new.kind if new.kind != "other" else old.kind
    told = msgspec.structs.replace(new, tool=new.tool or old.tool, kind=kind, message=old.message, call=old.call)
    if kind == "write" and not told.changes and new.kind != "write":
        given = update.get("rawInput")
        told = msgspec.structs.replace(told, changes=changes_in(update, given if isinstance(given, dict) else {}))
    return told if told != old else None


def _parsed(given: object) -> Object:
    found = read_object(given.encode("utf-8", "surrogatepass")) if isinstance(given, str) and given[:1] == "{" else {}
    return found if isinstance(found, dict) else {}


def _command(update: Object, arguments: Object, given: object) -> str:
    """What a shell runs: in the arguments, else what the title says where there are none."""
    command = arguments.get("command") or arguments.get("cmd")
    if isinstance(command, list):
        words = [one for one in command if isinstance(one, str)]
        return clean(words[-1] if len(words) > 1 and words[-2].startswith("-") else " ".join(words))
    if isinstance(command, str):
        return clean(command)
    shell = raw(update, "kind") == "execute" and given is None
    return text(update, "title").strip("`") if shell else ""


def _seconds(arguments: Object) -> float | None:
    """How long the call may take, where that is plain: some agents count milliseconds, from 1,000 on."""
    told = whole(arguments, "timeout")
    if told is None or not 0 < told < 10**9:
        return None
    return told / 1000 if told >= 1_000 else float(told)
