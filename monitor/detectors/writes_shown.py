"""The ledger of failed writes as it is shown: entries, and a finding for each."""

from __future__ import annotations

from monitor.detectors.entries import UNKNOWN, Ended, Entry
from monitor.detectors.ledger import OTHERS, Ledger
from monitor.detectors.names import Names
from monitor.detectors.writes_advice import advice, message
from monitor.detectors.writes_view import FileEntry, WritesView
from monitor.findings import Finding, Level, Spot, rank


def writes_view(ledger: Ledger, names: Names, over: int | None, made: int, failed: int) -> WritesView:
    """Everything frozen; `over` is the seq at which the run ended."""
    latest = sorted(ledger.open.values(), key=lambda entry: entry.failures[-1].shown.spot.seq, reverse=True)
    ended = list(reversed(ledger.ended.values()))
    entries = [_entry(entry, names) for entry in latest] + [_ended(one, names) for one in ended]
    open_ones = [_finding(entry, names, *_level(entry, ledger.claimed, over)) for entry in latest]
    return WritesView(
        entries=tuple(entries),
        outstanding=len(ledger.open),
        made=made,
        failed=failed,
        findings=(*open_ones, *(_ended_finding(one, names) for one in ended if one.found)),
    )


def _level(entry: Entry, claimed: bool, over: int | None) -> tuple[Level, int]:
    """The level and the seq at which it was reached: the claims made it, the end of the run may raise it."""
    if entry.lowered:
        return "note", entry.opened
    end: Level = "stop" if claimed else "warn"
    if over is None or rank(entry.level) >= rank(end):
        return entry.level, entry.raised
    return end, max(over, entry.opened)


def _file(entry: Entry, names: Names) -> str:
    return "other files" if entry.key == OTHERS else names.shown(entry.key)


def _entry(entry: Entry, names: Names) -> FileEntry:
    standing = entry.standing
    return FileEntry(
        key=entry.key,
        file=_file(entry, names),
        outstanding=True,
        failures=tuple(one.shown for one in entry.failures),
        count=entry.count,
        lowered=entry.lowered,
        unknown=bool(standing) and all(one.shown.outcome in UNKNOWN for one in standing),
        elsewhere=entry.elsewhere,
    )


def _ended(ended: Ended, names: Names) -> FileEntry:
    entry = ended.entry
    return FileEntry(
        key=entry.key,
        file=_file(entry, names),
        outstanding=False,
        failures=tuple(one.shown for one in entry.failures),
        count=entry.count or len(entry.failures),
        settled_by=ended.by,
        settled_at=ended.at,
    )


def _finding(entry: Entry, names: Names, level: Level, raised: int) -> Finding:
    file = _file(entry, names)
    return Finding(
        detector="failed_writes",
        subject=entry.key,
        level=level,
        message=message(entry, file),
        advice=advice(entry, file),
        request=entry.standing[0].request,
        opened=entry.opened,
        raised=raised,
        places=_places(entry),
        figure=f"×{entry.count}",
    )


def _ended_finding(ended: Ended, names: Names) -> Finding:
    entry = ended.entry
    return Finding(
        detector="failed_writes",
        subject=entry.key,
        level=entry.level,
        message=message(entry, _file(entry, names), by=ended.by),
        state=ended.state,
        request=entry.standing[0].request,
        opened=entry.opened,
        raised=entry.raised,
        ended=ended.seq,
        why_ended=ended.by,
        places=_places(entry),
        figure=f"×{entry.count}",
    )


def _places(entry: Entry) -> tuple[Spot, ...]:
    return tuple(one.shown.spot for one in entry.standing)
