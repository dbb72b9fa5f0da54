"""Looks at the file of a failed write: what is asked for once more, and what came back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from monitor.actions import Look
from monitor.detectors.entries import Entry, Failure
from monitor.detectors.ledger import Ledger
from monitor.detectors.paths import canonical
from monitor.events import Looked

_MOST = 10
"""Looks asked for at once."""


def looks(failures: Iterable[Failure], seq: int) -> list[Look]:
    """Looks that tell whether another hand has made these changes meanwhile; each change is asked for once."""
    asked: dict[tuple[str, str, str], Look] = {}
    for one in failures:
        shown = one.shown
        if one.asks and _comparable(one):
            look = Look(shown.call, one.path, one.cwd, shown.guess, shown.new, seq)
            asked.setdefault((one.path, shown.guess, shown.new), look)
    return list(asked.values())[:_MOST]


def looked(event: Looked, ledger: Ledger, unsure: int) -> None:
    """Put what was seen to the failures it is about: those of the call, and others of the same change.

    `unsure` is the seq at which any file last may have been changed.
    """
    about = {_change(one) for _, one in ledger.failures() if one.shown.call == event.call and _of_file(one, event.file)}
    if about:
        ledger.revise(lambda entry, one: _seen(entry, one, event, unsure) if _change(one) in about else one)


def _seen(entry: Entry, one: Failure, event: Looked, unsure: int) -> Failure:
    shown, first = one.shown, one.shown.source != "disk"
    if event.closest and first and not (event.source == "today" and shown.closest):
        shown = replace(shown, closest=event.closest, source=event.source, no_lines="")
    elif first and not shown.closest and event.reason:
        shown = replace(shown, no_lines=event.reason, source=event.source)
    if event.source != "disk" or event.new_present is None or not _comparable(one):
        return replace(one, shown=shown, redone=False)
    there = event.new_present and (event.old_gone is True or not shown.guess)
    since = one.missing or shown.spot.seq < max(entry.stirred, unsure) < event.seq
    return replace(one, shown=shown, redone=there and since, missing=one.missing or not there)


def _comparable(one: Failure) -> bool:
    """Whether a look can tell that its new text stands there."""
    return one.whole and bool(one.path and one.shown.new.strip()) and one.shown.failure != "identical"


def _of_file(one: Failure, file: str) -> bool:
    return one.path == file or canonical(one.path, one.cwd) == canonical(file, one.cwd)


def _change(one: Failure) -> tuple[str, str, str]:
    return one.path, one.shown.guess, one.shown.new
