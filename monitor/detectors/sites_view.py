"""What the sites detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding, Level, Spot

EARLIER = 100
"""Sites of earlier requests kept, the last."""
Cause = Literal["site", "proxy", "sandbox", "login", "rate"]
"""Where the trouble seems to lie: the site or the way to it, the proxy itself, a sandbox without network, a login
that is wanted, or a limit on requests."""


@dataclass(frozen=True, slots=True)
class SiteEntry:
    """A site that calls asked within one request, by one way."""

    site: str
    via: str = ""
    """The proxy it went through, `host:port`; empty for none or one that is not known."""
    failed_calls: int = 0
    """Different calls that failed; repeats of one count once."""
    towards: int = 0
    """Those that count towards blocked: not the ones the site answered with a login or a limit."""
    limit: int = 5
    """How many make it blocked; 0 when nothing does."""
    kinds: tuple[tuple[str, int], ...] = ()
    """`HTTP 404`, `name does not resolve` … with the calls that failed so, the most frequent first."""
    answered: bool = False
    """It answered in this request, so it is not flagged in it."""
    level: Level | None = None
    cause: Cause = "site"
    spots: tuple[Spot, ...] = ()
    """The results of the calls that failed, the last 20."""
    at: float | None = None
    """When it last failed or answered."""
    request: int = 0

    @property
    def name(self) -> str:
        """The site, and the proxy where one was used."""
        return f"{self.site} via {self.via}" if self.via else self.site


@dataclass(frozen=True, slots=True)
class SitesView:
    """The sites that were asked."""

    entries: tuple[SiteEntry, ...] = ()
    """Of this request: failing ones first, the most pressing first, then those that answered."""
    earlier: tuple[SiteEntry, ...] = ()
    """Of the requests before, oldest first; the last 100."""
    failing: int = 0
    """Sites of this request at warn or stop."""
    findings: tuple[Finding, ...] = ()
