"""The verdict: what is to be said of a run, from what was claimed and what was measured."""

from __future__ import annotations

from typing import Literal

from monitor.detectors.outside_view import only_outside
from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import Coverage
from monitor.events.watched import WRITER_GONE, WRITER_UNKNOWN
from monitor.run.evidence import Evidence, Idle
from monitor.snapshot import State, Verdict
from monitor.statuses import ending
from monitor.text import line, plural, shorten

ORDER: tuple[State, ...] = (
    "failed", "aborted", "stopped", "blocked", "looping", "not made",
    "unchanged", "claimed", "changed", "waiting", "running", "unknown",
)  # fmt: skip
_LONG = 160
"""Characters of what somebody else said."""
_SILENCE = 1_800.0
"""Seconds without an event after which a run whose process nobody knows is no longer called running."""


def judge(evidence: Evidence) -> Verdict:
    """The verdict now: the first state that holds, all others beside it."""
    held = _holding(evidence)
    states = [state for state in ORDER if state in held]
    state = states[0]
    since, what = _since(evidence, state)
    why = _provisional(evidence)
    return Verdict(
        state=state,
        reason=held[state],
        also=tuple(states[1:]),
        claimed_done=_claimed(evidence),
        provisional=bool(why),
        why_provisional=why,
        since=since,
        since_what=what,
    )


def _claimed(evidence: Evidence) -> bool | None:
    if evidence.idle is None or evidence.idle.how not in ("answered", "could not", "refused"):
        return None
    return evidence.idle.how == "answered"


def _over(evidence: Evidence) -> bool:
    return evidence.run.over or evidence.process_gone


def _holding(evidence: Evidence) -> dict[State, str]:
    """Every state that holds, with its reason."""
    held = _findings(evidence, _ends(evidence))
    claimed = _claimed(evidence)
    outstanding = evidence.writes.outstanding
    if outstanding and (claimed is not None or _over(evidence)):
        held["not made"] = _outstanding(evidence.writes)
    if claimed:
        held |= {state: reason for state, reason in _change(evidence).items() if state not in held}
    if evidence.waiting and not _over(evidence):
        held["waiting"] = evidence.waiting
    if not held:
        held |= _otherwise(evidence)
    return held


def _ends(evidence: Evidence) -> dict[State, str]:
    """What the agent's own status, or the way its request ended, says."""
    held: dict[State, str] = {}
    run, idle = evidence.run, evidence.idle
    told = ending(run.agent, run.status) if run.over and run.status else None
    words = run.status.replace("_", " ")
    if told == "failed":
        held["failed"] = f"The agent ended on an error: {_because(idle, words)}"
    elif told == "aborted":
        held["aborted"] = _aborted(evidence)
    elif told == "stopped":
        hook = run.status.startswith(("hook_", "stop_hook"))
        held["stopped"] = "By a hook of the agent's" if hook else f"By the agent's own limit: {words}"
    elif told == "blocked":
        held["blocked"] = "The agent says that it cannot reach what it needs"
    elif told == "looping":
        held["looping"] = f"The agent's own guard ended it: {words}"
    elif told == "unchanged":
        held["unchanged"] = "The agent's own check: nothing changed since the feedback"
    if evidence.abort is not None and evidence.abort.receipt == "done" and not idle and told is None:
        held["aborted"] = _aborted(evidence)
    if idle and told not in ("failed", "aborted", "stopped"):
        if idle.how == "error":
            held["failed"] = f"The agent ended on an error: {_because(idle, 'no text')}"
        elif idle.how == "interrupted":
            held["aborted"] = _aborted(evidence)
        elif idle.how == "limit":
            held["stopped"] = f"By a limit or a hook of the agent's: {_because(idle, 'not named')}"
    return held


def _aborted(evidence: Evidence) -> str:
    """Who ended it, and of a policy by which of its rules."""
    abort = evidence.abort
    if abort is None:
        return "Interrupted before it was done"
    rule = shorten(line(abort.text), _LONG) if abort.by == "policy" else ""
    return f"Ended by the {abort.by} before it was done{f' ({rule})' if rule else ''}"


def _because(idle: Idle | None, words: str) -> str:
    said = idle.text.strip().split("\n")[0] if idle and idle.how in ("error", "limit") else ""
    return shorten(said, _LONG) or words or "not named"


def _findings(evidence: Evidence, ends: dict[State, str]) -> dict[State, str]:
    """What the findings say beside how it ended; of a loop that the agent saw itself, both are told."""
    held: dict[State, str] = {}
    for finding in evidence.findings:
        if finding.state != "open" or finding.level != "stop":
            continue
        if finding.detector == "sites":
            held.setdefault("blocked", finding.message)
        elif finding.detector in ("thinking", "repeats", "replies"):
            told = f"; {ends['looping'][:1].lower()}{ends['looping'][1:]}" if "looping" in ends else ""
            held.setdefault("looping", finding.message + told)
    return ends | held


def _outstanding(writes: WritesView) -> str:
    names = [one.file.rstrip("/").split("/")[-1] or one.file or "unnamed" for one in writes.entries if one.outstanding]
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"{plural(writes.outstanding, 'write')} outstanding: {shown}"


