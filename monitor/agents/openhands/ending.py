"""How a run of OpenHands ended, and what it used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from monitor.agents.fields import Object, part, raw, real, text
from monitor.agents.openhands.entry import Entry, tokens_of
from monitor.events import Event, RequestEnded, RunEnded, Tokens, Used
from monitor.statuses import ending
from monitor.text import shorten

_WHY: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"reached maximum iteration|maximum (?:number of )?iterations", re.IGNORECASE), "max_iterations"),
    (re.compile(r"reached maximum budget|maximum budget|budget exceeded", re.IGNORECASE), "max_budget"),
    (re.compile(r"stuck in a loop|AgentStuckInLoop", re.IGNORECASE), "stuck"),
)
"""What the error of a run says of its end; any other is an error."""
_OVER = ("finished", "error", "stopped", "rejected")
"""States of the agent in which a run is over."""


def used(entries: Sequence[Entry], about: Object) -> Iterator[Event]:
    """Tokens and cost of the whole run, where they are told."""
    metrics = part(about, "metrics") or next((one.metrics for one in reversed(entries) if one.metrics), {})
    told = real(metrics.get("accumulated_cost"))
    tokens = tokens_of(part(metrics, "accumulated_token_usage"))
    if tokens != Tokens():
        yield Used(scope="run", key="run", tokens=tokens, cost=told)
    elif told:
        yield Used(scope="request", key="run", cost=told)


def ended(entries: Sequence[Entry], about: Object) -> Iterator[Event]:
    """The end; a line of a benchmark's output is written only when its run is over."""
    finished = any(one.action in ("finish", "reject") for one in entries[-3:])
    error = text(about, "error")
    at = entries[-1].at if entries else None
    if error:
        yield from _failed(error, at)
    elif finished:
        yield RunEnded(status="finished", at=at)
    elif about:
        yield RunEnded(at=at)
    elif (state := _state(entries)) in _OVER:
        if state == "error":
            yield RequestEnded(how="error", text=_reason(entries), at=at)
        elif state == "stopped":
            yield RequestEnded(how="interrupted", at=at)
        yield RunEnded(status=state, at=at)


def _failed(error: str, at: float | None) -> Iterator[Event]:
    status = next((name for pattern, name in _WHY if pattern.search(error)), "error")
    if ending("openhands", status) == "stopped":
        yield RequestEnded(how="limit", text=error, at=at)
    elif status == "error":
        yield RequestEnded(how="error", text=error, at=at)
    yield RunEnded(status=status, reason=shorten(error, 400), at=at)


def _state(entries: Sequence[Entry]) -> str:
    """The state that the agent was left in."""
    for one in reversed(entries):
        if one.observation == "agent_state_changed":
            return raw(one.extras, "agent_state")
        if one.action == "message" or (one.action and one.action not in ("change_agent_state", "null")):
            return ""
    return ""


def _reason(entries: Sequence[Entry]) -> str:
    """Why it ended on an error."""
    for one in reversed(entries[-10:]):
        if told := text(one.extras, "reason"):
            return told
        if one.observation == "error":
            return text(one.found, "content")
    return ""
