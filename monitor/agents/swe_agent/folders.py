"""Where SWE-agent's shell stands: earlier versions write it down before a step, later ones after it."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from monitor.agents.fields import Object, read_object, text
from monitor.events import Outcome, ToolCalled
from monitor.shell.steps import steps_of


def state(step: Object, key: str) -> str:
    """A field of a step's state, which earlier versions write as JSON in a text."""
    told = step.get("state")
    if isinstance(told, str):
        found = read_object(told.encode("utf-8", "surrogatepass"))
        told = {} if isinstance(found, str) else found
    return text(told, key) if isinstance(told, dict) else ""


def after(step: Object, call: ToolCalled, outcome: Outcome) -> str:
    """The folder after a step; empty where that is not known."""
    told = state(step, "working_dir")
    if not isinstance(step.get("state"), str):
        return told
    way = _way(call, outcome)
    return posixpath.normpath(posixpath.join(told, way)) if told and way is not None else ""


def began(steps: Sequence[Object], call: ToolCalled | None, outcome: Outcome) -> str:
    """The folder before the first step, with its call and what became of it; empty where that is not known."""
    told = state(steps[0], "working_dir") if steps else ""
    if call is None or isinstance(steps[0].get("state"), str):
        return told
    way = _way(call, outcome)
    if not way:
        return told if way is not None else ""
    way = posixpath.normpath(way)
    plain = not way.startswith(("/", "..")) and told.endswith(f"/{way}")
    return (told.removesuffix(f"/{way}") or "/") if plain else ""


def _way(call: ToolCalled, outcome: Outcome) -> str | None:
    """The way a call went from the folder it began in: empty for none, none for one that cannot be told."""
    if call.kind != "shell" or outcome != "ok":
        return ""
    went = steps_of(call.command)
    return went.folder if went.sure and went.folder is not None and not went.folder.startswith("~") else None