def _change(evidence: Evidence) -> dict[State, str]:
    """What the measurement says of a claim with nothing outstanding."""
    tree, sees = evidence.worktree, evidence.coverage.get("failed_writes", Coverage("full"))
    since = "your feedback" if tree.since_feedback else "the prompt"
    if tree.changed is False:
        return {"unchanged": f"Done is claimed, and nothing changed since {since}"}
    if tree.changed and only_outside(tree):
        return {"unchanged": f"Done is claimed, but since {since} only others than the agent changed anything"}
    if evidence.writes.outstanding:
        return {}
    if tree.changed is None:
        return {"claimed": f"Done is claimed; nothing could be measured: {tree.reason}"}
    if sees.sees == "none":
        return {"claimed": f"Done is claimed; this source does not show failed writes: {sees.why}"}
    if evidence.unreadable:
        lost = plural(evidence.unreadable, "record")
        return {"claimed": f"Done is claimed; {lost} could not be read, and may hold a failed write"}
    count = tree.count
    what = f"{plural(count, 'file')} changed" if count else "the folder changed"
    return {"changed": f"Done is claimed, nothing outstanding, {what}{_hands(tree)}"}


def _hands(tree: WorktreeView) -> str:
    """How many of the changed files were last changed by others, or by nobody knows whom; empty where none were."""
    doubt = sum(one.by == "unknown" or bool(not one.by and one.why) for one in tree.files)
    outside = sum(one.by not in ("", "agent", "shell", "unknown") for one in tree.files)
    doubt, outside = doubt + (tree.more - tree.more_outside if doubt else 0), outside + tree.more_outside
    told = ((outside, "last from outside"), (doubt, "by a hand that is not known"))
    which = {1: ""} if tree.count == 1 else {tree.count: "all "}
    return "".join(f", {which.get(count, f'{count:,} of them ')}{what}" for count, what in told if count)


def _otherwise(evidence: Evidence) -> dict[State, str]:
    """Running, or unknown with the reason."""
    run = evidence.run
    if not evidence.begun and evidence.unreadable:
        return {"unknown": f"{plural(evidence.unreadable, 'record')} read, and none is in the format of a known agent"}
    if not evidence.begun:
        return {"unknown": evidence.gone or "Nothing has been read yet"}
    if run.over:
        known = ending(run.agent, run.status)
        if run.status and known is None:
            return {"unknown": f"It ended with a status that monitor does not know: {shorten(run.status, 60)}"}
        if evidence.idle and evidence.idle.how == "asked":
            return {"unknown": "It ended with a question, without saying that it is done"}
        return {"unknown": "It ended without saying that it is done"}
    if evidence.gone and evidence.dropped and not evidence.idle:
        return {"looping": "It ends with the agent's own note: a reply went in circles and was dropped"}
    if evidence.gone in (WRITER_GONE, WRITER_UNKNOWN):
        return {"unknown": evidence.gone[:1].upper() + evidence.gone[1:]}
    if evidence.gone:
        where = "The log ends in a call" if evidence.open_call else "The log stops before the run ends"
        return {"unknown": f"{where}{_parted(evidence)}"}
    if evidence.idle and evidence.idle.how == "asked":
        return {"waiting": "It asks you: " + shorten(evidence.idle.text.strip().split("\n")[-1], _LONG)}
    if evidence.idle and evidence.idle.how in ("could not", "refused"):
        return {"unknown": "It says that it could not do it"}
    if evidence.alive is not True and evidence.now is not None and run.last is not None:
        quiet = evidence.now - run.last
        if quiet > _SILENCE:
            return {"unknown": f"Nothing new for {_long(quiet)}, and nothing tells whether its process still runs"}
    return {"running": "Nothing needs you"}


def _parted(evidence: Evidence) -> str:
    """That its process is gone, and how it ended where that is known."""
    if not evidence.process_gone:
        return ""
    _, known, how = evidence.gone.partition("the agent's process ")
    return f", and its process {how if known else 'is gone'}"


def _long(seconds: float) -> str:
    """A long time in words: minutes, hours or days."""
    for size, noun in ((86_400, "day"), (3_600, "hour")):
        if seconds >= 2 * size:
            return plural(int(seconds // size), noun)
    return plural(int(seconds // 60), "minute")


def _provisional(evidence: Evidence) -> str:
    if evidence.children and not _over(evidence):
        told = plural(evidence.children, "sub-agent")
        return f"no end was seen of {told}" if evidence.gone else f"{told} still running"
    return "a measurement is pending" if evidence.worktree.pending else ""


def _since(
    evidence: Evidence, state: State
) -> tuple[float | None, Literal["last event", "waits", "claimed done", "since", "ended"]]:
    run = evidence.run
    if state == "waiting":
        asked = evidence.idle.at if evidence.idle else None
        return evidence.waiting_since if evidence.waiting else asked, "waits"
    if state in ("not made", "unchanged", "claimed", "changed") and evidence.idle:
        return evidence.idle.at, "claimed done"
    if state in ("failed", "aborted", "stopped") or (run.over and state not in ("blocked", "looping", "unknown")):
        return run.ended if run.ended is not None else evidence.idle.at if evidence.idle else run.last, "ended"
    if state in ("blocked", "looping"):
        return evidence.since.get(state, run.ended), "since"
    return run.last, "last event"
