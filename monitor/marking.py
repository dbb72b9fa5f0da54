"""Which rows carry the level of a finding: those of the events that prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monitor.findings import Finding, Level, rank

Marks = Mapping[int, Level]
"""The level that an event, by its seq, gives to its row."""


def marks_of(findings: Sequence[Finding]) -> Marks:
    """The level of each event that proves a finding; only open findings raise more than a note."""
    marks: dict[int, Level] = {}
    for finding in findings:
        level: Level = finding.level if finding.state == "open" else "note"
        for spot in finding.places:
            if rank(level) > rank(marks.get(spot.seq)):
                marks[spot.seq] = level
    return marks
