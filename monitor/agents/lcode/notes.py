"""What lcode itself says to the model: notes on a result, and messages of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from monitor.events import Noticed
from monitor.text import clean

MARK = "[lcode]"
"""How lcode's own messages begin."""
_APPENDED = "\n\n[lcode] "
_SUMMARY = "[Summary of our conversation so far]"
_ON_RESULT = re.compile(
    r"\n\n\[lcode\] ((?:You made this exact call \d+ times in this request and got "
    r"|Every request to \S+ in this request has failed \("
    r"|\d+ different calls to \S+ failed \().*?)(?=\n\n\[lcode\] |\Z)",
    re.DOTALL,
)
_STOPPED = "so lcode stopped the request here"
_STEERED = "[lcode] The user wrote this while you were working"
_ATTACHED = re.compile(r"\n\n(?:<(?:file|image|directory) path=|\[lcode[:\]] |\[The user wants the )")
"""How what lcode adds to the user's words begins."""

Stop = Literal["", "blocked", "loop"]
"""lcode's own status for a request it stopped; empty where it did not."""

DROPPED: Mapping[str, str] = {
    "Your last reply went round in circles": "circles",
    "Your last reply filled the rest of the context": "cut_off",
    "Your last reply was empty": "empty",
}
"""How the note on a reply begins that lcode dropped, and what it is called here."""
_KINDS: Mapping[str, str] = {
    **DROPPED,
    "Your last tool call could not be parsed": "malformed_call",
    "Your changes are done, but the project's checks fail": "checks",
    "You wrote ": "script_never_run",
    "You changed ": "window_never_seen",
    "A review of your change": "review",
    "You were stuck": "escalation",
    "The user saved a note": "memory",
    "The user undid": "undone",
    "The user rolled": "undone",
}
_CHECKED = re.compile(
    r"Your changes are done, but the project's checks fail: `(.*?)` \(exit code (-?\d{1,10})\)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the role `user`, taken apart: who speaks, and what."""

    by: Literal["user", "lcode"]
    text: str = ""
    """The user's own words, or lcode's."""
    kind: str = ""
    """Of lcode's words what they are about; `other` for what this version does not know."""
    steered: bool = False
    """The user wrote it while the agent worked."""


def told(content: str) -> Told:
    """Who speaks in a message of the role `user`."""
    if content.startswith(_SUMMARY):
        return Told("lcode", content, "summary")
    if content.startswith(MARK):
        words = content.removeprefix(MARK).lstrip(" ")
        kind = next((name for begin, name in _KINDS.items() if words.startswith(begin)), "other")
        return Told("lcode", words, kind)
    cut = _ATTACHED.search(content)
    words = content[: cut.start()] if cut else content
    return Told("user", words, steered=_STEERED in content[len(words) :])


def own_words(content: str) -> str:
    """What of such a message stays when lcode later adds its task sheet and notes to it."""
    return content.partition(_APPENDED)[0]


def checked(words: str) -> tuple[str, int] | None:
    """The command and the exit code of a failed check that lcode reports."""
    found = _CHECKED.match(words)
    return (clean(found[1]), int(found[2])) if found else None


def on_result(output: str) -> Iterator[Noticed]:
    """The notes that lcode appended to a result."""
    for found in _ON_RESULT.finditer(output):
        name = "repeat" if found[1].startswith("You made") else "unreachable"
        yield Noticed(kind="guard", name=name, text=clean(found[1]))


def stopped(output: str) -> Stop:
    """Whether lcode stopped the request at this result, and with which status."""
    for notice in on_result(output):
        if _STOPPED in notice.text:
            return "loop" if notice.name == "repeat" else "blocked"
    return ""
