"""What each detector counts, when it speaks and what clears it, in the user's words and with the numbers in force.

The help and the README are made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monitor.detectors.numbers import DEFAULTS, Numbers
from monitor.findings import Level


@dataclass(frozen=True, slots=True)
class Clause:
    """One level, and what brings it; numbers stand in braces by their names."""

    level: Level
    when: str
    needs: tuple[str, ...] = ()
    """It never comes where one of these numbers is 0."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One detector."""

    title: str
    counts: str
    speaks: tuple[Clause, ...]
    cleared: str


RULES: dict[str, Rule] = {
    "failed_writes": Rule(
        "Failed writes",
        "write calls of the agent's own file tools that failed and were not made since, file by file",
        (
            Clause("note", "at the first failure"),
            Clause("warn", "at claim {warn} of done, or when the run ends", ("warn",)),
            Clause("stop", "at claim {stop} in the same request, or when the run ends after a claim", ("stop",)),
        ),
        "a later write to that file, a person who denied it, or you who settle it; text in the file never clears it",
    ),
    "sites": Rule(
        "Sites",
        "different calls of a request to one host that failed (HTTP errors, names that do not resolve, refused, timed out,"
        " TLS); repeats of one call count once; local hosts, test output and printed logs never",
        (
            Clause("warn", "at {warn} when the host answered none", ("warn",)),
            Clause("stop", "at {more} more: blocked; a login or rate limit never is", ("warn", "more")),
        ),
        "one answer of the host in the request",
    ),
    "thinking": Rule(
        "Thinking",
        "of the last 20 sentences of a reply, the share it had said {said} times or more; and a piece of text that comes"
        " {repeats} times in a row",
        (
            Clause("warn", "at {circles} of 20, once a reply", ("circles", "said")),
            Clause("warn", "when a piece of text comes {repeats} times in a row", ("repeats",)),
            Clause("stop", "at {stop} such replies in a request: looping", ("stop",)),
        ),
        "the end of the request",
    ),
    "repeats": Rule(
        "Repeats",
        "the same call with the same result; the same failing command; the same change; a cycle of calls; a call never"
        " executed; turns that bring nothing new; what only waits is not counted",
        (
            Clause("warn", "at {same_call} same calls (one sooner where they fail)", ("same_call",)),
            Clause("stop", "at {same_call_more} more of them", ("same_call", "same_call_more")),
            Clause("stop", "at {failing_command} failures of a command", ("failing_command",)),
            Clause("warn", "at {same_change} same changes", ("same_change",)),
            Clause("stop", "at {same_change_stop} of them", ("same_change", "same_change_stop")),
            Clause("warn", "at {cycle} rounds of calls", ("cycle",)),
            Clause("stop", "at {cycle_stop} rounds", ("cycle", "cycle_stop")),
            Clause("warn", "at {not_executed} calls never executed", ("not_executed",)),
            Clause("stop", "at {not_executed_stop} of them", ("not_executed", "not_executed_stop")),
            Clause("note", "at {no_progress} turns without progress", ("no_progress",)),
            Clause("stop", "at {no_progress_stop} of them", ("no_progress", "no_progress_stop")),
        ),
        "a new call that succeeds, the command passing, another change, a call that is executed",
    ),
    "replies": Rule(
        "Replies",
        "replies that are empty, cut off before any answer, or dropped as circling",
        (
            Clause("note", "at {note} in a request", ("note",)),
            Clause("warn", "at {warn} of them", ("warn",)),
            Clause("stop", "at {empty} empty ones in a row", ("empty",)),
            Clause("stop", "at {cut_offs} cut off in the run", ("cut_offs",)),
        ),
        "an answer, or a call that is carried out",
    ),
    "folder": Rule(
        "Folder",
        "actors that work, or write, outside the project",
        (
            Clause("note", "when it works there", ("left",)),
            Clause("warn", "when a write lands there after the move", ("wrote",)),
        ),
        "going back",
    ),
    "scripts": Rule(
        "Scripts",
        "shell scripts written in the run and never run since; a file that a heredoc should have written while the terminal"
        " still waits for its end",
        (
            Clause("note", "at the claim, for a script", ("never_run",)),
            Clause("warn", "for a heredoc", ("unwritten",)),
        ),
        "running the script; writing the file",
    ),
    "worktree": Rule(
        "Worktree",
        "files of the project folder that differ from those at the latest prompt or feedback, as measured",
        (
            Clause("note", "when done is claimed and nothing changed"),
            Clause("note", "after {turns} turns without a change", ("turns",)),
            Clause("warn", "at claim {warn} where a change was required", ("warn",)),
            Clause("stop", "at claim {stop} of them, or at the end", ("stop",)),
        ),
        "a change of content or history that is not all from outside",
    ),
    "outside_edits": Rule(
        "Outside edits",
        "files of the project that changed while no call of the agent can have done it; the folder is watched while the run"
        " goes on",
        (
            Clause("note", "when the agent had read the file", ("changed",)),
            Clause(
                "warn", "when it then writes over it; `monitor rescue` brings the lost version back", ("overwrote",)
            ),
        ),
        "the agent reading the file again before it writes, the lost version coming back, or you who settle it",
    ),
    "tests": Rule(
        "Tests",
        "a last test that ran before the last edit",
        (Clause("note", "when done is claimed", ("stale",)),),
        "a test after the edit",
    ),
    "stalls": Rule(
        "Stalls",
        "a model that should be answering, and a call without a result; waiting for a person is none",
        (
            Clause("note", "after {deltas} s without a word, where words stream", ("deltas",)),
            Clause("note", "after {messages} s, where only whole messages show", ("messages",)),
            Clause("note", "after {calls} s without a result, or {grace} s beyond the call's own timeout", ("calls",)),
            Clause("warn", "at {times} times that", ("times",)),
        ),
        "the answer, the result",
    ),
}


def counts(detector: str, numbers: Numbers = DEFAULTS) -> str:
    """What it counts."""
    return RULES[detector].counts.format_map(_shown(detector, numbers))


def speaks(detector: str, numbers: Numbers = DEFAULTS) -> str:
    """When it speaks; what is turned off is left out."""
    values = _shown(detector, numbers)
    on = [one for one in RULES[detector].speaks if all(values[name] != "0" for name in one.needs)]
    told = "; ".join(f"{one.level} {one.when.format_map(values)}" for one in on)
    return told or "never: it is turned off"


def _shown(detector: str, numbers: Numbers) -> dict[str, str]:
    of: Any = getattr(numbers, detector)
    return {name: f"{getattr(of, name):,g}" for name in of.__dataclass_fields__}
