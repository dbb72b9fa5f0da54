"""The panel of sites, and the detail of one of them."""

from __future__ import annotations

from monitor.detectors.sites_view import SiteEntry, SitesView
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import plural
from monitor.timeline.rows import Row, Rows
from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Panel
from monitor.ui.present.parts import BLANK, Part
from monitor.ui.present.words import in_part, sentence


def sites(_pen: Pen, snapshot: Snapshot, _now: float) -> Panel:
    """The sites this request asked, the failing ones first."""
    view, cover = snapshot.sites, snapshot.coverage.get("sites")
    if cover is not None and cover.sees == "none" and not (view.entries or view.earlier):
        why = sentence(cover.why or "This source has no results of calls")
        return Panel("Sites", "not seen", "blind", blind=f"{why} A site that no call reaches would not show here.")
    entries = tuple(_entry(one) for one in view.entries)
    entries += tuple(_earlier(one) for one in reversed(view.earlier) if one.level is not None)
    level = max((one.level for one in entries), key=weight, default="")
    if not entries:
        entries = (Entry("", "no call named a site"),)
    entries += in_part(cover)
    return Panel("Sites", summary(view), level if level in ("warn", "stop") else "", entries)


def summary(view: SitesView) -> str:
    """How the sites stand, in two words."""
    blocked = sum(one.level == "stop" for one in view.entries)
    mute = sum(not one.answered and one.failed_calls > 0 for one in view.entries)
    if blocked:
        return f"{blocked} blocked"
    if view.failing:
        return f"{view.failing} failing"
    if mute:
        return f"{mute} unanswered"
    return "all answer" if view.entries else "none called"


def _entry(one: SiteEntry) -> Entry:
    kinds = " · ".join(f"{kind.removeprefix('HTTP ')} ×{count}" for kind, count in one.kinds)
    below = " · ".join(filter(None, (kinds, f"via {one.via}" if one.via else "")))
    seq = one.spots[-1].seq if one.spots else None
    if one.answered:
        return Entry("ok", one.site, "answered", below, seq=seq, subject=one.name)
    level = one.level or ("note" if one.failed_calls else "")
    of = (min(one.towards, one.limit), one.limit) if one.towards and one.limit else None
    figure = f"{min(one.towards, one.limit)} of {one.limit}" if of else f"×{one.failed_calls}"
    return Entry(level, one.site, figure, below, one.level or "", of, seq=seq, subject=one.name)


def _earlier(one: SiteEntry) -> Entry:
    return Entry("", one.site, f"request {one.request}", seq=one.spots[-1].seq if one.spots else None, subject=one.name)


def site_parts(pen: Pen, entry: SiteEntry, finding: Finding | None, calls: list[Row], key: str) -> list[Part]:
    """A site: how it stands, in what ways it failed, which calls those were, and the advice; `key` sends it."""
    parts = [Part("what", entry.site)]
    if entry.via:
        parts.append(Part("pair", "through", entry.via))
    parts.append(Part("level", standing(entry), level="ok" if entry.answered else entry.level or "note"))
    if entry.kinds:
        kinds = ", ".join(f"{kind} {pen.mark('times')}{count}" for kind, count in entry.kinds)
        parts.append(Part("pair", "failures", kinds))
    if calls:
        told = f"the last {len(calls)}" if len(calls) < entry.failed_calls else ""
        parts += [Part("label", "failed calls", told), *[Part("row", row=row) for row in calls]]
    if finding is not None and finding.advice:
        sends = f"{key} sends it" if key else ""
        parts += [Part("label", "advice to the agent", sends), Part("text", finding.advice)]
    return [*parts, BLANK]


def standing(entry: SiteEntry) -> str:
    """What is to be said of the site, in one sentence."""
    failed = plural(entry.failed_calls, "different call")
    if entry.answered:
        return f"It answered; {failed} failed." if entry.failed_calls else "It answered."
    if entry.level == "stop":
        return f"Blocked: {failed} failed, and none succeeded."
    if entry.cause == "login":
        return f"It can be reached, but wants a login: {failed} failed."
    if entry.cause == "rate":
        return f"It can be reached, but limits requests: {failed} failed."
    where = {"proxy": " It is the proxy that fails.", "sandbox": " There may be no network here."}.get(entry.cause, "")
    blocked = f"; at {entry.limit} it is blocked" if entry.limit else ""
    return f"{failed[:1].upper()}{failed[1:]} failed, none succeeded{blocked}.{where}"


def failed_calls(entry: SiteEntry, rows: Rows) -> list[Row]:
    """The rows of the calls that failed, oldest first, each once."""
    found = dict.fromkeys(ref for spot in entry.spots if (ref := rows.ref_of(spot.seq)) is not None)
    return [rows.row(ref) for ref in found if rows.index(ref) is not None]
