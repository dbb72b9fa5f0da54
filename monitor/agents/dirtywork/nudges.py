"""What the harness itself says in the middle of a run: nudges, refusals, its sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.agents.fields import Object, raw, text, texts
from monitor.events import Event, Noticed, Prompted, TreeMeasured
from monitor.text import clean, shorten

REFUSED = "unchanged_finish"
_NUDGES: Mapping[str, str] = {
    REFUSED: "the completion is refused, since nothing has changed since the run started",
    "no_change": "nothing has changed for ten turns",
    "stall": "no progress for several turns",
    "truncated": "the reply was cut off at the token limit",
    "empty": "the reply held neither a call nor an answer",
    "text_tool_call": "the reply held a call written as text",
    "timeout": "a command timed out, and its result is not known",
    "malformed_entry": "calls without a usable id or name were thrown away",
    "name_recovered": "a call's tool name held other text, and was mended",
    "stray_kill": "processes that a command left behind were ended",
    "sandbox_reset": "the container was reset",
}
_MEASURED = (
    ("Nothing in the worktree has changed since this run started", False),
    ("No file in the worktree has changed in the last ", True),
)
"""What is said every ten turns without a change; the second, when something had changed before."""
_DENIALS: Mapping[str, str] = {
    "authority": "not allowed",
    "malformed": "not well formed",
    "bounds": "too large",
    "internal": "the firewall itself failed",
}


def nudged(found: Object) -> list[Event]:
    """A nudge, and the measurement that a refused completion rests on.

    One sent as a message of its own is a prompt. Its words are not in the log: only its kind is.
    """
    kind = text(found, "kind")
    told = _NUDGES.get(kind, "dirtywork's own notice")
    first: Event = Noticed(kind="guard", name=kind, text=told)
    if raw(found, "via") == "user":
        first = Prompted(text=f"{kind}: {told}", by="harness", into="running")
    if kind != REFUSED:
        return [first]
    return [first, TreeMeasured(when="claim", by="agent", changed=False, since_start=False)]


def appended(follow_up: str) -> list[Event]:
    """What dirtywork appended to a result, in its own words, and the measurement it rests on."""
    events: list[Event] = [Prompted(text=clean(follow_up), by="harness", into="running")] if follow_up else []
    for words, changed in _MEASURED:
        if words in follow_up:
            events.append(TreeMeasured(when="turn", by="agent", changed=changed, since_start=changed))
    return events


def noticed(name: str, found: Object) -> Noticed:
    """What stood in a call's way, or what became of the container."""
    if name == "firewall_denial":
        why = _DENIALS.get(text(found, "reason_class"), "refused")
        return Noticed(kind="guard", name=text(found, "reason_code"), text=f"{text(found, 'tool')}: {why}")
    if name == "guardrail_block":
        return Noticed(kind="guard", name=name, text=text(found, "reason"))
    strays = "; ".join(shorten(one, 80) for one in texts(found, "strays")[:5])
    return Noticed(kind="status", name=name, text=": ".join(filter(None, (text(found, "reason"), strays))))
