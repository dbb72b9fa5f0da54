"""Which finding a row proves, which row proves a finding, and which comes next."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.findings import Finding, rank
from monitor.rows import Rows
from monitor.snapshot import Snapshot
from monitor.ui.present.facts import open_findings
from monitor.ui.present.rail import Tick
from monitor.ui.present.selected import Selected


def seqs(finding: Finding) -> tuple[int, ...]:
    """The events that prove a finding, the latest first."""
    return tuple(spot.seq for spot in reversed(finding.places)) or (finding.raised, finding.opened)


def row_of(rows: Rows, finding: Finding) -> int | None:
    """The row of the latest event that proves it, or none when that can no longer be shown."""
    for seq in seqs(finding):
        if (index := rows.index_of(seq)) is not None:
            return index
    return None


def proven(snapshot: Snapshot, rows: Rows, index: int, wanted: str = "") -> Finding | None:
    """The finding the row proves: the wanted one if it does, else open before ended, pressing before mild."""
    found = [one for one in snapshot.findings if any(rows.index_of(seq) == index for seq in seqs(one))]
    return max(found, key=lambda one: (one.key == wanted, one.state == "open", rank(one.level)), default=None)


def select(snapshot: Snapshot, rows: Rows, index: int, *, wanted: str = "", warns: bool = False) -> Selected:
    """The row at the cursor with its events, its claim and its finding."""
    event, result = rows.events(index)
    finding = proven(snapshot, rows, index, wanted)
    claim = next((one for one in reversed(snapshot.claims) if rows.index_of(one.spot.seq) == index), None)
    flag = next((one for one in snapshot.thinking.flags if rows.index_of(one.spot.seq) == index), None)
    found = open_findings(snapshot)
    return Selected(
        row=rows.row(index),
        event=event,
        result=result,
        claim=claim,
        finding=finding,
        flag=flag,
        number=found.index(finding) + 1 if finding in found else 0,
        of=len(found),
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
    found = {(rows.index_of(seq), one.level) for one in open_findings(snapshot) for seq in seqs(one)[:20]}
    return tuple(sorted((index, level) for index, level in found if index is not None))
