"""The report as plain text of 80 columns: first the verdict and why, then what was claimed and what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from monitor.report import sections
from monitor.report.shape import Report, RunRow
from monitor.report.wrap import wrap
from monitor.text import line, plural, shorten

COLUMNS = 80
_LABEL = 10
_CLAIMS = 10
"""Claims that are listed, the latest."""


def render(reports: Sequence[Report]) -> str:
    """One report, or several one after the other, each under a line that counts and names it."""
    texts = []
    for number, report in enumerate(reports, 1):
        text = "\n".join(_report(report)) + "\n"
        if len(reports) > 1:
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
        yield from wrap("Provisional: a sub-agent still runs, or a measurement is pending.", COLUMNS, "  ")
    yield ""
    yield from _claimed(report)
    yield from _measured(report)
    if verdict["also"]:
        yield from _row("Also", ", ".join(verdict["also"]))
    yield from _run(report["runs"])


def _claimed(report: Report) -> Iterator[str]:
    claims, done = report["claims"], report["verdict"]["claimed_done"]
    said = {True: "done", False: "that it could not", None: "nothing"}[done]
    yield from _row("Claimed", f"{said} ({plural(len(claims), 'claim')})" if claims else said)
    if len(claims) > _CLAIMS:
        yield from _row("", f"{len(claims) - _CLAIMS} earlier ones are not listed here")
    for claim in claims[-_CLAIMS:]:
        place = sections.place(claim["place"], report)
        yield from _row("", f'at {place} ({claim["state"]}): "{shorten(line(claim["text"]), 300)}"')


def _measured(report: Report) -> Iterator[str]:
    tree = report["worktree"]
    words = {True: "changed", False: "unchanged", None: "not measured"}
    if tree["changed"] is None:
        reason = tree["reason"] or "no reason is known"
        latest = reason if reason.startswith("not measured") else f"not measured: {reason}"
    else:
        latest = f"{words[tree['changed']]} since the latest prompt or feedback"
    if tree["since_start"] is not None:
        latest += f"; {words[tree['since_start']]} since the start"
    by = {"monitor": " (by the monitor)", "agent": " (by the agent itself)", None: ""}[tree["by"]]
    yield from _row("Measured", latest + by)
    if tree["kinds"]:
        yield from _row("", f"what differs: {', '.join(tree['kinds'])}")
    for changed in tree["files"]:
        by = ", ".join(filter(None, (changed["by"], changed["why"])))
        yield from _row("", f"{changed['file']}: {by}" if by else changed["file"])


def _run(runs: Sequence[RunRow]) -> Iterator[str]:
    root = runs[0]
    agent = " ".join(filter(None, (root["agent"], root["version"]))) or "unknown agent"
    yield from _row("Run", ", ".join(filter(None, (agent, root["model"], f"session {root['session'] or 'unknown'}"))))
    yield from _row("Task", shorten(line(root["task"] or "not known"), 300))
    yield from _row("Project", root["project"] or root["cwd"] or "not known")
    yield from _row("Time", _times(root))
    yield from _row("Work", _work(root))
    if len(runs) > 1:
        yield from _row("", f"{plural(len(runs) - 1, 'sub-agent')} among them")


def _work(run: RunRow) -> str:
    parts = [plural(run["requests"] or 0, "request"), plural(run["turns"], "turn"), plural(run["calls"], "call")]
    if (tokens := run["tokens"]) is not None:
        parts.append(f"{tokens['input']:,} tokens in, {tokens['output']:,} out")
    if run["cost"] is not None:
        parts.append(f"${run['cost']:.2f}")
    if run["status"] is not None:
        parts.append(f"ended as {run['status']}")
    return ", ".join(parts)


def _times(run: RunRow) -> str:
    if run["started"] is None:
        return "not known"
    ended = f" to {_utc(run['ended'])}" if run["ended"] is not None else ", no end is recorded"
    return f"{_utc(run['started'])}{ended} (UTC)"


def _utc(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "an impossible time"


def _row(label: str, text: str) -> Iterator[str]:
    return wrap(text, COLUMNS, f"{label:<{_LABEL}}")
