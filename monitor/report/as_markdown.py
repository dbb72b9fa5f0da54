"""The report in Markdown, as long as a comment on a pull request may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from monitor.report import markdown_sections as sections
from monitor.report import phrases
from monitor.report.markdown_text import code, head, inline, row
from monitor.report.room import Piece, Section, fit
from monitor.report.shape import Report
from monitor.text import plural, shorten

MOST = 65_536
"""Characters that GitHub takes in one comment."""
_CLAIMS = 10
"""Claims that are listed, the latest."""
_BEFORE = (sections.writes, sections.sites, sections.thinking)
_BEHIND = (sections.findings, sections.actions, sections.inputs, sections.unjudged)
"""In the order they are printed, around what the other detectors counted."""


def render(reports: Sequence[Report], *, several: bool = False) -> str:
    """One report, or several one after the other, within one comment; `several` where more than these were asked for."""
    found = []
    for number, report in enumerate(reports, 1):
        title = f"{number} of {len(reports)}" if several or len(reports) > 1 else ""
        found.append(Section(tuple(_head(report, title)), first=True))
        found += [Section(tuple(section)) for section in _sections(report)]
    return fit(found, MOST)


def _sections(report: Report) -> Iterator[Iterator[Piece]]:
    yield from (section(report) for section in _BEFORE)
    yield from sections.others(report)
    yield from (section(report) for section in _BEHIND)


def _head(report: Report, title: str) -> Iterator[Piece]:
    verdict = report["verdict"]
    if title:
        names = ", ".join(code(shorten(one["name"], 200)) for one in report["inputs"][:3]) or "no input"
        yield Piece(f"\n## {title}: {names}\n\n")
    reason = inline(verdict["reason"])
    yield Piece(f"**{verdict['state'].upper()}{': ' if reason else ''}{reason}**\n\n", "verdict")
    if verdict["provisional"]:
        why = verdict["why_provisional"] or "a sub-agent still runs, or a measurement is pending"
        yield Piece(f"Provisional: {inline(why)}\n\n", "provisional remark")
    yield Piece(head(("", "claimed and measured")))
    yield from (Piece(row((label, text)), "summary line") for label, text in _summary(report))
    yield Piece("\n")


def _summary(report: Report) -> Iterator[tuple[str, str]]:
    claims = report["claims"]
    yield "Claimed", phrases.claimed(report)
    earlier = report["earlier_claims"] + len(claims) - _CLAIMS
    if earlier > 0:
        yield "", f"{earlier} earlier ones are not listed here"
    for claim in claims[-_CLAIMS:]:
        where = sections.spot(claim["place"], report)
        yield "", f"at {where} ({claim['state']}): {inline(claim['text'], 300)}"
    yield "Measured", inline(phrases.measured(report))
    yield from (("", text) for text in _tree(report))
    if report["verdict"]["also"]:
        yield "Also", ", ".join(report["verdict"]["also"])
    for label, sentence in zip(["Source", *[""] * len(report["sources"])], report["sources"], strict=False):
        yield label, inline(sentence)
    root = report["runs"][0]
    yield "Run", inline(phrases.run(root))
    yield "Task", inline(root["task"] or "not known", 300)
    yield "Project", code(shorten(root["project"] or root["cwd"] or "", 400)) or "not known"
    yield "Time", phrases.times(root)
    others = f"; {plural(len(report['runs']) - 1, 'sub-agent')} among them" if len(report["runs"]) > 1 else ""
    yield "Work", inline(phrases.work(root)) + others


def _tree(report: Report) -> Iterator[str]:
    tree = report["worktree"]
    if tree["kinds"]:
        yield f"what differs: {inline(', '.join(tree['kinds']))}"
    for changed in tree["files"]:
        by = inline(", ".join(filter(None, (changed["by"], changed["why"]))))
        yield f"{code(shorten(changed['file'], 400))}: {by}" if by else code(shorten(changed["file"], 400))
    if tree["unnamed"]:
        yield f"{plural(tree['unnamed'], 'more file')}, not named"
