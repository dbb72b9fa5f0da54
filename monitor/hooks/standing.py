"""Whether our hooks stand where an agent reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from monitor.errors import MonitorError
from monitor.hooks import edit
from monitor.hooks.json_text import NotPlainError
from monitor.hooks.places import AGENTS, EVENTS, Agent, Place, command, place_of
from monitor.hooks.records import LARGEST, Refuse, record_of, records
from monitor.streams.files import read_head

State = Literal["installed", "outdated", "absent", "unreadable", "foreign", "off"]
"""`outdated`: ours, but of another version or with another state folder; `foreign`: a plug-in that is not as monitor
wrote it; `off`: the file switches all hooks off."""

_COMMANDS: dict[Agent, int] = {"claude": len(EVENTS), "lcode": 2, "opencode": 1}
_GONE = "they call a program that is gone, or another state folder"
_OUTDATED: dict[Agent, str] = {
    "claude": _GONE, "lcode": _GONE, "opencode": "another version wrote it, or it uses another state folder",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand in one place."""

    place: Place
    state: State
    why: str = ""
    refuse: Refuse = "never"


def standing(place: Place) -> Standing:
    """How things stand in a place."""
    try:
        data = current(place)
        found = edit.commands(place.agent, data or b"")
        off = edit.switched_off(place.agent, data or b"")
    except MonitorError as error:
        return Standing(place, "unreadable", error.text)
    except NotPlainError as error:
        return Standing(place, "foreign" if place.agent == "opencode" else "unreadable", str(error))
    if not found:
        return Standing(place, "absent")
    if not complete(place.agent, found):
        return Standing(place, "outdated", _OUTDATED[place.agent])
    record = record_of(place)
    state: State = "off" if off else "installed"
    return Standing(
        place, state, "the file switches all hooks off" if off else "", record.refuse if record else "never"
    )


def complete(agent: Agent, found: list[str]) -> bool:
    """Whether these commands of ours are all there are to be, and as they are to be."""
    return len(found) == _COMMANDS[agent] and set(found) == {command(agent)}


def installed(project: Path | None = None, agent: Agent | None = None) -> tuple[Standing, ...]:
    """How things stand for the user, in a project if one is given, and wherever else something was installed."""
    places = [place_of(one, None) for one in AGENTS]
    places += [place_of(one, project) for one in AGENTS if one != "lcode"] if project is not None else []
    places += [one.place() for one in records()]
    unique = {place.path.absolute(): place for place in places if agent in (None, place.agent)}
    return tuple(standing(place) for place in unique.values())


def reaching(agent: Agent, project: Path | None) -> Standing | None:
    """The installation that a session in this folder runs by: its project's or the user's."""
    places = [place_of(agent, None)]
    places += [place_of(agent, project)] if project is not None and agent != "lcode" else []
    stands = [standing(place) for place in places]
    if any(one.state == "off" for one in stands):
        return None
    return next((one for one in reversed(stands) if one.state == "installed"), None)


def current(place: Place) -> bytes | None:
    """What the file holds now; none where there is no file. Raises `MonitorError`."""
    target = place.target()
    try:
        data = read_head(target, LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MonitorError(f"{place.shown}: {error.strerror or error}", "Nothing was changed") from None
    if len(data) > LARGEST:
        raise MonitorError(f"{place.shown}: too large for settings", "Nothing was changed")
    return data
