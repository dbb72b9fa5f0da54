"""A finding in a few words: the strip has no room for sentences."""

from __future__ import annotations

from collections.abc import Callable

from monitor.detectors.sites_view import SiteEntry
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import plural, shorten
from monitor.ui.present.thinking import of_last

LONGEST = 60
"""Characters of a finding that has no form of its own."""
_NAME = 40


def short(finding: Finding, snapshot: Snapshot) -> str:
    """The finding in a few words."""
    return _FORMS.get(finding.detector, _message)(finding, snapshot)


def site(entry: SiteEntry) -> str:
    """How a site stands, by its cause."""
    name = shorten(entry.site, _NAME)
    if entry.level == "stop":
        return f"{name} blocked: {entry.failed_calls} calls failed"
    if entry.cause == "login":
        return f"{name} wants a login"
    if entry.cause == "rate":
        return f"{name} limits requests"
    return f"{name} {entry.towards} calls failed" + (f", blocked at {entry.limit}" if entry.limit else "")


def _site(finding: Finding, snapshot: Snapshot) -> str:
    found = next((one for one in snapshot.sites.entries if one.name == finding.subject and one.level), None)
    return site(found) if found is not None else _message(finding, snapshot)


def _thinking(finding: Finding, snapshot: Snapshot) -> str:
    view = snapshot.thinking
    replies = [one for one in view.flags if (one.actor, one.request) == (finding.actor, finding.request)]
    if finding.level == "stop" and len(replies) > 1:
        return f"{len(replies)} replies went in circles"
    where = replies[-1].where if replies else "thinking"
    if view.density is not None and view.density >= view.limit:
        return f"{where}: {of_last(view)} sentences repeat"
    return f"{where} went in circles" if replies and replies[-1].rule != "harness" else "a reply went in circles"


def _write(finding: Finding, snapshot: Snapshot) -> str:
    entry = next((one for one in snapshot.writes.entries if finding.subject in (one.key, one.file)), None)
    if entry is None or not entry.file:
        return _message(finding, snapshot)
    name = shorten(entry.file.rsplit("/", 1)[-1], _NAME)
    state = "unknown whether written" if entry.unknown else "not written"
    return f"{name} {state}, {plural(entry.count, 'failure')}"


def _message(finding: Finding, _snapshot: Snapshot) -> str:
    return shorten(finding.message, LONGEST)


_FORMS: dict[str, Callable[[Finding, Snapshot], str]] = {
    "sites": _site,
    "thinking": _thinking,
    "failed_writes": _write,
}
