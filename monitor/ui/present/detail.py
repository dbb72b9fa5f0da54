"""What the selected row holds: its heading and its parts."""

from __future__ import annotations

from monitor.events import (
    Event,
    FileChanged,
    Noticed,
    Prompted,
    RequestEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    TreeMeasured,
)
from monitor.findings import Finding
from monitor.snapshot import Claim, Snapshot
from monitor.text import plural
from monitor.ui.marks import STATES
from monitor.ui.pen import Pen, took
from monitor.ui.present.calls import call_parts
from monitor.ui.present.changed import changed, several
from monitor.ui.present.facts import TOLD, open_findings
from monitor.ui.present.parts import BLANK, TAIL, Part
from monitor.ui.present.selected import Selected
from monitor.ui.present.thinking import repeats
from monitor.ui.present.worktree import seen_live

CLAIMED = {
    "not made": "Claimed with a failed write outstanding.",
    "unchanged": "Claimed, and the agent changed nothing in the project since the prompt.",
    "claimed": "Claimed; what happened could not be measured.",
    "changed": "Claimed, and something changed: not proof that the task is done.",
}
"""What is to be said of a claim by the verdict at that moment."""


def title(pen: Pen, chosen: Selected | None, now: float) -> str:
    """What stands at the right of the heading."""
    if chosen is None:
        return ""
    turn = f"turn {chosen.row.turn:,}" if chosen.row.turn else ""
    found = f"finding {chosen.number} of {chosen.of}" if chosen.number else ""
    facts = (found, chosen.row.kind, pen.clock(chosen.row.at, now), turn)
    return pen.own(" · ".join(fact for fact in facts if fact))


def numbered(finding: Finding | None, snapshot: Snapshot) -> str:
    """Which of the open findings it is."""
    found = open_findings(snapshot)
    return f"finding {found.index(finding) + 1} of {len(found)}" if finding in found else ""


def detail(pen: Pen, chosen: Selected | None, snapshot: Snapshot, now: float) -> list[Part]:
    """The parts of the selected row, then its finding and advice; an output, which may be long, stands below them."""
    if chosen is None:
        return [Part("quiet", "Nothing has happened yet.")] if snapshot.seq < 0 else []
    event = chosen.event
    if chosen.edits:
        return several(chosen.edits, found(pen, chosen))
    if event is None:
        lost = "The record behind this row can no longer be read."
        return [Part("what", chosen.row.text), Part("level", lost, level="warn"), *found(pen, chosen)]
    said = body(pen, chosen, event, snapshot, now)
    if chosen.flag is not None:
        told = [*message(chosen), *repeats(pen, chosen.flag, now), *advice(pen, chosen)]
        return [*told, Part("label", "all of it"), *said]
    at = said.index(TAIL) - 1 if TAIL in said else len(said)
    return [*said[:at], *found(pen, chosen), *said[at:]]


def body(pen: Pen, chosen: Selected, event: Event, snapshot: Snapshot, now: float) -> list[Part]:
    """What the event itself says."""
    match event:
        case ToolCalled():
            return call_parts(pen, event, chosen, snapshot, now)
        case Said() | Thought():
            return spoken(event)
        case Prompted():
            into = [Part("pair", "into", "the running request")] if event.into == "running" else []
            by = [] if event.by == "user" else [Part("pair", "by", f"the {event.by}")]
            return [Part("text", event.text), *by, *into]
        case RequestEnded():
            return ended(pen, event, chosen, snapshot, now)
        case TreeMeasured():
            return [Part("what", chosen.row.text), *measured(event)]
        case FileChanged():
            return changed(event, chosen.row.kind)
        case SourceChanged():
            return source(event, chosen)
        case RunStarted():
            return started(pen, event)
        case Noticed():
            return [Part("text", event.text or event.name), *pairs(event, ("kind", "name"))]
        case _:
            return [Part("what", chosen.row.text), *[one for one in pairs(event) if one.right != chosen.row.text]]


def found(pen: Pen, chosen: Selected) -> list[Part]:
    """The finding the row proves, and the advice that goes with it."""
    finding = chosen.finding
    if finding is None:
        return []
    writing = finding.detector == "failed_writes" and isinstance(chosen.event, ToolCalled)
    told = writing or (chosen.claim is not None and finding.detector in TOLD.get(chosen.claim.state, ()))
    return [*([] if told else [BLANK, *message(chosen)]), *advice(pen, chosen)]


def message(chosen: Selected) -> list[Part]:
    """What the finding says."""
    finding = chosen.finding
    return [] if finding is None else [Part("level", finding.message, level=finding.level)]


