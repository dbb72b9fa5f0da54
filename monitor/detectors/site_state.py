"""One site within one request: the different calls that failed for it."""

from __future__ import annotations

from collections import Counter, deque

from monitor.detectors.attribution import Failed
from monitor.detectors.network_failures import CONNECT, LOGIN, NAME, SANDBOX, SILENT
from monitor.detectors.sites_view import Cause, SiteEntry
from monitor.findings import Level, Spot

LOGINS = frozenset({"HTTP 401", "HTTP 407", LOGIN})
_RATE = "HTTP 429"
_UNREACHED = frozenset({NAME, CONNECT, SILENT, SANDBOX, "no route"})
_CALLS = 1_000
"""Different calls that are told apart; more of them are not counted."""


class Site:
    """The failures of one site, by one way, in one request."""

    def __init__(self, site: str, via: str = "") -> None:
        self.site = site
        self.via = via
        self.calls: dict[int, Failed] = {}
        self.spots: deque[Spot] = deque(maxlen=20)
        self.answered = False
        self.level: Level | None = None
        self.at: float | None = None
        self._reaching = 0
        """Of the calls those that show that something beyond this machine was reached."""

    def fail(self, key: int, failed: Failed, spot: Spot) -> bool:
        """Count a failed call; false for the repeat of one that was counted."""
        new = key not in self.calls
        if new and len(self.calls) >= _CALLS:
            return False
        self._reaching += _reaches(failed) - (not new and _reaches(self.calls[key]))
        self.calls[key] = failed
        if new:
            self.spots.append(spot)
        return new

    @property
    def towards(self) -> int:
        """The calls that count towards blocked: one that was asked to log in, or to slow down, reached the site."""
        return sum(failed.kind not in LOGINS and failed.kind != _RATE for failed in self.calls.values())

    @property
    def unreached(self) -> bool:
        """Whether nothing that failed shows that anything beyond this machine was reached."""
        return bool(self.calls) and not self._reaching

    def cause(self, others: int) -> Cause:
        """Where the trouble seems to lie; `others`: sites that no call reached either, while none answered."""
        kinds = {failed.kind for failed in self.calls.values()}
        if kinds and kinds <= LOGINS:
            return "login"
        if kinds == {_RATE}:
            return "rate"
        if SANDBOX in kinds or (others and self.unreached):
            return "sandbox"
        return "proxy" if kinds and all(failed.at_proxy for failed in self.calls.values()) else "site"

    def entry(self, limit: int, request: int, others: int) -> SiteEntry:
        """The site as it is shown."""
        kinds = Counter(failed.kind for failed in self.calls.values())
        return SiteEntry(
            self.site,
            self.via,
            len(self.calls),
            self.towards,
            limit,
            tuple(sorted(kinds.items(), key=lambda one: (-one[1], one[0]))),
            self.answered,
            self.level,
            self.cause(others),
            tuple(self.spots),
            self.at,
            request,
        )

    def copy(self) -> Site:
        """Another that goes on from here."""
        other = Site(self.site, self.via)
        other.calls, other.spots = dict(self.calls), self.spots.copy()
        other.answered, other.level, other.at = self.answered, self.level, self.at
        other._reaching = self._reaching
        return other


def _reaches(failed: Failed) -> bool:
    return failed.kind not in _UNREACHED or failed.at_proxy
