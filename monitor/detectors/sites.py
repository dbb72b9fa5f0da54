"""Sites that no call of the agent can reach, within one request."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.actions import Want
from monitor.detectors.attribution import Told, fetched, ran
from monitor.detectors.docket import Docket
from monitor.detectors.numbers import DEFAULTS, SitesNumbers
from monitor.detectors.open_calls import OpenCalls
from monitor.detectors.site_state import Site
from monitor.detectors.sites_advice import advice, figure, message
from monitor.detectors.sites_view import EARLIER, SiteEntry, SitesView
from monitor.events import Acted, Event, Outcome, Prompted, ToolCalled, ToolReturned
from monitor.findings import Finding, Spot, rank

_SITES = 200
"""Sites that are watched within one request."""
_HOSTS = 5_000
"""Hosts that are remembered to have answered in one request."""
_MADE: tuple[Outcome, ...] = ("ok", "failed", "timed_out", "unknown")
"""Outcomes of calls that were really made."""


class Sites:
    """Counts, per site and request, the different calls that failed, until one of them is answered."""

    name = "sites"
    reads: tuple[type[Event], ...] = (Prompted, ToolCalled, ToolReturned, Acted)

    def __init__(self, numbers: SitesNumbers = DEFAULTS.sites) -> None:
        self._numbers = numbers
        self._limit = numbers.warn + numbers.more if numbers.more else 0
        self._request = 0
        self._calls = OpenCalls()
        self._sites: dict[tuple[str, str], Site] = {}
        self._answered: dict[str, None] = {}
        self._earlier: tuple[SiteEntry, ...] = ()
        self._docket = Docket()
        self._view: SitesView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied or not self._numbers.warn:
            return ()
        if event.request > self._request:
            self._begin(event)
        match event:
            case ToolCalled():
                self._calls.add(event)
            case ToolReturned():
                self._returned(event)
            case Acted(action="settle", receipt="done"):
                self._settle(event)
            case _:
                pass
        return ()

    def view(self) -> SitesView:
        """The sites now."""
        if self._view is None:
            entries = sorted(
                (self._entry(site) for site in self._sites.values()),
                key=lambda entry: (-rank(entry.level), entry.answered, -entry.failed_calls),
            )
            failing = sum(rank(entry.level) >= rank("warn") for entry in entries)
            self._view = SitesView(tuple(entries), self._earlier, failing, self._docket.findings())
        return self._view

    def copy(self) -> Sites:
        """Another that goes on from here."""
        other = Sites()
        other.__dict__.update(self.__dict__)
        other._calls, other._docket, other._answered = self._calls.copy(), self._docket.copy(), dict(self._answered)
        other._sites = {key: site.copy() for key, site in self._sites.items()}
        return other

    def _begin(self, event: Event) -> None:
        """A new request: what was found in the last one is over."""
        entries = [entry for entry in self.view().entries if entry.failed_calls or entry.answered]
        self._earlier = (*self._earlier, *entries)[-EARLIER:]
        self._docket.close(event.seq)
        self._sites, self._answered, self._request, self._view = {}, {}, event.request, None

    def _returned(self, event: ToolReturned) -> None:
        call = self._calls.take(event)
        if call is None or event.outcome not in _MADE:
            return
        if call.kind == "fetch":
            told = fetched(call.asked, event)
        else:
            told = ran(call.asked, event, plenty=self._numbers.answered)
        if told.failed or told.answered:
            self._view = None
            self._take(told, call.key if told.failed else 0, event)

    def _take(self, told: Told, key: int, event: ToolReturned) -> None:
        for host in told.answered:
            self._answer(host, event)
        spot = Spot(event.seq, event.place.input, event.place.line)
        for failed in told.failed:
            site = self._site(failed.site, failed.via)
            site.at = event.at
            site.fail(key, failed, spot)
            site.answered = failed.site in self._answered
            self._judge(site, event)

    def _answer(self, host: str, event: ToolReturned) -> None:
        """A host answered, by whatever way: it can be reached, and is not flagged any more."""
        self._answered[host] = None
        if len(self._answered) > _HOSTS:
            del self._answered[next(iter(self._answered))]
        for site in [one for one in self._sites.values() if one.site == host] or [self._site(host, "")]:
            site.answered, site.level, site.at = True, None, event.at
            self._docket.end(self._finding(self._entry(site), event).key, "cleared", event.seq, "it answered")

    def _judge(self, site: Site, event: ToolReturned) -> None:
        if site.answered or len(site.calls) < self._numbers.warn:
            return
        site.level = "stop" if self._limit and site.towards >= self._limit else "warn"
        if not self._docket.put(self._finding(self._entry(site), event)):
            site.level = None

    def _finding(self, entry: SiteEntry, event: Event) -> Finding:
        return Finding(
            self.name,
            entry.name,
            entry.level or "warn",
            message(entry),
            advice(entry),
            request=self._request,
            opened=event.seq,
            raised=event.seq,
            places=entry.spots,
            figure=figure(entry),
        )

    def _settle(self, event: Acted) -> None:
        if self._docket.settle(event):
            self._view = None
            for site in self._sites.values():
                if event.subject == self._finding(self._entry(site), event).key:
                    site.level = None

    def _site(self, host: str, via: str) -> Site:
        """The site's state, made where there is none yet; the least telling one gives way when there are too many."""
        site = self._sites.get((host, via))
        if site is None:
            if len(self._sites) >= _SITES:
                least = min(self._sites, key=lambda key: (rank(self._sites[key].level), len(self._sites[key].calls)))
                del self._sites[least]
            site = self._sites[host, via] = Site(host, via)
        return site

    def _entry(self, site: Site) -> SiteEntry:
        others = (
            0 if self._answered else sum(other.unreached and other.site != site.site for other in self._sites.values())
        )
        return site.entry(self._limit, self._request, others)
