"""What Codex's sources say of the run, and what they cannot show."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.agents.fields import Object, part, raw, text
from monitor.events import Coverage, RunStarted
from monitor.text import plural

_SUMMARIES = Coverage("partial", "Codex writes only summaries of its model's thinking")
ROLLOUT: Mapping[str, Coverage] = {"thinking": _SUMMARIES}
_UNTOLD = Coverage("none", "codex exec --json leaves out patches that were refused; its rollout file has them")
_SERVED = Coverage("none", "an app-server leaves out patches that were refused; the thread's rollout file has them")
_TIMELESS = Coverage("partial", "codex exec --json carries no times")
STREAM: Mapping[str, Coverage] = {
    "failed_writes": _UNTOLD,
    "thinking": _SUMMARIES,
    "replies": Coverage("none", "codex exec --json does not tell an empty reply from one that was cut off"),
    "repeats": Coverage("partial", "codex exec --json leaves out patches that were refused"),
    "outside_edits": _TIMELESS,
    "stalls": _TIMELESS,
}
SERVED: Mapping[str, Coverage] = {
    "failed_writes": _SERVED,
    "thinking": _SUMMARIES,
    "replies": Coverage("none", "an app-server does not tell an empty reply from one whose patch was refused"),
    "repeats": Coverage("partial", "an app-server leaves out patches that were refused"),
}


_SEEN_ELSEWHERE = ("sites", "folder", "scripts", "outside_edits", "tests")
_DONE = (*_SEEN_ELSEWHERE, "failed_writes", "thinking", "repeats", "replies")
"""What is seen of an agent's doings."""
_ELSEWHERE = Coverage("partial", "codex exec --json does not tell what sub-agents do; their rollout files have it")
DELEGATED: Mapping[str, Coverage] = dict.fromkeys(_SEEN_ELSEWHERE, _ELSEWHERE)
"""What is not seen besides, once a sub-agent works."""


def begun(payload: Object) -> RunStarted:
    """The start, as the first line of a rollout tells it."""
    return RunStarted(
        agent="codex",
        version=text(payload, "cli_version"),
        session=text(payload, "id"),
        cwd=text(payload, "cwd"),
        lag="message",
        deltas=False,
        coverage=dict(ROLLOUT),
    )


def model(payload: Object) -> RunStarted:
    """The model, as each turn tells it."""
    return RunStarted(model=text(payload, "model"), cwd=text(payload, "cwd"))


def streamed(found: Object) -> RunStarted:
    """The start, as the first line of `codex exec --json` tells it."""
    return RunStarted(
        agent="codex", session=text(found, "thread_id"), lag="message", deltas=False, coverage=dict(STREAM)
    )


def delegated() -> RunStarted:
    """A sub-agent works, of which the stream tells no more."""
    return RunStarted(coverage=dict(DELEGATED))


def unread(count: int) -> RunStarted:
    """So many sub-agents worked of whom nothing is read."""
    lost = Coverage(
        "partial", f"the {'rollout' if count == 1 else 'rollouts'} of {plural(count, 'sub-agent')} cannot be read"
    )
    return RunStarted(coverage=dict.fromkeys(_DONE, lost))


def served(thread: Object, *, beside: bool) -> RunStarted:
    """The start, as an app-server tells it; what stands beside its rollout tells words as they are written."""
    return RunStarted(
        agent="codex",
        version=text(thread, "cliVersion"),
        model=text(thread, "model"),
        session=text(thread, "id"),
        cwd=text(thread, "cwd"),
        lag="event",
        deltas=True,
        coverage=dict(ROLLOUT if beside else SERVED),
    )


def is_start(found: Object) -> bool:
    """Whether a line is the first of a rollout."""
    meta = part(found, "payload")
    return raw(found, "type") == "session_meta" and bool(raw(meta, "id")) and bool(raw(meta, "originator"))
