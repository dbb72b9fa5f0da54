"""What a final answer says of itself: done, could not, or a question."""

from __future__ import annotations

import re
from typing import Literal

Says = Literal["done", "could not", "asks"]

_I = r"\b(?:i|we)(?: have| had|'ve)? ?(?:also |still |unfortunately |however |simply )?"
_NOT_ABLE = (
    r"(?:could ?n[o']t|couldn.t|was unable|were unable|wasn.t able|was not able|weren.t able|were not able"
    r"|did not manage|didn.t manage|failed|have not been able|haven.t been able)"
)
_CANNOT = r"(?:can ?not|can.t|am unable|are unable|am not able)"
_LOOKS = (
    r"(?: to)?(?: \w+ly)? (?:run|re-?run|test|verify|check|confirm|validate|reproduce|execute|find (?:any|other|more|further)"
    r"|see|tell|say|guarantee)\b"
)
_COULD_NOT = re.compile(
    rf"{_I}{_NOT_ABLE}\b(?!{_LOOKS})"
    rf"|{_I}(?:did not|didn.t) (?:make|apply|change|edit|write|complete|finish)\b"
    rf"|{_I}(?:have not|haven.t) (?:made|applied|changed)\b"
    r"|\b(?:change|edit|file|fix|patch)s? (?:was|were|is|are|has|have) (?:not|n.t) (?:been )?"
    r"(?:made|applied|changed|written|done|complete)"
    r"|\bunable to (?:complete|finish|make|apply|edit|proceed|do)\b",
    re.IGNORECASE,
)
"""It was not done, whatever else is said."""
_PERHAPS = re.compile(rf"{_I}(?:{_CANNOT}\b|{_NOT_ABLE}{_LOOKS})", re.IGNORECASE)
"""So does this, where nothing is said to be done: else it tells of a check that was not made, or how a program behaves."""
_DONE = re.compile(
    r"(?<!not )(?<!n.t )(?<!not be )(?<!not been )(?<!to be )"
    r"\b(?:done|finished|complete[d]?|updated|changed|fixed|added|implemented|created|renamed|removed|replaced|applied"
    r"|ready|works|passes|passed|pass|now (?:shows|uses|has|prints|returns|reads))\b",
    re.IGNORECASE,
)
_EDGE = 4000
"""Characters looked at from either end: what an answer says of itself stands at its edges."""


def says(text: str) -> Says:
    """How an answer is to be taken; what is not plainly a question or a failure claims to be done.

    An answer that claims work and then offers more ("Done. Shall I also …?") is a claim: the error lies
    towards checking. Only English is recognised; in other languages an answer counts as done unless it ends
    in a question mark.
    """
    text = text if len(text) <= 2 * _EDGE else text[:_EDGE] + "\n" + text[-_EDGE:]
    if _COULD_NOT.search(text):
        return "could not"
    if _DONE.search(text):
        return "done"
    if _PERHAPS.search(text):
        return "could not"
    return "asks" if text.rstrip(" \n\t*_`\"')").endswith(("?", "？", "؟")) else "done"
