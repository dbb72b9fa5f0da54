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
from monitor.snapshot import Snapshot
from monitor.text import plural
from monitor.ui.pen import Pen, took
from monitor.ui.present.calls import call_parts
from monitor.ui.present.changed import changed, several
from monitor.ui.present.claim import claimed
from monitor.ui.present.facts import TOLD, open_findings
from monitor.ui.present.parts import BLANK, TAIL, Part
from monitor.ui.present.selected import Selected
from monitor.ui.present.thinking import repeats


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
        case Said() | RequestEnded() if chosen.claim is not None:
            told = claimed(pen, event.text or chosen.row.text, chosen.claim, snapshot, now)
            return [*told, *(doubts(event) if isinstance(event, Said) else [])]
        case Said() | Thought():
            return [Part("text" if isinstance(event, Said) else "quiet", event.text), *doubts(event)]
        case Prompted():
            into = [Part("pair", "into", "the running request")] if event.into == "running" else []
            by = [] if event.by == "user" else [Part("pair", "by", f"the {event.by}")]
            return [Part("text", event.text), *by, *into]
        case RequestEnded():
            return [Part("what", event.text or chosen.row.text), Part("pair", "ended", event.how)]
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


def doubts(event: Said | Thought) -> list[Part]:
    """What of a text is not as the model said it."""
    cut = Part("level", "The log dropped a part of this text.", level="note")
    put = Part("level", "Not the model's words: the harness put them there.", level="note")
    return [*([cut] if event.cut else []), *([put] if event.synthetic else [])]


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
