"""Which finding a row proves, which row proves a finding, and which comes next."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.findings import Finding, rank
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Rows
from monitor.ui.present.facts import open_findings
from monitor.ui.present.rail import Tick
from monitor.ui.present.selected import Selected


def seqs(finding: Finding) -> tuple[int, ...]:
    """The events that prove a finding, the latest first."""
    return tuple(spot.seq for spot in reversed(finding.places)) or (finding.raised, finding.opened)


def row_of(rows: Rows, finding: Finding) -> int | None:
    """Where the row of the latest event that proves it stands, or none when that can no longer be shown."""
    found = (place(rows, seq) for seq in seqs(finding))
    return next((index for index in found if index is not None), None)


def place(rows: Rows, seq: int) -> int | None:
    """Where the row that shows an event stands, or none where it is not among the rows."""
    ref = rows.ref_of(seq)
    return None if ref is None else rows.index(ref)


def proven(snapshot: Snapshot, rows: Rows, ref: int, wanted: str = "") -> Finding | None:
    """The finding the row proves: the wanted one if it does, else open before ended, pressing before mild."""
    found = [one for one in snapshot.findings if any(rows.ref_of(seq) == ref for seq in seqs(one))]
    return max(found, key=lambda one: (one.key == wanted, one.state == "open", rank(one.level)), default=None)


def select(snapshot: Snapshot, rows: Rows, ref: int, *, wanted: str = "", warns: bool = False) -> Selected:
    """The row at the cursor with its events, its claim and its finding."""
    finding = proven(snapshot, rows, ref, wanted)
    event, result = rows.events(ref)
    if edits := rows.edits(ref):
        about = seqs(finding) if finding is not None else ()
        event = next((one.event for one in edits if one.event.seq in about), None)
    claim = next((one for one in reversed(snapshot.claims) if rows.ref_of(one.spot.seq) == ref), None)
    flag = next((one for one in snapshot.thinking.flags if rows.ref_of(one.spot.seq) == ref), None)
    found = open_findings(snapshot)
    return Selected(
        row=rows.row(ref),
        event=event,
        result=result,
        claim=claim,
        finding=finding,
        flag=flag,
        number=found.index(finding) + 1 if finding in found else 0,
        of=len(found),
        edits=edits,
        warns=warns,
    )


def following(found: Sequence[Finding], key: str, step: int) -> Finding | None:
    """The finding after or before the one with that key, round and round; the first where none is chosen."""
    if not found:
        return None
    keys = [one.key for one in found]
    if key not in keys:
        return found[0 if step > 0 else -1]
    return found[(keys.index(key) + step) % len(found)]


def ticks(snapshot: Snapshot, rows: Rows) -> tuple[Tick, ...]:
    """Where on the rail the open findings stand."""
    found = {(place(rows, seq), one.level) for one in open_findings(snapshot) for seq in seqs(one)[:20]}
    return tuple(sorted((index, level) for index, level in found if index is not None))
