"""What a final answer says of itself: done, could not, or a question."""

from __future__ import annotations

import re
from typing import Literal

Says = Literal["done", "could not", "asks"]

_COULD_NOT = re.compile(
    r"\b(?:i|we)(?: have| had|'ve)? ?(?:also |still |unfortunately |however |simply )?"
    r"(?:could ?n[o']t|couldn.t|can ?not|can.t|was unable|were unable|am unable|are unable|wasn.t able|was not able"
    r"|weren.t able|were not able|am not able|did not manage|didn.t manage|failed to|have not been able|haven.t been able"
    r"|did not (?:make|apply|change|edit|write|complete|finish)|didn.t (?:make|apply|change|edit|write|complete|finish)"
    r"|have not (?:made|applied|changed)|haven.t (?:made|applied|changed))\b"
    r"|\b(?:change|edit|file|fix|patch)s? (?:was|were|is|are|has|have) (?:not|n.t) (?:been )?"
    r"(?:made|applied|changed|written|done|complete)"
    r"|\bunable to (?:complete|finish|make|apply|edit|proceed|do)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
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
    if text.rstrip(" \n\t*_`\"')").endswith(("?", "？", "؟")) and not _DONE.search(text):
        return "asks"
    return "done"
