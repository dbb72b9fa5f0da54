"""What each of pi's sources says of the run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.agents.fields import Object, text
from monitor.events import Coverage, RunStarted

_FOLDER = Coverage("partial", "each of pi's commands begins in the session's folder, so that no move lasts")
_SESSION: Mapping[str, Coverage] = {
    "folder": _FOLDER,
    "stalls": Coverage("partial", "pi writes a message when it is over, and nothing while it streams"),
}
_STREAM: Mapping[str, Coverage] = {
    "folder": _FOLDER,
    "outside_edits": Coverage("partial", "pi's stream carries no times for what tools do"),
}


def opened(found: Object) -> RunStarted:
    """The header of a session, which its stream has too."""
    return RunStarted(
        agent="pi",
        session=text(found, "id"),
        cwd=text(found, "cwd"),
        model=text(found, "modelId"),
        parent=None,
    )


def filed() -> RunStarted:
    """It is a session's file."""
    return RunStarted(agent="pi", lag="message", deltas=False, coverage=dict(_SESSION))


def streamed() -> RunStarted:
    """It is a stream of events."""
    return RunStarted(agent="pi", lag="event", deltas=True, coverage=dict(_STREAM))
