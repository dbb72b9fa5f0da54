"""What each of lcode's sources says of the run, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.agents.fields import Object, raw, text
from monitor.events import DETECTORS, Coverage, RunStarted
from monitor.text import clean

_RESULTS = Coverage("partial", "lcode's events keep the first 4,000 characters of a result")
_TIMELESS = Coverage("partial", "lcode's events carry no times, and tell whole messages")
STREAM: Mapping[str, Coverage] = {
    "thinking": Coverage("none", "lcode's stream shows no thinking; its ACP wire does"),
    "replies": Coverage(
        "partial", "lcode's stream does not tell an empty reply from one cut off, or stopped for going in circles"
    ),
    "sites": _RESULTS,
    "repeats": _RESULTS,
    "outside_edits": _TIMELESS,
    "stalls": _TIMELESS,
}
_REWRITTEN = "lcode rewrites the session before each step, without times"
SESSION: Mapping[str, Coverage] = {
    "thinking": Coverage("partial", "lcode drops a reply that went in circles and keeps only its note of it"),
    "replies": Coverage(
        "partial", "lcode notes the first lost reply of a request, and stops at the second without a note"
    ),
    "outside_edits": Coverage("partial", _REWRITTEN),
    "stalls": Coverage("none", _REWRITTEN),
}
_AT_THE_END = Coverage("none", "the result is one object, written when all is over")
RESULT: Mapping[str, Coverage] = {
    **STREAM,
    **dict.fromkeys(("thinking", "replies", "outside_edits", "stalls"), _AT_THE_END),
    "failed_writes": Coverage("partial", "the result does not show which calls were made together"),
}
_SUMMARISED = Coverage("partial", "the session begins with a summary; what came before it is gone")


@dataclass(frozen=True, slots=True)
class About:
    """What stands in no record: the session's id is the name of its file."""

    session: str = ""


def streamed(found: Object) -> RunStarted:
    """The start that the stream itself tells."""
    return RunStarted(
        agent="lcode",
        version=text(found, "lcode"),
        model=text(found, "model"),
        session=text(found, "session_id"),
        cwd=text(found, "cwd"),
        lag="message",
        deltas=False,
        coverage=dict(STREAM),
    )


def finished(found: Object) -> RunStarted:
    """The start, as far as the result of a whole run tells it."""
    return RunStarted(
        agent="lcode",
        version=text(found, "lcode"),
        model=text(found, "model"),
        session=text(found, "session_id"),
        lag="end",
        deltas=False,
        coverage=dict(RESULT),
    )


def saved(found: Object, about: About, *, summarised: bool) -> RunStarted:
    """The start, as a saved session tells it."""
    lost = dict.fromkeys((name for name in DETECTORS if name not in SESSION), _SUMMARISED) if summarised else {}
    return RunStarted(
        agent="lcode",
        model=text(found, "model"),
        session=clean(about.session),
        cwd=text(found, "cwd"),
        lag="turn",
        deltas=False,
        coverage={**SESSION, **lost},
    )


def is_session(found: Object) -> bool:
    """Whether an object is a saved session: no other program writes these keys together."""
    texts = all(isinstance(found.get(key), str) for key in ("cwd", "model", "mode"))
    lists = all(isinstance(found.get(key), list) for key in ("messages", "checkpoints", "todos"))
    return texts and lists and raw(found, "mode") in ("code", "image", "video")
