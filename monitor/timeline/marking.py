"""What a row carries that its own events do not tell: the level of the finding it proves, and what became of a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from monitor.findings import Finding
from monitor.snapshot import Claim, Snapshot, State
from monitor.text import first_line
from monitor.timeline.rows import Names


class RowMark(NamedTuple):
    """What stands on a row beside its own words."""

    level: str = ""
    words: str = ""
    """Its outcome, where the row has none of its own."""


Marks = Mapping[int, RowMark]
"""By the seq of the event that the row begins with."""
_CLAIMED: Mapping[State, str] = {
    "failed": "stop", "aborted": "note", "stopped": "note", "blocked": "stop", "looping": "stop", "not made": "stop",
    "unchanged": "note", "claimed": "note", "changed": "ok",
}  # fmt: skip
"""The level of a claim by the verdict on it."""
_WEIGHT: Mapping[str, int] = {"": 0, "ok": 1, "note": 2, "warn": 3, "stop": 4}


def marks_of(snapshot: Snapshot, home: Callable[[int], int]) -> Marks:
    """What each row carries now; `home` gives the seq of the row that shows the end of a request."""
    claimed = {one.spot.seq: home(one.spot.seq) for one in snapshot.claims}
    marks: dict[int, RowMark] = {claimed[one.spot.seq]: _of_claim(one, snapshot) for one in snapshot.claims}
    for finding in snapshot.findings:
        mark = RowMark(finding.level if finding.state == "open" else "note", _words(finding))
        for spot in finding.places:
            seq = claimed.get(spot.seq, spot.seq)
            marks[seq] = gravest(marks.get(seq, RowMark()), mark)
    return marks


def names_of(snapshot: Snapshot) -> Names:
    """What each sub-agent does, by its id: it is called by that."""
    return {one.id: name for one in snapshot.actors if one.id and (name := first_line(one.task))}


def gravest(*marks: RowMark) -> RowMark:
    """The most pressing level, and the first words."""
    level = max((one.level for one in marks), key=_WEIGHT.__getitem__, default="")
    return RowMark(level, next((one.words for one in marks if one.words), ""))


def _words(finding: Finding) -> str:
    """What the rows say that prove the finding, where they say nothing of it themselves."""
    return "repeats itself" if finding.detector == "thinking" else ""


def _of_claim(claim: Claim, snapshot: Snapshot) -> RowMark:
    """A claim by the verdict on it; the latest one's may still change."""
    if not claim.done:
        return RowMark("note", "could not")
    latest = claim is snapshot.claims[-1] and snapshot.verdict.claimed_done
    state = snapshot.verdict.state if latest else claim.state
    level = _CLAIMED.get(state, "")
    return RowMark(level, state if level else "")
