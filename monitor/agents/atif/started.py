"""What a trajectory says of its run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monitor.agents.fields import Object, moment, part, text
from monitor.events import Coverage, RunStarted

_END = "the trajectory is written when the run is over"
_CODES = "the terminal tells no exit codes"
_FORM = "the form does not say whether a call failed: only the words of known tools do"
_ALL: Mapping[str, Coverage] = {
    "thinking": Coverage("partial", "thinking shows only where the agent keeps it"),
    "replies": Coverage("partial", "a reply that the agent threw away is not in it"),
    "outside_edits": Coverage("partial", "results carry no times of their own"),
    "stalls": Coverage("none", _END),
}
_TERMINAL: Mapping[str, Coverage] = {
    "failed_writes": Coverage("none", "its only tool is a terminal: no result says that a write failed"),
    "repeats": Coverage("partial", "the terminal tells no exit codes, and one screen for all commands of a step"),
    "sites": Coverage("partial", _CODES),
    "tests": Coverage("partial", _CODES),
}
_SHELL: Mapping[str, Coverage] = {
    "failed_writes": Coverage("none", "its only tool is the shell, whose failed writes leave an exit code at best"),
    "repeats": Coverage("partial", "of a reply that was refused only the first command is kept"),
    "folder": Coverage("partial", "each command begins in the same folder, so that no move lasts"),
}
_OTHERS: Mapping[str, Coverage] = {
    "failed_writes": Coverage("partial", _FORM),
    "repeats": Coverage("partial", _FORM),
    "sites": Coverage("partial", _FORM),
    "tests": Coverage("partial", _FORM),
    "folder": Coverage("partial", "the form does not tell the folder that the agent works in"),
}


def started(found: Object, steps: Sequence[Object]) -> RunStarted:
    """The start, as far as the document tells it."""
    agent = part(found, "agent")
    name = text(agent, "name")
    own = _TERMINAL if name.startswith("terminus") else _SHELL if name == "mini-swe-agent" else _OTHERS
    return RunStarted(
        agent=name or "atif",
        version=text(agent, "version"),
        model=text(agent, "model_name"),
        session=text(found, "session_id"),
        lag="end",
        deltas=False,
        coverage={**_ALL, **own},
        at=moment(steps[0].get("timestamp")) if steps else None,
    )
