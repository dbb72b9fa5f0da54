"""What the agent could reach, and how it thought, as the report gives them."""

from __future__ import annotations

from monitor.detectors.sites_view import SiteEntry, SitesView
from monitor.detectors.thinking_view import ThinkingFlag, ThinkingView
from monitor.report.numbers import finite, where
from monitor.report.parts import SiteRow, ThinkingPart, ThoughtFlag


def sites(view: SitesView) -> list[SiteRow]:
    """Every site that was asked: those of the current request first, then those of the requests before it."""
    return [_site(entry) for entry in (*view.entries, *view.earlier)]


def _site(entry: SiteEntry) -> SiteRow:
    return {
        "site": entry.site,
        "via": entry.via or None,
        "failed_calls": entry.failed_calls,
        "answered": entry.answered,
        "kinds": dict(entry.kinds),
        "level": entry.level,
        "cause": entry.cause,
        "request": entry.request,
        "places": [where(spot) for spot in entry.spots],
    }


def thinking(view: ThinkingView, *, seen: bool) -> ThinkingPart:
    """How much was thought and how much of it over again; no nought where the source does not show all (`seen`)."""
    peak = finite(view.peak)
    return {
        "characters": view.characters if seen or view.characters else None,
        "peak": None if peak is None else min(max(peak, 0.0), 1.0),
        "limit": finite(view.limit) or 0.0,
        "flags": [_flag(flag) for flag in view.flags],
    }


def _flag(flag: ThinkingFlag) -> ThoughtFlag:
    return {
        "seq": flag.spot.seq,
        "place": where(flag.spot),
        "at_character": flag.at_character,
        "of": flag.of,
        "rule": flag.rule,
        "where": flag.where,
        "text": flag.text,
        "theirs": flag.theirs,
    }
