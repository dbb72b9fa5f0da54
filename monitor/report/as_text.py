"""The report as plain text of 80 columns: first the verdict and why, then what was claimed and what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from monitor.report import phrases, sections
from monitor.report.shape import Report, RunRow
from monitor.report.wrap import wrap
from monitor.text import line, plural, shorten

COLUMNS = 80
_LABEL = 10
_CLAIMS = 10
"""Claims that are listed, the latest."""


def render(reports: Sequence[Report], *, several: bool = False) -> str:
    """One report, or several one after the other, each under a line that counts and names it.

    `several` where more than these were asked for.
    """
    texts = []
    for number, report in enumerate(reports, 1):
        text = "\n".join(_report(report)) + "\n"
        if several or len(reports) > 1:
            names = ", ".join(one["name"] for one in report["inputs"][:3]) or "no input"
            title = "\n".join(wrap(f"{number} of {len(reports)}: {names}", COLUMNS, "== ", "   "))
            text = f"{title}\n\n{text}"
        texts.append(text)
    return "\n".join(texts)


def _report(report: Report) -> Iterator[str]:
    yield from _head(report)
    for section in sections.ALL:
        yield ""
        yield from section(report, COLUMNS)


def _head(report: Report) -> Iterator[str]:
    verdict = report["verdict"]
    yield from wrap(f"{verdict['state'].upper()}: {verdict['reason']}", COLUMNS, "", "  ")
    if verdict["provisional"]:
        why = verdict["why_provisional"] or "a sub-agent still runs, or a measurement is pending"
        yield from wrap(f"Provisional: {why}", COLUMNS, "  ")
    yield ""
    yield from _claimed(report)
    yield from _measured(report)
    if verdict["also"]:
        yield from _row("Also", ", ".join(verdict["also"]))
    for label, sentence in zip(["Source", *[""] * len(report["sources"])], report["sources"], strict=False):
        yield from _row(label, sentence)
    yield from _run(report["runs"])


def _claimed(report: Report) -> Iterator[str]:
    claims = report["claims"]
    yield from _row("Claimed", phrases.claimed(report))
    earlier = report["earlier_claims"] + len(claims) - _CLAIMS
    if earlier > 0:
        yield from _row("", f"{earlier} earlier ones are not listed here")
    for claim in claims[-_CLAIMS:]:
        place = phrases.place(claim["place"], report)
        yield from _row("", f'at {place} ({claim["state"]}): "{shorten(line(claim["text"]), 300)}"')


def _measured(report: Report) -> Iterator[str]:
    tree = report["worktree"]
    yield from _row("Measured", phrases.measured(report))
    if tree["kinds"]:
        yield from _row("", f"what differs: {', '.join(tree['kinds'])}")
    for changed in tree["files"]:
        by = ", ".join(filter(None, (changed["by"], changed["why"])))
        yield from _row("", f"{changed['file']}: {by}" if by else changed["file"])
    if tree["unnamed"]:
        yield from _row("", f"{plural(tree['unnamed'], 'more file')}, not named")


def _run(runs: Sequence[RunRow]) -> Iterator[str]:
    root = runs[0]
    yield from _row("Run", phrases.run(root))
    yield from _row("Task", shorten(line(root["task"] or "not known"), 300))
    yield from _row("Project", root["project"] or root["cwd"] or "not known")
    yield from _row("Time", phrases.times(root))
    yield from _row("Work", phrases.work(root))
    if len(runs) > 1:
        yield from _row("", f"{plural(len(runs) - 1, 'sub-agent')} among them")


def _row(label: str, text: str) -> Iterator[str]:
    return wrap(text, COLUMNS, f"{label:<{_LABEL}}")