def advice(pen: Pen, chosen: Selected) -> list[Part]:
    """What became of the finding, and what it advises."""
    finding = chosen.finding
    if finding is None:
        return []
    parts = []
    if finding.state != "open":
        parts.append(Part("quiet", " ".join(filter(None, (finding.state, finding.why_ended)))))
    if finding.advice:
        sends = f"{pen.key('warn')} sends it" if chosen.warns else ""
        parts += [Part("label", "advice to the agent", sends), Part("text", finding.advice)]
    return parts


def spoken(event: Said | Thought) -> list[Part]:
    """What the model said or thought, as it came."""
    parts = [Part("text" if isinstance(event, Said) else "quiet", event.text)]
    if event.cut:
        parts.append(Part("level", "The log dropped a part of this text.", level="note"))
    if event.synthetic:
        parts.append(Part("level", "Not the model's words: the harness put them there.", level="note"))
    return parts


def ended(pen: Pen, event: RequestEnded, chosen: Selected, snapshot: Snapshot, now: float) -> list[Part]:
    """The end of a request: a claim of done, and what was measured then."""
    parts = [Part("what", event.text or chosen.row.text)]
    claim = chosen.claim
    if claim is None:
        return [*parts, Part("pair", "ended", event.how)]
    tone = STATES[claim.state][1]
    level = "note" if tone in ("", "accent") else tone
    if stands(claim, snapshot):
        told = [Part("level", snapshot.verdict.reason, level=level), BLANK, *since_then(pen, snapshot, now)]
    else:
        told = [Part("level", CLAIMED.get(claim.state, f"The verdict then: {claim.state}."), level=level)]
    could = [] if claim.done else [Part("quiet", "The agent says that it could not do it.")]
    return [*parts, *told, *could, *(asked(pen, claim, snapshot, now) if claim.state == "unchanged" else [])]


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


def measured(event: TreeMeasured) -> list[Part]:
    """A measurement of the folder: what changed, since when, by whose measure."""
    say = {True: "changed", False: "the same", None: f"not known: {event.reason or 'not measured'}"}
    parts = [
        *([Part("pair", "since prompt", say[event.changed])] if event.request else []),
        Part("pair", "since start", say[event.since_start]),
        Part("pair", "taken", {"asked": "when asked"}.get(event.when, f"at the {event.when}")),
        Part("pair", "by", "the monitor" if event.by == "monitor" else "the agent"),
    ]
    parts += [Part("pair", "content", event.content[:16])] if event.content else []
    parts += [Part("pair", "differs", ", ".join(event.kinds))] if event.kinds else []
    if event.files:
        named = [Part("text", file) for file in event.files]
        parts += [Part("label", "files", f"{len(event.files) + event.more:,}"), *named]
        parts += [Part("quiet", f"{plural(event.more, 'more file')}, not named")] if event.more else []
    return parts


def source(event: SourceChanged, chosen: Selected) -> list[Part]:
    """What happened to an input, and what that means for the rows above."""
    meant = {
        "gone": "Nothing more will come. A call without a result above had none by then.",
        "end": "Nothing more will come from here.",
        "gap": "What happened meanwhile is in no row.",
    }.get(event.what)
    where = [Part("pair", "input", f"{event.input:,}")] if event.input >= 0 else []
    return [Part("what", chosen.row.text), *where, *([Part("quiet", meant)] if meant else [])]


def started(pen: Pen, event: RunStarted) -> list[Part]:
    """What the run says of itself, and what its source can show."""
    parts = [Part("what", event.task)] if event.task else []
    parts += pairs(event, ("agent", "version", "model", "session"))
    parts += [Part("pair", "in", pen.place(event.cwd))] if event.cwd else []
    limits = [(name, cover) for name, cover in event.coverage.items() if cover.sees != "full"]
    if limits:
        parts.append(Part("label", "what this source does not show"))
        parts += [Part("pair", name.replace("_", " "), cover.why or cover.sees) for name, cover in limits]
    return parts


HIDDEN = frozenset({"seq", "at", "seen", "actor", "request", "turn", "place", "copied", "id"})


def pairs(event: Event, names: tuple[str, ...] = ()) -> list[Part]:
    """The fields that say something, by name."""
    parts: list[Part] = []
    for name in names or tuple(name for name in event.__struct_fields__ if name not in HIDDEN):
        value = getattr(event, name)
        if value is None or value == "" or value is False or (isinstance(value, (tuple, dict)) and not value):
            continue
        shown = took(value) if name == "timeout" else value if isinstance(value, str) else str(value)
        parts.append(Part("pair", name.replace("_", " "), shown))
    return parts
