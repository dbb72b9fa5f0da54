"""The sections of the report in Markdown, each in pieces that can be left out."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.detectors.writes_view import SETTLED
from monitor.report import phrases
from monitor.report.blocks import Block, blocks
from monitor.report.markdown_text import code, fenced, head, inline, row
from monitor.report.parts import FailureRow, FileRow, Where
from monitor.report.room import Piece
from monitor.report.shape import FindingRow, Report, Seeing
from monitor.report.wrap import quote
from monitor.text import shorten

_UNWRAPPED = 100_000
"""Columns of a quoted line that is not to be broken."""
_PLACES = 5
"""Places that are listed of one finding or site."""


def spot(where: Where, report: Report) -> str:
    """A place as code; what the monitor itself saw has none."""
    name = phrases.place(where, report)
    return name if where["input"] < 0 else code(name)


def places(spots: list[Where], report: Report) -> str:
    """The first places, and how many more there are."""
    named = [spot(where, report) for where in spots[:_PLACES]]
    more = [f"{len(spots) - _PLACES} more"] if len(spots) > _PLACES else []
    return ", ".join([*named, *more])


def writes(report: Report) -> Iterator[Piece]:
    """The outstanding failed writes with the lines that come closest, then the settled ones."""
    entries, seeing = report["failed_writes"], report["coverage"]["failed_writes"]
    waiting = [entry for entry in entries if entry["outstanding"]]
    settled = [entry for entry in entries if not entry["outstanding"]]
    if seeing["sees"] == "none" and not entries:
        yield _title("Failed writes: not measured", seeing)
        return
    count = f"{len(settled)}{phrases.beyond(len(settled), SETTLED)}"
    beside = f", {count} settled" if settled else ""
    yield _title(f"Failed writes: {len(waiting) or 'none'} outstanding{beside}", seeing)
    if waiting:
        yield Piece(head(("file", "failures", "last failure", "tool", "where", "remarks")))
        yield from (Piece(_outstanding(entry, report), "failed write") for entry in waiting)
        yield Piece("\n")
        yield from (Piece(text, "quoted failure") for entry in waiting for text in _quotes(entry, report))
    if settled:
        rows = "".join(row((_file(one), inline(phrases.standing(one)), str(len(one["failures"])))) for one in settled)
        table = f"\n{head(('file', 'settled', 'failures'))}{rows}"
        yield Piece(_details(f"Settled: {count}", table), "settled table")


def _file(entry: FileRow) -> str:
    return code(shorten(entry["file"], 400)) or phrases.NO_FILE


def _outstanding(entry: FileRow, report: Report) -> str:
    remarks = inline("; ".join(phrases.remarks(entry)))
    if not entry["failures"]:
        return row((_file(entry), "0", "", "", "", remarks))
    last = entry["failures"][-1]
    where = spot(last["place"], report)
    return row((
        _file(entry), str(len(entry["failures"])), phrases.failed(last), code(shorten(last["tool"], 100)), where, remarks,
    ))  # fmt: skip


def _quotes(entry: FileRow, report: Report) -> Iterator[str]:
    for failure in entry["failures"]:
        said = f"{_file(entry)} at {spot(failure['place'], report)}: {phrases.failed(failure)}"
        if failure["what"]:
            said += f". {inline(failure['what'])}"
        if failure["closest"]:
            when = phrases.SOURCES[failure["closest"][0]["source"]]
            yield f"{said}\n\nClosest lines, {when}:\n\n{_closest(failure)}\n"
        elif failure["no_lines"]:
            yield f"{said}\n\nNo closest lines: {inline(failure['no_lines'])}\n\n"


def _closest(failure: FailureRow) -> str:
    digits = max(len(str(near["number"])) for near in failure["closest"])
    lines = [
        text
        for near in failure["closest"]
        for text in quote(
            near["text"] + ("… [cut]" if near["cut"] else ""), _UNWRAPPED, f"{near['number']:>{digits}} | "
        )
    ]
    return fenced(lines)


def sites(report: Report) -> Iterator[Piece]:
    """The sites that were asked, and how they answered."""
    rows, seeing = report["sites"], report["coverage"]["sites"]
    if seeing["sees"] == "none" and not rows:
        yield _title("Sites: not measured", seeing)
        return
    yield _title(f"Sites: {phrases.sites(rows)}", seeing)
    if rows:
        yield Piece(head(("site", "level", "what became of it", "failures", "where")))
    for site in rows:
        kinds = inline(phrases.kinds(site["kinds"]))
        name = code(shorten(phrases.site(site), 300))
        yield Piece(
            row((name, site["level"] or "", phrases.reached(site), kinds, places(site["places"], report))), "site"
        )
    yield Piece("\n")


def thinking(report: Report) -> Iterator[Piece]:
    """How much was thought, and the replies that went in circles."""
    part, seeing = report["thinking"], report["coverage"]["thinking"]
    if seeing["sees"] == "none" and not part["flags"] and part["peak"] is None:
        yield _title("Thinking: not measured", seeing)
        return
    yield _title("Thinking", seeing)
    yield Piece(f"{phrases.thought(part)}\n\n", "thinking figure")
    if part["flags"]:
        yield Piece(head(("where", "how", "what repeats")))
    for flag in part["flags"]:
        where = spot(flag["place"], report)
        yield Piece(row((where, phrases.circled(flag), code(shorten(flag["text"], 300)))), "circle")
    yield Piece("\n")


def others(report: Report) -> Iterator[Iterator[Piece]]:
    """What repeats, replies, folder, scripts, tests, stalls and outside edits come to, each a section of its own."""
    for block, seeing in blocks(report):
        yield _block(block, seeing, report)


def _block(block: Block, seeing: Seeing, report: Report) -> Iterator[Piece]:
    yield _title(inline(block.title), seeing)
    for one in block.rows:
        at = places(list(one.places), report)
        yield Piece(f"* {inline(one.text, 1_000)}{f', at {at}' if at else ''}\n", "row")
    if block.rows:
        yield Piece("\n")


def findings(report: Report) -> Iterator[Piece]:
    """Every finding with the places that prove it and the advice to the agent."""
    yield Piece("### Findings\n\n" if report["findings"] else "### Findings: none\n\n")
    for finding in report["findings"]:
        yield Piece(_finding(finding, report), "finding")


def _finding(finding: FindingRow, report: Report) -> str:
    state = "" if finding["state"] == "open" else f" ({finding['state']})"
    detector = finding["detector"].replace("_", " ")
    text = f"**{finding['level'].upper()}** {detector}: {inline(finding['message'], 1_000)}{state}"
    if finding["places"]:
        text += f", seen at {places(finding['places'], report)}"
    if not finding["advice"]:
        return f"{text}\n\n"
    advice = fenced(shorten(finding["advice"], 4_000).split("\n"))
    return f"{text}\n\n{_details('Advice to the agent', f'{chr(10)}{advice}')}"


def actions(report: Report) -> Iterator[Piece]:
    """What was done to the run, and how far it got."""
    rows = report["actions"]
    yield Piece(
        f"### Actions\n\n{head(('action', 'by', 'got', 'text', 'how it is known'))}"
        if rows
        else "### Actions: none\n\n"
    )
    for action in rows:
        said, known = inline(action["text"]), inline(action["evidence"] or "")
        yield Piece(row((code(action["action"]), action["by"], action["receipt"], said, known)), "action")
    yield Piece("\n")


def inputs(report: Report) -> Iterator[Piece]:
    """The account of every byte."""
    rows = report["inputs"]
    yield Piece(
        f"### Bytes\n\n{head(('input', 'account', 'unknown record types'))}"
        if rows
        else "### Bytes: none, nothing was read\n\n"
    )
    for one in rows:
        unknown = inline(phrases.kinds(one["unknown_types"])) or "none"
        yield Piece(row((code(shorten(one["name"], 300)), phrases.account(one), unknown)), "input")
    yield Piece("\n")


def unjudged(report: Report) -> Iterator[Piece]:
    """What could not be judged, and what was taken out."""
    reasons = phrases.unjudged(report)
    yield Piece("### Not judged\n\n" if reasons else "### Not judged: none\n\n")
    for why, names in reasons.items():
        yield Piece(f"* {', '.join(names)}: {inline(why)}\n", "gap")
    yield Piece(f"\nNumbers: {inline(phrases.numbers(report), 4_000)}.\n", "line of numbers")
    yield Piece(f"\nRedacted: {phrases.redacted(report)}.\n", "redaction count")


def _title(title: str, seeing: Seeing) -> Piece:
    """A section's title, and under it what could not be seen."""
    why = inline(seeing["why"] or "no reason is known")
    under = {"none": f"Reason: {why}\n\n", "partial": f"Only partly seen: {why}\n\n", "full": ""}[seeing["sees"]]
    return Piece(f"### {title}\n\n{under}")


def _details(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n{text}\n</details>\n\n"
