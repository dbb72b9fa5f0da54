"""What a chat history says of a session, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.agents.aider import notices
from monitor.events import Coverage, RunStarted
from monitor.text import clean

_TIMELESS = "Aider's history carries no times but each session's start, in a zone it does not tell"
_WHOLE = "Aider writes a reply when it is over"
COVERAGE: Mapping[str, Coverage] = {
    "failed_writes": Coverage(
        "partial", "an edit that Aider says nothing of was proposed only, or lost with the reply"
    ),
    "thinking": Coverage("partial", "Aider's history keeps what the model answers, not what it thinks"),
    "replies": Coverage("partial", "an empty reply leaves no trace in Aider's history"),
    "repeats": Coverage("partial", "Aider's history does not keep what commands print"),
    "sites": Coverage("none", "Aider's history does not keep what commands print"),
    "tests": Coverage("partial", "Aider's history does not tell how commands end"),
    "folder": Coverage("none", "Aider does not leave its folder"),
    "outside_edits": Coverage("none", _TIMELESS),
    "stalls": Coverage("none", f"{_TIMELESS}; {_WHOLE}"),
}


def started(time: str) -> RunStarted:
    """A session has begun; its local time names it."""
    return RunStarted(agent="aider", session=time, lag="turn", deltas=False, coverage=dict(COVERAGE))


def said(line: str) -> RunStarted | None:
    """What a line of the session's head says of the run."""
    if told := notices.VERSION.fullmatch(line):
        return RunStarted(version=clean(told[1]))
    if told := notices.MODEL.match(line):
        return RunStarted(model=clean(told[1]))
    if told := notices.FOLDER.fullmatch(line):
        return RunStarted(cwd=clean(told[1]))
    return None
