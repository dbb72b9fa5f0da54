"""The ledger of failed writes as the report gives it."""

from __future__ import annotations

from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.report.numbers import finite, where
from monitor.report.parts import CloseRow, FailureRow, FileRow, Source, Why


def ledger(view: WritesView) -> list[FileRow]:
    """Every file a write failed on, outstanding ones first."""
    return [_file(entry) for entry in view.entries]


def _file(entry: FileEntry) -> FileRow:
    return {
        "file": entry.file,
        "outstanding": entry.outstanding,
        "settled_by": None if entry.outstanding else entry.settled_by or None,
        "lowered": entry.lowered,
        "unknown": entry.unknown,
        "elsewhere": entry.elsewhere or None,
        "failures": [_failure(failure) for failure in entry.failures],
    }


def _failure(failure: FailedWrite) -> FailureRow:
    return {
        "seq": failure.spot.seq,
        "at": finite(failure.at),
        "place": where(failure.spot),
        "tool": failure.tool,
        "failure": _why(failure),
        "what": failure.what,
        "excused": failure.excused,
        "closest": list(_closest(failure)),
        "no_lines": (failure.no_lines or None) if not failure.closest else None,
    }


def _why(failure: FailedWrite) -> Why:
    match failure.outcome:
        case "ok" | "failed":
            return failure.failure or "other"
        case kept:
            return kept


def _closest(failure: FailedWrite) -> list[CloseRow]:
    source = _source(failure)
    return [{"number": near.number, "text": near.text, "cut": near.cut, "source": source} for near in failure.closest]


def _source(failure: FailedWrite) -> Source | None:
    match failure.source:
        case "disk" | "log" | "today" as known:
            return known
        case _:
            return None
