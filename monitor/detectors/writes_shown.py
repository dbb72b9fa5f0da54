"""The ledger of failed writes as it is shown: entries, and a finding for each."""

from __future__ import annotations

from dataclasses import replace

from monitor.detectors.entries import UNKNOWN, Ended, Entry
from monitor.detectors.ledger import OTHERS, Ledger
from monitor.detectors.names import Names
from monitor.detectors.writes_advice import advice, message
from monitor.detectors.writes_view import FileEntry, WritesView
from monitor.findings import Finding, Level, Spot, rank

_Built = tuple[Entry | Ended, FileEntry, Finding | None]


class Shown:
    """Builds the view; what has not changed since the last one is not built again."""

    def __init__(self) -> None:
        self._known: dict[str, _Built] = {}
        self._project = ""

    def view(self, ledger: Ledger, names: Names, over: int | None, made: int, failed: int) -> WritesView:
        """Everything frozen; `over` is the seq at which the run ended."""
        latest = sorted(ledger.open.values(), key=lambda entry: entry.failures[-1].shown.spot.seq, reverse=True)
        shown: list[Entry | Ended] = [*latest, *reversed(ledger.ended.values())]
        known = self._known if names.project == self._project else {}
        self._known = {one.key: _built(one, known.get(one.key), names) for one in shown}
        self._project = names.project
        findings = []
        for one in shown:
            finding = self._known[one.key][2]
            if finding is not None:
                findings.append(_levelled(finding, one, ledger.at_end, over) if isinstance(one, Entry) else finding)
        return WritesView(
            entries=tuple(entry for _, entry, _ in self._known.values()),
            outstanding=len(latest),
            made=made,
            failed=failed,
            findings=tuple(findings),
        )


def _built(one: Entry | Ended, known: _Built | None, names: Names) -> _Built:
    if known is not None and known[0] is one:
        return known
    if isinstance(one, Entry):
        return one, _entry(one, names), _finding(one, names)
    return one, _ended(one, names), _ended_finding(one, names) if one.found else None


def _levelled(finding: Finding, entry: Entry, end: Level, over: int | None) -> Finding:
    level, raised = _level(entry, end, over)
    return (
        finding if (level, raised) == (finding.level, finding.raised) else replace(finding, level=level, raised=raised)
    )


def _level(entry: Entry, end: Level, over: int | None) -> tuple[Level, int]:
    """The level and the seq at which it was reached: the claims made it, the end of the run may raise it."""
    if entry.lowered:
        return "note", entry.opened
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


def _finding(entry: Entry, names: Names) -> Finding:
    file = _file(entry, names)
    return Finding(
        detector="failed_writes",
        subject=entry.key,
        level=entry.level,
        message=message(entry, file),
        advice=advice(entry, file),
        request=entry.standing[0].request,
        opened=entry.opened,
        raised=entry.raised,
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
