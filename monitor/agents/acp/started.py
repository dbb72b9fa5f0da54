"""What the protocol tells of the run when it begins, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.agents.fields import Object, part, parts, raw, text
from monitor.events import Coverage, RunStarted
from monitor.text import clean

_COVERAGE: Mapping[str, Coverage] = {
    "replies": Coverage("partial", "the protocol shows neither an empty reply nor one that the agent throws away"),
    "thinking": Coverage("partial", "the protocol does not tell replies apart that follow each other without a call"),
    "folder": Coverage("partial", "the protocol does not tell where a command leaves the shell"),
}
_LCODE: Mapping[str, Coverage] = {name: told for name, told in _COVERAGE.items() if name != "folder"}
"""lcode tells the folder in its results."""


@dataclass(frozen=True, slots=True)
class About:
    """What the head of the log says, for whoever reads a record alone."""

    agent: str = ""


def agent_in(result: Object) -> str:
    """The agent's name, from its answer to `initialize`."""
    return raw(part(result, "agentInfo"), "name")


def initialized(result: Object) -> RunStarted:
    """The agent has said who it is."""
    name = agent_in(result)
    return RunStarted(
        agent=clean(name) or "acp",
        version=text(part(result, "agentInfo"), "version"),
        lag="event",
        deltas=True,
        coverage=dict(_LCODE if name == "lcode" else _COVERAGE),
    )


def opened(params: Object) -> RunStarted | None:
    """A session is asked for, in a folder."""
    cwd = text(params, "cwd")
    return RunStarted(cwd=cwd) if cwd else None


def session(result: Object) -> RunStarted | None:
    """A session has been opened."""
    told = RunStarted(session=text(result, "sessionId"), model=model_of(result))
    return told if told.session or told.model else None


def model_of(found: Object) -> str:
    """The model in use, as one of the options of a session."""
    if named := text(part(found, "models"), "currentModelId"):
        return named
    options = parts(found, "configOptions")
    return next((text(one, "currentValue") for one in options if raw(one, "id") == "model"), "")
