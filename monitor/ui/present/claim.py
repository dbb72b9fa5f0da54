"""The detail of a claim of done."""

from __future__ import annotations

from monitor.snapshot import Claim, Snapshot, State
from monitor.text import plural
from monitor.ui.marks import STATES
from monitor.ui.pen import Pen
from monitor.ui.present.parts import BLANK, TAIL, Part
from monitor.ui.present.worktree import seen_live

CLAIMED = {
    "not made": "Claimed with a failed write outstanding.",
    "unchanged": "Claimed, and the agent changed nothing in the project since the prompt.",
    "claimed": "Claimed; what happened could not be measured.",
    "changed": "Claimed, and something changed: not proof that the task is done.",
}
"""What is to be said of a claim by the verdict at that moment."""
_BRIEF, _LINES = 400, 6
"""Characters and lines of a claim that stands above what is to be said of it."""


def claimed(pen: Pen, text: str, claim: Claim, snapshot: Snapshot, now: float) -> list[Part]:
    """A claim of done, what is to be said of it, and what was measured then; a long text stands below that."""
    if stands(claim, snapshot):
        reason = snapshot.verdict.reason
        told = [_verdict(snapshot.verdict.state, reason), BLANK, *since_then(pen, snapshot, now)]
    else:
        reason = CLAIMED.get(claim.state, f"The verdict then: {claim.state}.")
        told = [_verdict(claim.state, reason)]
    if not claim.done and "could not" not in reason:
        told.append(Part("quiet", "The agent says that it could not do it."))
    if claim.state == "unchanged":
        told += asked(pen, claim, snapshot, now)
    lines = text.strip().count("\n") + 1
    if len(text) <= _BRIEF and lines <= _LINES:
        return [Part("what", text), *told]
    return [*told, Part("label", "the claim", plural(lines, "line")), TAIL, Part("text", text)]


def _verdict(state: State, reason: str) -> Part:
    tone = STATES[state][1]
    return Part("level", reason, level="note" if tone in ("", "accent") else tone)


def stands(claim: Claim, snapshot: Snapshot) -> bool:
    """Whether the verdict is still that of this claim: no later one, and no work since."""
    latest = snapshot.claims[-1] is claim and claim.request == snapshot.run.requests
    return latest and snapshot.verdict.claimed_done is not None


def asked(pen: Pen, claim: Claim, snapshot: Snapshot, now: float) -> list[Part]:
    """The operator's own words before a claim over which nothing changed."""
    told = [one for one in snapshot.actions if one.action == "feedback" and one.text and one.at is not None]
    before = [one for one in told if claim.at is None or (one.at or 0.0) <= claim.at]
    if not before:
        return []
    return [Part("label", "your feedback", pen.clock(before[-1].at, now)), Part("text", before[-1].text)]


def since_then(pen: Pen, snapshot: Snapshot, now: float) -> list[Part]:
    """What was measured for the latest claim: writes outstanding, and the folder."""
    view, tree = snapshot.writes, snapshot.worktree
    names = ", ".join(one.file.rsplit("/", 1)[-1] for one in view.entries if one.outstanding)
    cover = snapshot.coverage.get("failed_writes")
    seen = "none" if cover is None or cover.sees == "full" else f"none seen: {cover.why or 'not all is shown'}"
    since = "feedback" if tree.since_feedback else "prompt"
    files = f", {plural(tree.count, 'file')}" if tree.files else ""
    folder = {
        True: f"changed since the {since}{files}",
        False: f"unchanged since the {since}",
        None: f"not measured: {tree.reason}" if tree.reason else "not measured",
    }[tree.changed]
    at = pen.clock(tree.at, now)
    by = f"at {at}, by the {tree.by}" if at and tree.by else ""
    pairs = (("outstanding", f"{plural(view.outstanding, 'write')}: {names}" if view.outstanding else seen),
             ("folder", folder), ("measured", by), ("live", seen_live(tree)))  # fmt: skip
    return [Part("pair", name, words) for name, words in pairs if words]
