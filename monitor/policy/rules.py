"""What is done about a run while nobody looks: the user's rules and a snapshot in, decisions out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from monitor.actions import Force
from monitor.findings import Finding, Level
from monitor.snapshot import Snapshot

Response = Literal["show", "notify", "warn", "abort", "refuse"]
RESPONSES: tuple[Response, ...] = ("show", "notify", "warn", "abort")
"""To a finding, from the weakest on; each does what those before it do: a warning is told to the user too."""
Refuse = Literal["never", "not-made", "unchanged"]
"""At which claims the agent is not let stop: `unchanged` means both."""
_HOUR: Final = 3600.0
OVER = "the run has ended"
CAPPED = "as many warnings as the policy allows were sent within the hour"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a user wants done; whatever is not named is only shown."""

    responses: Mapping[tuple[str, Level], Response] = field(default_factory=lambda: MappingProxyType({}))
    """By detector and level."""
    waiting: bool = False
    """Whether to notify when the agent waits for approval or for an answer."""
    ended: bool = False
    """Whether to notify when the run ends."""
    warnings_an_hour: int = 6
    """0 for no limit. A log without times counts as one hour."""
    force: Force = "interrupt"
    """How hard an abort may become."""
    refuse: Refuse = "never"
    refusals: int = 1
    """Most stops that are refused in one request."""

    def response(self, finding: Finding) -> Response:
        """What to do about a finding at its level: what is said of a lower level holds until a higher one is named."""
        for level in _DOWNWARDS[finding.level]:
            if (named := self.responses.get((finding.detector, level))) is not None:
                return named
        return "show"


_DOWNWARDS: Mapping[Level, tuple[Level, ...]] = {
    "note": ("note",),
    "warn": ("warn", "note"),
    "stop": ("stop", "warn", "note"),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing to do, and why."""

    response: Response
    reason: str
    finding: Finding | None = None
    """None where it is about the run itself."""
    seq: int = -1
    """The event that called for it."""
    at: float | None = None
    held: str = ""
    """Why it is not done; empty when it is."""


@dataclass(slots=True)
class _Answered:
    """What was done about one opening of a finding."""

    opened: int
    response: Response = "show"
    held: bool = False


class Policy:
    """Decides once for each finding and strength of response, again when it was opened anew; pure."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._answered: dict[str, _Answered] = {}
        self._warned: deque[float] = deque()
        self._aborted = False
        self._waited = ""
        self._over = False
        self._request = -1
        self._refused = 0
        """Stops of this request that were refused, or are to be."""
        self._claims = 0

    def consider(self, snapshot: Snapshot, now: float | None) -> tuple[Decision, ...]:
        """What to do now, the strongest first; `now` in seconds since the epoch, none where the log has no times."""
        open_ones = [finding for finding in snapshot.findings if finding.state == "open"]
        standing = {finding.key for finding in open_ones}
        self._answered = {key: one for key, one in self._answered.items() if key in standing}
        due = [(self.rules.response(finding), finding) for finding in open_ones]
        due.sort(key=lambda pair: -RESPONSES.index(pair[0]))
        decisions = [made for response, one in due if (made := self._about(response, one, snapshot, now)) is not None]
        return (*decisions, *self._told(snapshot))

    def orders(self, snapshot: Snapshot) -> int:
        """How many stops more to order refused, should their claims turn out to be false: all of a request at its start."""
        if self.rules.refuse == "never" or snapshot.run.over or not self._begun(snapshot) or self._refused:
            return 0
        self._refused = self.rules.refusals
        orders = [one for one in snapshot.actions if one.action == "refuse" and one.by == "policy"]
        return max(self.rules.refusals - sum(one.receipt == "queued" for one in orders), 0)

    def refused(self, snapshot: Snapshot) -> Decision | None:
        """The stop that would have been refused at the latest claim."""
        self._begun(snapshot)
        count, self._claims = self._claims, snapshot.earlier_claims + len(snapshot.claims)
        claim = snapshot.claims[-1] if self._claims > count else None
        states = {"never": (), "not-made": ("not made",), "unchanged": ("not made", "unchanged")}[self.rules.refuse]
        if claim is None or not claim.done or claim.state not in states or self._refused >= self.rules.refusals:
            return None
        self._refused += 1
        return Decision("refuse", f"done was claimed: {claim.state}", seq=claim.spot.seq, at=claim.at)

    def _begun(self, snapshot: Snapshot) -> bool:
        """Whether a request has begun; a new one is counted anew."""
        if snapshot.run.requests != self._request:
            self._request, self._refused = snapshot.run.requests, 0
        return self._request > 0

    def _about(self, response: Response, finding: Finding, snapshot: Snapshot, now: float | None) -> Decision | None:
        known = self._answered.get(finding.key)
        if known is None or known.opened != finding.opened:
            known = self._answered[finding.key] = _Answered(finding.opened)
        if RESPONSES.index(response) <= RESPONSES.index(known.response):
            return None
        held = self._why_not(response, snapshot, now)
        if held == CAPPED:
            if known.held:
                return None
            known.held = True
        else:
            known.response = response
            self._count(response, held, now)
        reason = f"{finding.detector} at {finding.level}: {finding.message}"
        return Decision(response, reason, finding, finding.raised, snapshot.run.last, held)

    def _why_not(self, response: Response, snapshot: Snapshot, now: float | None) -> str:
        if response not in ("warn", "abort"):
            return ""
        if snapshot.run.over:
            return OVER
        if self._aborted:
            return "the run is being aborted already"
        while self._warned and now is not None and self._warned[0] <= now - _HOUR:
            self._warned.popleft()
        limit = self.rules.warnings_an_hour
        return CAPPED if response == "warn" and limit and len(self._warned) >= limit else ""

    def _count(self, response: Response, held: str, now: float | None) -> None:
        if held:
            return
        if response == "warn":
            self._warned.append(now if now is not None else 0.0)
        self._aborted = self._aborted or response == "abort"

    def _told(self, snapshot: Snapshot) -> Iterator[Decision]:
        """Of the run itself: that it waits, each time anew, and that it has ended."""
        waits = f"{snapshot.waiting} {snapshot.waiting_since}" if snapshot.waiting else ""
        if waits and waits != self._waited and self.rules.waiting:
            yield Decision("notify", snapshot.waiting, seq=snapshot.seq, at=snapshot.run.last)
        if snapshot.run.over and not self._over and self.rules.ended:
            verdict = snapshot.verdict
            yield Decision("notify", f"{verdict.state}: {verdict.reason}", seq=snapshot.seq, at=snapshot.run.last)
        self._waited, self._over = waits, snapshot.run.over
