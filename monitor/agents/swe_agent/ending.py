"""How a trajectory ended, and what it used."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.agents.fields import Object, part, raw, real, whole
from monitor.events import Event, RequestEnded, RunEnded, Tokens, Used
from monitor.statuses import ending
from monitor.text import clean

_SUBMITTED, _EXIT = "submitted", "exit_command"


def is_harness(action: str, response: str) -> bool:
    """Whether a step is SWE-agent's own last one, which no model asked for."""
    return action.strip().startswith("exit_") and action.strip() != "exit_forfeit" and action.strip() not in response


def used(info: Object) -> Iterator[Event]:
    """Tokens and cost of the whole run."""
    stats = part(info, "model_stats")
    told = real(stats.get("instance_cost"))
    tokens = Tokens(max(whole(stats, "tokens_sent") or 0, 0), max(whole(stats, "tokens_received") or 0, 0))
    if tokens != Tokens() or told:
        yield Used(scope="run", key="run", tokens=tokens, cost=told)


def ended(info: Object, words: str, *, claimed: bool) -> Iterator[Event]:
    """The end; `words` are those of the last step, and `claimed` when it was told to have submitted the work.

    What SWE-agent submits by itself is no claim, nor is a run that was skipped, or that the model left without a word.
    """
    status = raw(info, "exit_status")
    if not status:
        return
    known = ending("swe-agent", status)
    if status == "exit_forfeit":
        yield RequestEnded(how="refused", text=clean(status))
    elif known == "stopped":
        yield RequestEnded(how="limit", text=clean(status))
    elif known == "failed" or (known is None and not status.startswith(_SUBMITTED)):
        yield RequestEnded(how="error", text=clean(status))
    elif not claimed and (status.startswith(_SUBMITTED) or (status == _EXIT and words)):
        yield RequestEnded(how="answered", text=words)
    yield RunEnded(status=clean(status))
