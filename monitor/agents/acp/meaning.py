"""What a failed call means, as the agents word it to their model; the protocol only says `failed`."""

from __future__ import annotations

import re

from monitor.events import Failure, Outcome

_HEAD = 1_000
_CORRECTED = re.compile(r"with the following feedback:|To tell you how to proceed, the user said|User says: ")
_OUTCOMES: tuple[tuple[re.Pattern[str], Outcome], ...] = (
    (re.compile(r"User aborted the command|Command aborted|\baborted by (?:the )?user|Operation cancell?ed", re.IGNORECASE), "cancelled"),
    (
        re.compile(
            r"The user has specified a rule|a hook blocked|[Bb]locked by (?:a |an )?(?:hook|policy|rule|plugin)"
            r"|denied by (?:a |the )?(?:rule|policy|permission)|[Rr]equires (?:user )?(?:approval|permission)"
            r"|[Nn]ot (?:allowed|permitted) in .{1,40} mode|[Pp]lan mode is (?:on|active)"
        ),
        "refused",
    ),
    (
        re.compile(
            r"[Tt]he user (?:rejected|denied|declined|doesn't want)|(?:was )?(?:cancell?ed|rejected|denied|declined) by the user"
            r"|[Uu]ser (?:rejected|denied|declined|refused)|[Tt]ool use was rejected"
        ),
        "denied",
    ),
    (re.compile(r"[Tt]imed out after|[Cc]ommand timed out|timeout exceeded"), "timed_out"),
)  # fmt: skip
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"[Ii]nvalid (?:arguments|parameters|input|tool)|[Bb]ad arguments|[Mm]issing required|must have required"), "arguments"),
    (
        re.compile(
            r"(?:must|need to) (?:first )?(?:be )?read\b|[Rr]ead (?:it|the file) (?:first|before)|not been read|must read|without reading"
        ),
        "unread",
    ),
    (re.compile(r"(?:changed|modified) (?:on disk )?since|has been (?:unexpectedly )?modified|changed while"), "stale"),
    (
        re.compile(
            r"\b(?:[2-9]|\d{2,}) (?:occurrences|matches)|[Mm]ultiple (?:occurrences|matches)|more than one|occurs \d+ times"
            r"|[Ee]xpected 1 occurrence|matches \d+ places|not unique|must be unique"
        ),
        "ambiguous",
    ),
    (re.compile(r"\bidentical\b|are (?:exactly )?the same|[Nn]o changes to (?:make|apply)|must be different"), "identical"),
    (re.compile(r"already exists"), "exists"),
    (
        re.compile(
            r"[Cc]ould not find (?:the )?(?:exact |old)|\b0 occurrences|not find the string|old_?[sS]tring (?:was )?not found"
            r"|(?:[Ss]tring|[Tt]ext|[Pp]attern)(?: to replace)? (?:was )?not found|doesn't match the file|[Nn]o match(?:es)? (?:was |were )?found"
            r"|[Ff]ailed to find (?:expected lines|context)"
        ),
        "not_found",
    ),
    (
        re.compile(
            r"\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|NOSPC|ROFS|EXIST)\b|[Nn]o such file|[Pp]ermission denied|[Ff]ile not found"
            r"|does not exist|doesn't exist|is a directory|[Nn]ot found: /|[Rr]ead-only file system|is a binary file"
        ),
        "io",
    ),
)  # fmt: skip
"""The first that is found; their order is that of how plainly they name a failure."""


def stopped(output: str) -> Outcome | None:
    """How a call that did not come to its end was stopped, if the text says so."""
    head = output[:_HEAD] + output[-200:]
    outcome = next((outcome for words, outcome in _OUTCOMES if words.search(head)), None)
    return "corrected" if outcome == "denied" and _CORRECTED.search(head) else outcome


def failure(output: str) -> Failure:
    """Why a call failed."""
    head = output[:_HEAD]
    return next((failure for words, failure in _FAILURES if words.search(head)), "other")
