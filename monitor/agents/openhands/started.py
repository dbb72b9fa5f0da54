"""What a history says of its run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monitor.agents.fields import Object, part, raw, text
from monitor.agents.openhands.entry import Entry
from monitor.events import Coverage, RunStarted

_WHOLE = "the history is written whole, when the run is over or goes on"
COVERAGE: Mapping[str, Coverage] = {
    "thinking": Coverage("partial", "thinking shows only where the model's reply is kept with the action"),
    "replies": Coverage("partial", "OpenHands keeps the actions that replies became: one that became none is lost"),
    "folder": Coverage("partial", "the folder it began in is told by the first command's result"),
    "stalls": Coverage("none", _WHOLE),
}
_TIMELESS: Mapping[str, Coverage] = {"outside_edits": Coverage("none", "this history carries no times")}


def started(entries: Sequence[Entry], about: Object) -> RunStarted:
    """The start, as far as the history and what stands around it tell."""
    metadata = part(about, "metadata")
    timed = any("timestamp" in one.found for one in entries[:20])
    return RunStarted(
        agent="openhands",
        version=text(_system(entries), "openhands_version"),
        model=text(part(metadata, "llm_config"), "model") or _model(entries),
        session=text(about, "instance_id") or text(about, "task_id"),
        cwd=_folder(entries),
        lag="end",
        deltas=False,
        coverage={**COVERAGE, **({} if timed else _TIMELESS)},
        at=entries[0].at if entries else None,
    )


def _system(entries: Sequence[Entry]) -> Object:
    return next((one.arguments for one in entries[:20] if one.action == "system"), {})


def _model(entries: Sequence[Entry]) -> str:
    for one in entries[:50]:
        if told := text(part(one.metrics, "accumulated_token_usage"), "model"):
            return told
    return ""


def _folder(entries: Sequence[Entry]) -> str:
    """The folder that the agent is told it begins in, else that of the first result that tells one."""
    for one in entries[:200]:
        told = one.extras if one.observation == "recall" else part(one.extras, "metadata")
        if one.observation in ("recall", "run") and raw(told, "working_dir"):
            return text(told, "working_dir")
    return ""
