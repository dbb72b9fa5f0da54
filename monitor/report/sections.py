"""The sections of the report as text, each a title and what stands under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from monitor.report.parts import CloseRow, FailureRow, FileRow, Where
from monitor.report.shape import FindingRow, InputRow, Report
from monitor.report.wrap import paragraphs, quote, wrap
from monitor.text import line, plural
from monitor.wording import FAILURES, OUTCOMES

_WORDS = dict[str, str]([*FAILURES.items(), *OUTCOMES.items()])
_UNSURE = ("cancelled", "timed_out", "unknown")
"""Outcomes after which nobody can tell whether the file was written."""
_SOURCES = {
    "disk": "read at the failure",
    "log": "as the run itself read it",
    "today": "as the file is today, long after the failure",
    None: "when it was read is not known",
}


def place(where: Where, report: Report) -> str:
    """A place as `name:line`, as compilers and editors write it."""
    names = report["inputs"]
    if where["input"] < 0:
        return "the monitor"
    name = line(names[where["input"]]["name"]) if where["input"] < len(names) else f"input {where['input']}"
    return f"{name}:{where['line']}"


def _writes(report: Report, columns: int) -> Iterator[str]:
    entries, seeing = report["failed_writes"], report["coverage"]["failed_writes"]
    outstanding = sum(entry["outstanding"] for entry in entries)
    if seeing["sees"] == "none" and not entries:
        yield from wrap(f"not measured: {seeing['why'] or 'no reason is known'}", columns, "Failed writes: ", "  ")
        return
    settled = f", {len(entries) - outstanding} settled" if len(entries) > outstanding else ""
    yield f"Failed writes: {outstanding or 'none'} outstanding{settled}" if entries else "Failed writes: none"
    if seeing["sees"] == "partial":
        yield from wrap(f"only partly seen: {seeing['why'] or 'no reason is known'}", columns, "  ")
    for entry in entries:
        yield from _file(entry, report, columns)


def _file(entry: FileRow, report: Report, columns: int) -> Iterator[str]:
    if entry["outstanding"]:
        state = "outstanding"
    else:
        state = f"settled by {entry['settled_by']}" if entry["settled_by"] else "settled"
    file = entry["file"] or "(a call that named no file)"
    yield from wrap(f"{file}: {state}, {plural(len(entry['failures']), 'failure')}", columns, "  ", "    ")
    for failure in entry["failures"]:
        yield from _failure(failure, report, columns)


def _failure(failure: FailureRow, report: Report, columns: int) -> Iterator[str]:
    excused = " (excused: the same change stands already)" if failure["excused"] else ""
    unsure = " (whether it was written is unknown)" if failure["failure"] in _UNSURE else ""
    said = f"{place(failure['place'], report)}: {failure['tool']}: {_WORDS[failure['failure']]}{unsure}{excused}"
    yield from wrap(said, columns, "    ", "      ")
    if failure["what"]:
        yield from wrap(failure["what"], columns, "      ")
    closest = failure["closest"]
    if closest:
        yield from wrap(f"closest lines ({_SOURCES[closest[0]['source']]}):", columns, "      ")
        digits = max(len(str(near["number"])) for near in closest)
        for near in closest:
            yield from _near(near, digits, columns)


def _near(near: CloseRow, digits: int, columns: int) -> Iterator[str]:
    return quote(near["text"] + ("… [cut]" if near["cut"] else ""), columns, f"      {near['number']:>{digits}} | ")


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


def _inputs(report: Report, columns: int) -> Iterator[str]:
    yield "Bytes:" if report["inputs"] else "Bytes: none, nothing was read"
    for account in report["inputs"]:
        yield from wrap(account["name"], columns, "  ", "    ")
        yield from wrap(_account(account), columns, "    ", "      ")
        kinds = ", ".join(f"{line(name) or '(no name)'} x{count:,}" for name, count in account["unknown_types"].items())
        yield from wrap(f"unknown record types: {kinds or 'none'}", columns, "    ", "      ")


def _account(one: InputRow) -> str:
    parts = one["decoded_bytes"], one["unreadable_bytes"], one["unfinished_bytes"]
    bytes_ = "{:,} bytes = {:,} decoded + {:,} unreadable + {:,} unfinished".format(one["bytes"], *parts)
    if sum(parts) != one["bytes"]:
        bytes_ += f" (this does not add up: {one['bytes'] - sum(parts):+,})"
    return f"{bytes_}; {plural(one['records'], 'record')}, {one['unreadable'] or 'none'} unreadable"


def _unjudged(report: Report, columns: int) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for name, seeing in report["coverage"].items():
        if seeing["sees"] == "full" and not seeing["why"]:
            continue
        partly = {"none": "", "partial": "partly: ", "full": "seen, but "}[seeing["sees"]]
        reasons.setdefault(partly + (seeing["why"] or "no reason is known"), []).append(name.replace("_", " "))
    yield "Not judged:" if reasons else "Not judged: none"
    for why, names in reasons.items():
        yield from wrap(f"{', '.join(names)}: {why}", columns, "  ", "    ")


ALL: tuple[Callable[[Report, int], Iterator[str]], ...] = (_writes, _findings, _actions, _inputs, _unjudged)
"""In the order they are printed."""
