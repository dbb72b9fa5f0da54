"""What every form of the report says of a part, in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from monitor.detectors.sites_view import EARLIER
from monitor.detectors.thinking_view import FLAGS
from monitor.detectors.writes_view import how_ended
from monitor.report.parts import FailureRow, FileRow, SiteRow, ThinkingPart, ThoughtFlag, Where
from monitor.report.shape import InputRow, Report, RunRow
from monitor.text import line, plural
from monitor.timeline.wording import FAILURES, OUTCOMES

NO_FILE = "(a call that named no file)"
SOURCES = {
    "disk": "read at the failure",
    "log": "as the run itself read it",
    "today": "as the file is today, long after the failure",
    None: "when it was read is not known",
}
_WORDS = dict[str, str]([*FAILURES.items(), *OUTCOMES.items()])
_UNSURE = ("cancelled", "timed_out", "unknown")
"""Outcomes after which nobody can tell whether the file was written."""
_CAUSES = {
    "site": "",
    "proxy": "; it is the proxy that fails",
    "sandbox": "; there may be no network where the agent works",
    "login": "; it can be reached, but wants a login",
    "rate": "; it can be reached, but limits requests",
}
_RULES = {
    "circles": "the same sentences again and again",
    "cycle": "the same piece of text again and again",
    "harness": "dropped by the agent's own guard",
}


def place(where: Where, report: Report) -> str:
    """A place as `name:line`, as compilers and editors write it."""
    names = report["inputs"]
    if where["input"] < 0:
        return "the monitor"
    name = line(names[where["input"]]["name"]) if where["input"] < len(names) else f"input {where['input']}"
    return f"{name}:{where['line']}"


def beyond(count: int, kept: int) -> str:
    """What is said behind a count of what only so many are kept of."""
    return " or more" if count >= kept else ""


def claimed(report: Report) -> str:
    """What the agent said of itself."""
    count, done = report["earlier_claims"] + len(report["claims"]), report["verdict"]["claimed_done"]
    if done is None:
        return f"nothing at the end ({plural(count, 'claim')} before)" if count else "nothing"
    said = "done" if done else "that it could not"
    return f"{said} ({plural(count, 'claim')})" if count else said


def measured(report: Report) -> str:
    """What the folder says, and who measured it."""
    tree = report["worktree"]
    words = {True: "changed", False: "unchanged", None: "not measured"}
    if tree["changed"] is None:
        reason = tree["reason"] or "no reason is known"
        latest = reason if reason.startswith("not measured") else f"not measured: {reason}"
    else:
        latest = f"{words[tree['changed']]} since the latest prompt or feedback"
    if tree["since_start"] is not None:
        latest += f"; {words[tree['since_start']]} since the start"
    return latest + {"monitor": " (by the monitor)", "agent": " (by the agent itself)", None: ""}[tree["by"]]


def run(row: RunRow) -> str:
    """The agent, its model and its session."""
    agent = " ".join(filter(None, (row["agent"], row["version"]))) or "unknown agent"
    return ", ".join(filter(None, (agent, row["model"], f"session {row['session'] or 'unknown'}")))


def work(row: RunRow) -> str:
    """How much was done, and how it ended in the agent's own word."""
    parts = [plural(row["requests"] or 0, "request"), plural(row["turns"], "turn"), plural(row["calls"], "call")]
    if (tokens := row["tokens"]) is not None:
        parts.append(f"{tokens['input']:,} tokens in, {tokens['output']:,} out")
    if row["cost"] is not None:
        parts.append(f"${row['cost']:.2f}")
    if row["status"] is not None:
        parts.append(f"ended as {row['status']}")
    return ", ".join(parts)


def times(row: RunRow) -> str:
    """From when to when."""
    if row["started"] is None:
        return "not known"
    ended = f" to {_utc(row['ended'])}" if row["ended"] is not None else ", no end is recorded"
    return f"{_utc(row['started'])}{ended} (UTC)"


