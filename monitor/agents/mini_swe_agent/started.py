"""What a trajectory says of its run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monitor.agents.fields import Object, part, text
from monitor.agents.mini_swe_agent.message import Message
from monitor.events import Coverage, RunStarted

_SHELL = "its only tool is the shell: what a command failed to write shows in its exit code at best"
_WHOLE = "the file is rewritten after a step, or at the end"
COVERAGE: Mapping[str, Coverage] = {
    "failed_writes": Coverage("none", _SHELL),
    "thinking": Coverage("partial", "thinking shows only where the model's server gives it apart from its words"),
    "folder": Coverage("partial", "each command begins in the same folder, so that no move lasts"),
    "outside_edits": Coverage("partial", _WHOLE),
    "stalls": Coverage("none", _WHOLE),
}
_TIMELESS = "this version of mini-swe-agent writes no times for results"


def started(info: Object, messages: Sequence[Message]) -> RunStarted:
    """The start, as far as the document tells it."""
    config = part(info, "config")
    timed = any("timestamp" in one.extra for one in messages)
    lost = {} if timed else {"outside_edits": Coverage("none", _TIMELESS)}
    return RunStarted(
        agent="mini-swe-agent",
        version=text(info, "mini_version"),
        model=text(part(config, "model"), "model_name"),
        cwd=text(part(config, "environment"), "cwd"),
        lag="turn",
        deltas=False,
        coverage={**COVERAGE, **lost},
    )
