"""The sections of the report as text, each a title and what stands under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from monitor.detectors.writes_view import SETTLED
from monitor.report import phrases
from monitor.report.blocks import blocks
from monitor.report.parts import CloseRow, FailureRow, FileRow, SiteRow, ThoughtFlag
from monitor.report.phrases import place
from monitor.report.shape import FindingRow, Report, Seeing
from monitor.report.wrap import paragraphs, quote, wrap
from monitor.text import plural


def _writes(report: Report, columns: int) -> Iterator[str]:
    entries, seeing = report["failed_writes"], report["coverage"]["failed_writes"]
    outstanding = sum(entry["outstanding"] for entry in entries)
    if seeing["sees"] == "none" and not entries:
        yield from wrap(f"not measured: {seeing['why'] or 'no reason is known'}", columns, "Failed writes: ", "  ")
        return
    rest = len(entries) - outstanding
    settled = f", {rest}{phrases.beyond(rest, SETTLED)} settled" if rest else ""
    yield f"Failed writes: {outstanding or 'none'} outstanding{settled}" if entries else "Failed writes: none"
    yield from _partly(seeing, columns)
    for entry in entries:
        yield from _file(entry, report, columns)


def _file(entry: FileRow, report: Report, columns: int) -> Iterator[str]:
    file = entry["file"] or phrases.NO_FILE
    title = f"{file}: {phrases.standing(entry)}, {plural(len(entry['failures']), 'failure')}"
    yield from wrap(title, columns, "  ", "    ")
    for remark in phrases.remarks(entry):
        yield from wrap(remark, columns, "    ")
    for failure in entry["failures"]:
        yield from _failure(failure, report, columns)


def _failure(failure: FailureRow, report: Report, columns: int) -> Iterator[str]:
    said = f"{place(failure['place'], report)}: {failure['tool']}: {phrases.failed(failure)}"
    yield from wrap(said, columns, "    ", "      ")
    if failure["what"]:
        yield from wrap(failure["what"], columns, "      ")
    closest = failure["closest"]
    if closest:
        yield from wrap(f"closest lines ({phrases.SOURCES[closest[0]['source']]}):", columns, "      ")
        digits = max(len(str(near["number"])) for near in closest)
        for near in closest:
            yield from _near(near, digits, columns)
    elif failure["no_lines"]:
        yield from wrap(f"no closest lines: {failure['no_lines']}", columns, "      ")


def _near(near: CloseRow, digits: int, columns: int) -> Iterator[str]:
    return quote(near["text"] + ("… [cut]" if near["cut"] else ""), columns, f"      {near['number']:>{digits}} | ")


def _partly(seeing: Seeing, columns: int) -> Iterator[str]:
    if seeing["sees"] == "partial":
        yield from wrap(f"only partly seen: {seeing['why'] or 'no reason is known'}", columns, "  ")


def _sites(report: Report, columns: int) -> Iterator[str]:
    sites, seeing = report["sites"], report["coverage"]["sites"]
    if seeing["sees"] == "none" and not sites:
        yield from wrap(f"not measured: {seeing['why'] or 'no reason is known'}", columns, "Sites: ", "  ")
        return
    yield f"Sites: {phrases.sites(sites)}"
    yield from _partly(seeing, columns)
    for site in sites:
        yield from _site(site, report, columns)


def _site(site: SiteRow, report: Report, columns: int) -> Iterator[str]:
    level = f"{site['level'].upper()} " if site["level"] else ""
    yield from wrap(f"{level}{phrases.site(site)}: {phrases.reached(site)}", columns, "  ", "    ")
    if site["kinds"]:
        yield from wrap(phrases.kinds(site["kinds"]), columns, "    ")
    if site["places"]:
        yield from wrap(", ".join(place(where, report) for where in site["places"]), columns, "    seen at ")


def _thinking(report: Report, columns: int) -> Iterator[str]:
    part, seeing = report["thinking"], report["coverage"]["thinking"]
    if seeing["sees"] == "none" and not part["flags"] and part["peak"] is None:
        yield from wrap(f"not measured: {seeing['why'] or 'no reason is known'}", columns, "Thinking: ", "  ")
        return
    yield from wrap(phrases.thought(part), columns, "Thinking: ", "  ")
    yield from _partly(seeing, columns)
    for flag in part["flags"]:
        yield from _flag(flag, report, columns)


def _flag(flag: ThoughtFlag, report: Report, columns: int) -> Iterator[str]:
    yield from wrap(f"{place(flag['place'], report)}: {phrases.circled(flag)}", columns, "  ", "    ")
    if flag["text"]:
        yield from wrap(f'"{flag["text"]}"', columns, "    ")


def _blocks(report: Report, columns: int) -> Iterator[str]:
    """What the other detectors counted, each under a line of its own."""
    for at, (block, seeing) in enumerate(blocks(report)):
        if at:
            yield ""
        yield from wrap(block.title, columns, "", "  ")
        yield from _unseen(seeing, columns)
        for row in block.rows:
            spots = ", ".join(dict.fromkeys(place(where, report) for where in row.places))
            yield from wrap(f"{row.text} at {spots}" if spots else row.text, columns, "  ", "    ")


def _unseen(seeing: Seeing, columns: int) -> Iterator[str]:
    if seeing["sees"] == "none":
        yield from wrap(seeing["why"] or "no reason is known", columns, "  ")
    yield from _partly(seeing, columns)


def _numbers(report: Report, columns: int) -> Iterator[str]:
    return wrap(phrases.numbers(report), columns, "Numbers: ", "  ")


def _findings(report: Report, columns: int) -> Iterator[str]:
    found = report["findings"]
    yield "Findings:" if found else "Findings: none"
    for finding in found:
        yield from _finding(finding, report, columns)


def _finding(finding: FindingRow, report: Report, columns: int) -> Iterator[str]:
    state = "" if finding["state"] == "open" else f" ({finding['state']})"
    title = f"{finding['level'].upper()} {finding['detector'].replace('_', ' ')}: {finding['message']}{state}"
    yield from wrap(title, columns, "  ", "    ")
    if finding["places"]:
        yield from wrap(", ".join(place(where, report) for where in finding["places"]), columns, "    seen at ")
    if finding["advice"]:
        yield "    advice to the agent:"
        yield from paragraphs(finding["advice"], columns, "      ")


def _actions(report: Report, columns: int) -> Iterator[str]:
    yield "Actions:" if report["actions"] else "Actions: none"
    for action in report["actions"]:
        said = f": {action['text']}" if action["text"] else ""
        yield from wrap(f"{action['action']} by {action['by']}, {action['receipt']}{said}", columns, "  ", "    ")
        if action["evidence"]:
            yield from wrap(action["evidence"], columns, "    ")


def _inputs(report: Report, columns: int) -> Iterator[str]:
    yield "Bytes:" if report["inputs"] else "Bytes: none, nothing was read"
    for account in report["inputs"]:
        yield from wrap(account["name"], columns, "  ", "    ")
        yield from wrap(phrases.account(account), columns, "    ", "      ")
        kinds = phrases.kinds(account["unknown_types"])
        yield from wrap(f"unknown record types: {kinds or 'none'}", columns, "    ", "      ")


def _unjudged(report: Report, columns: int) -> Iterator[str]:
    reasons = phrases.unjudged(report)
    yield "Not judged:" if reasons else "Not judged: none"
    for why, names in reasons.items():
        yield from wrap(f"{', '.join(names)}: {why}", columns, "  ", "    ")


def _redacted(report: Report, columns: int) -> Iterator[str]:
    return wrap(phrases.redacted(report), columns, "Redacted: ", "  ")


ALL: tuple[Callable[[Report, int], Iterator[str]], ...] = (
    _writes, _sites, _thinking, _blocks, _findings, _actions, _inputs, _unjudged, _numbers, _redacted,
)  # fmt: skip
"""In the order they are printed."""
