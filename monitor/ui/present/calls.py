"""The detail of a call: a failed write, a change that was made, a command, or anything else."""

from __future__ import annotations

from monitor.detectors.writes_view import FailedWrite, FileEntry
from monitor.events import Change, ToolCalled, ToolReturned
from monitor.snapshot import Snapshot
from monitor.text import plural
from monitor.timeline.rows import Row
from monitor.ui.pen import Pen, took, whole
from monitor.ui.present.panels import failure
from monitor.ui.present.parts import TAIL, Part
from monitor.ui.present.quote import NONE, undented, words
from monitor.ui.present.selected import Selected

MOST = 400
"""Lines of an output or a text that are shown."""
_PATHS = 20
"""Files of one call that are named."""


def call_parts(pen: Pen, call: ToolCalled, chosen: Selected, snapshot: Snapshot, now: float) -> list[Part]:
    """What was called, what came back."""
    result, row = chosen.result, chosen.row
    failed = [
        (entry, one)
        for entry in snapshot.writes.entries
        for one in entry.failures
        if one.call and one.call == call.call
    ]
    if failed:
        level = chosen.finding.level if chosen.finding is not None else "note"
        return [part for entry, one in failed for part in failed_parts(pen, entry, one, level, now)]
    if call.changes:
        return [part for change in call.changes for part in change_parts(change)] + outcome_parts(result, row)
    if call.command:
        return command_parts(pen, call, chosen, now)
    what = [Part("path", path) for path in call.paths[:_PATHS]] or [Part("what", call.url or row.text or call.tool)]
    if len(call.paths) > _PATHS:
        what.append(Part("quiet", f"{plural(len(call.paths) - _PATHS, 'more file')} not named"))
    asked = [Part("label", "arguments", call.tool), Part("text", call.arguments)] if call.arguments else []
    return [*what, *outcome_parts(result, row), *asked, *output_parts(result)]


def failed_parts(pen: Pen, entry: FileEntry, write: FailedWrite, level: str, now: float) -> list[Part]:
    """A failed write: what failed, what it looked for and meant to write, and the lines that come closest."""
    told = failure(write)
    times = "once" if entry.count == 1 else f"{entry.count} times"
    if entry.outstanding:
        rest = f"Failed {times}, {'not known to be made' if entry.unknown else 'not made'} since."
    else:
        rest = f"Settled by {entry.settled_by} {pen.clock(entry.settled_at, now)}".rstrip() + "."
    parts = [
        Part("path", entry.file or "no file named"),
        Part("level", f"{told[:1].upper()}{told[1:]}. {rest}", level=level if entry.outstanding else "ok"),
    ]
    if write.what and write.what != told:
        parts.append(Part("quiet", write.what, spare=True))
    parts.append(Part("blank"))
    parts += quotes(write.guess, "guess") + quotes(write.new, "new", spare=True)
    return parts + closest_parts(pen, write, now)


def closest_parts(pen: Pen, write: FailedWrite, now: float) -> list[Part]:
    """The lines of the file that come closest to the guess, or why there are none."""
    if not write.closest:
        return [Part("quiet", f"No closest lines: {write.no_lines}")] if write.no_lines else []
    texts, by = undented([line.text + (pen.mark("more") if line.cut else "") for line in write.closest])
    read = {
        "disk": f"as at {pen.clock(write.at, now)}" if write.at is not None else "as at the failure",
        "log": "as the run last read it",
        "today": "as the file is today",
    }.get(write.source, "")
    right = ", ".join(filter(None, (read, f"indented {by}" if by else "")))
    wanted = words(write.guess)
    lines = [
        Part("quote", text, str(line.number), hits=wanted) for line, text in zip(write.closest, texts, strict=True)
    ]
    return [Part("label", "closest lines", right), *lines]


def quotes(text: str, name: str, *, spare: bool = False, hits: frozenset[str] = NONE) -> list[Part]:
    """A text in its gutter, its name beside the first line; how many lines of a long one are not shown is said."""
    if not text:
        return []
    every = text.split("\n")
    lines, _ = undented(every[:MOST])
    parts = [Part("quote", line, "" if index else name, hits=hits, spare=spare) for index, line in enumerate(lines)]
    left = len(every) - MOST - (not every[-1])
    return [*parts, *([Part("quiet", f"{plural(left, 'more line')} not shown", spare=spare)] if left > 0 else [])]


def change_parts(change: Change) -> list[Part]:
    """One change as the call asked for it."""
    parts = [Part("path", change.file or "no file named")]
    lines = [f"+{change.added}" if change.added else "", f"-{change.removed}" if change.removed else ""]
    what = " ".join(filter(None, (change.op, *lines, f"to {change.to}" if change.to else "")))
    parts.append(Part("pair", "change", what))
    if change.cut:
        parts.append(Part("quiet", "The log dropped a part of the text."))
    if change.old or change.new:
        parts.append(Part("blank"))
    return parts + quotes(change.old or "", "old") + quotes(change.new or "", "new")


def command_parts(pen: Pen, call: ToolCalled, chosen: Selected, now: float) -> list[Part]:
    """A command, and the end of what it printed."""
    result, row = chosen.result, chosen.row
    parts = [Part("what", call.command)]
    if result is not None and result.cwd:
        parts.append(Part("pair", "in", pen.place(result.cwd)))
    at = call.at if call.at is not None else row.at
    if at is not None:
        passed = whole(now - at) if result is None and row.outcome == "running" else ""
        parts.append(Part("pair", "started", pen.clock(at, now) + (f", {passed} ago" if passed else "")))
    if call.timeout is not None:
        parts.append(Part("pair", "limit", took(call.timeout)))
    if call.background or (result is not None and result.background):
        parts.append(Part("pair", "goes on", "in the background"))
    return parts + outcome_parts(result, row) + output_parts(result)


def outcome_parts(result: ToolReturned | None, row: Row) -> list[Part]:
    """How it came out, where that is more than well."""
    if result is None:
        return [Part("pair", "result", row.outcome or "none yet")]
    bad = result.outcome not in ("ok", "unknown")
    shown = f"exit {result.exit}" if result.exit is not None else result.outcome.replace("_", " ")
    spent = f", after {took(row.took)}" if took(row.took) else ""
    level = row.level if row.level in ("warn", "stop") and bad else ""
    return [Part("pair", "result", shown + spent, level=level)]


def output_parts(result: ToolReturned | None) -> list[Part]:
    """The output, its end kept in view."""
    if result is None or not result.output.strip():
        return []
    lines = result.output.rstrip("\n").split("\n")
    first = max(0, len(lines) - MOST)
    told = plural(len(lines), "line") + (", cut by the log" if result.cut else "")
    numbered = [Part("quote", line, str(first + index + 1)) for index, line in enumerate(lines[first:])]
    return [Part("label", "output", told), TAIL, *numbered]
