"""What a trajectory says of its run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.agents.fields import Object, part, read_object, text
from monitor.events import Coverage, RunStarted

_CODES = "SWE-agent tells no exit codes: a command that failed looks like one that did not"
_TIMELESS = "SWE-agent writes no times, and a step only when it is over"
_ELSEWHERE = "SWE-agent does not tell where it began: its first step may have led elsewhere"
COVERAGE: Mapping[str, Coverage] = {
    "thinking": Coverage("partial", "SWE-agent keeps what the model says beside its action, and no thinking apart from it"),
    "replies": Coverage("partial", "SWE-agent asks again where a reply cannot be taken, and keeps the last one only"),
    "sites": Coverage("partial", _CODES),
    "repeats": Coverage("partial", _CODES),
    "tests": Coverage("partial", _CODES),
    "outside_edits": Coverage("none", _TIMELESS),
    "stalls": Coverage("none", _TIMELESS),
}  # fmt: skip


def started(found: Object, folder: str) -> RunStarted:
    """The start, as far as the document tells it; `folder` is where, and empty where that is not known."""
    place = Coverage("full") if folder else Coverage("none", _ELSEWHERE)
    info = part(found, "info")
    return RunStarted(
        agent="swe-agent",
        version=text(info, "swe_agent_version"),
        model=_model(found),
        cwd=folder,
        lag="turn",
        deltas=False,
        coverage={**COVERAGE, "folder": place},
    )


def _model(found: Object) -> str:
    """The model, where the configuration is kept with the run."""
    config = found.get("replay_config")
    if isinstance(config, str):
        read = read_object(config.encode("utf-8", "surrogatepass"))
        config = {} if isinstance(read, str) else read
    return text(part(part(config, "agent"), "model"), "name") if isinstance(config, dict) else ""