def _utc(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "an impossible time"


def standing(entry: FileRow) -> str:
    """Whether the file still waits for its change."""
    if entry["outstanding"]:
        return "outstanding"
    return how_ended(entry["settled_by"] or "")


def remarks(entry: FileRow) -> Iterator[str]:
    """What else is to be known of an outstanding file."""
    if entry["lowered"]:
        yield "something else has put the new text into the file"
    if entry["unknown"]:
        yield "whether it was written is not known"
    if entry["elsewhere"]:
        yield f"the same content was written to {entry['elsewhere']}, which mends nothing here"


def failed(failure: FailureRow) -> str:
    """How a write failed."""
    excused = " (excused: the same change stands already)" if failure["excused"] else ""
    unsure = " (whether it was written is unknown)" if failure["failure"] in _UNSURE else ""
    return f"{_WORDS[failure['failure']]}{unsure}{excused}"


def sites(rows: Sequence[SiteRow]) -> str:
    """How the sites stand, all in all."""
    failing = sum(not site["answered"] and site["failed_calls"] > 0 for site in rows)
    if not rows:
        return "no call named one"
    last = len(rows) >= EARLIER
    if failing:
        return f"{failing} of {'the last ' if last else ''}{len(rows)} never answered"
    return f"all {'of the last ' if last else ''}{len(rows)} answered"


def site(row: SiteRow) -> str:
    """The site, the proxy it went through, and the request it was asked in."""
    via = f" via {row['via']}" if row["via"] else ""
    return f"{row['site']}{via}, request {row['request']}"


def reached(row: SiteRow) -> str:
    """What became of the calls to a site."""
    count = plural(row["failed_calls"], "different call")
    if row["answered"]:
        return f"answered; {count} failed" if row["failed_calls"] else "answered"
    return f"{count} failed, none succeeded{_CAUSES[row['cause']]}"


def kinds(counts: Mapping[str, int]) -> str:
    """Names with how often each was counted."""
    return ", ".join(f"{line(name) or '(no name)'} x{count:,}" for name, count in counts.items())


def thought(part: ThinkingPart) -> str:
    """How much was thought, and how much of it over again."""
    amount = "not known how much" if part["characters"] is None else f"{part['characters']:,} characters"
    if part["peak"] is None:
        share = "too few sentences to tell a share of repeats"
    else:
        share = f"up to {part['peak']:.0%} of the last 20 sentences repeated; {part['limit']:.0%} counts as circles"
    circled_ = plural(len(part["flags"]), "reply", "replies") + beyond(len(part["flags"]), FLAGS)
    return f"{amount}, {circled_} in circles; {share}"


def circled(flag: ThoughtFlag) -> str:
    """How a reply went in circles, and where that showed."""
    where = "" if flag["rule"] == "harness" else f", at character {flag['at_character']:,} of its {flag['where']}"
    theirs = "; the agent's own guard says so too" if flag["theirs"] and flag["rule"] != "harness" else ""
    return f"{_RULES[flag['rule']]}{where}{theirs}"


def account(one: InputRow) -> str:
    """What became of an input's bytes."""
    parts = one["decoded_bytes"], one["unreadable_bytes"], one["unfinished_bytes"]
    bytes_ = "{:,} bytes = {:,} decoded + {:,} unreadable + {:,} unfinished".format(one["bytes"], *parts)
    if sum(parts) != one["bytes"]:
        bytes_ += f" (this does not add up: {one['bytes'] - sum(parts):+,})"
    return f"{bytes_}; {plural(one['records'], 'record')}, {one['unreadable'] or 'none'} unreadable"


def unjudged(report: Report) -> dict[str, list[str]]:
    """The detectors that saw less than all, by the reason."""
    reasons: dict[str, list[str]] = {}
    for name, seeing in report["coverage"].items():
        if seeing["sees"] == "full" and not seeing["why"]:
            continue
        partly = {"none": "", "partial": "partly: ", "full": "seen, but "}[seeing["sees"]]
        reasons.setdefault(partly + (seeing["why"] or "no reason is known"), []).append(name.replace("_", " "))
    return reasons


def numbers(report: Report) -> str:
    """Which numbers the detectors went by."""
    rows = report["numbers"]
    told = [f"{one['detector']} {one['name']} {one['value']:g} (else {one['default']:g})" for one in rows]
    return f"as the user's config says: {', '.join(told)}" if told else "the defaults"


def redacted(report: Report) -> str:
    """What was taken out of the report."""
    counts = report["redacted"]
    if counts is None:
        return "nothing, it was turned off; secrets may stand in this report"
    return kinds(counts) or "nothing was found to take out"
