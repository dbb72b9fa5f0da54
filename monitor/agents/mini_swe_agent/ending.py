"""How a trajectory ended, and what it used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from monitor.agents.fields import Object, part, raw, real
from monitor.agents.mini_swe_agent.message import Message
from monitor.events import Event, RequestEnded, RunEnded, Tokens, Used
from monitor.statuses import ending
from monitor.text import clean

_SUBMITTED = "Submitted"
_PATCH = re.compile(r"\s*(?:diff --git |--- \S|Index: )")


def status(info: Object, messages: Sequence[Message]) -> str:
    """The status it ended with; empty while it goes on, or where nothing tells."""
    if told := raw(info, "exit_status"):
        return told
    last = messages[-1] if messages else None
    return raw(last.extra, "exit_status") if last is not None and last.role == "exit" else ""


def submission(info: Object, messages: Sequence[Message]) -> str:
    """What was submitted, or the error that ended it."""
    if told := raw(info, "submission"):
        return clean(told)
    last = messages[-1] if messages else None
    return clean(raw(last.extra, "submission") or last.text) if last is not None and last.role == "exit" else ""


def used(info: Object, replies: Sequence[Tokens]) -> Iterator[Event]:
    """The whole cost, and the tokens of all replies."""
    cost = real(part(info, "model_stats").get("instance_cost"))
    if cost is not None:
        tokens = Tokens(
            sum(one.input for one in replies),
            sum(one.output for one in replies),
            sum(one.cache_read for one in replies),
            sum(one.cache_write for one in replies),
        )
        yield Used(scope="run", key="run", tokens=tokens, cost=cost)


def ended(told: str, text: str, words: str) -> Iterator[Event]:
    """The end: work that was submitted is a claim, told in the last reply's `words`; a patch says nothing of itself."""
    if not told:
        return
    if told == _SUBMITTED:
        yield RequestEnded(how="answered", text=words or ("" if _PATCH.match(text) else text))
    elif (known := ending("mini-swe-agent", told)) == "stopped":
        yield RequestEnded(how="limit", text=clean(told))
    elif known == "aborted":
        yield RequestEnded(how="interrupted", text=text)
    else:
        yield RequestEnded(how="error", text=f"{clean(told)}: {text}" if text else clean(told))
    yield RunEnded(status=clean(told))
