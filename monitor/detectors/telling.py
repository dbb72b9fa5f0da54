"""How far a source has told: what it has not told yet may still account for a change."""

from __future__ import annotations

from monitor.events import Event, RunStarted, Tick

_PATIENCE = {"event": 2.0, "message": 5.0, "": 10.0}
"""Seconds after which a source that tells at once, or whole messages, has told of a call that was running."""
_GRACE = 0.5
_SAME = 0.02
"""Seconds within which events were told together."""
_UNCLEAR = 0.45
"""Seconds by which a source without times of its own may tell of a call after it has begun."""


class Telling:
    """Times of one source, in seconds since the epoch: its own where it gives them, else when it was heard."""

    def __init__(self) -> None:
        self.lag = ""
        self.blind = ""
        """Why the source cannot show whose hand a change was; empty when it can."""
        self.over = False
        """Nothing more will come."""
        self._heard = 0.0
        self._before = 0.0
        self._now = 0.0

    def started(self, event: RunStarted) -> None:
        """Take in what the source says of itself."""
        self.lag = event.lag or self.lag
        cover = event.coverage.get("outside_edits")
        if cover is not None:
            self.blind = (cover.why or "the source does not show it") if cover.sees == "none" else ""

    def heard(self, event: Event) -> None:
        """The source has told an event."""
        at = time_of(event)
        if at > self._heard + _SAME:
            self._before = self._heard or at
            self._heard = at

    def ticked(self, tick: Tick) -> None:
        """Time passed."""
        self._now = max(self._now, tick.now)
        self.over |= tick.alive is False

    def began(self, event: Event) -> float:
        """When the call of an event may have begun: without a time of its own, a turn after the one before."""
        if event.at is not None:
            return event.at
        return self._before if self.lag in ("turn", "end") else time_of(event) - _UNCLEAR

    def passed(self, at: float) -> bool:
        """Whether the source has told everything up to a moment."""
        if self.over or self._heard > at + _GRACE:
            return True
        return self.lag not in ("turn", "end") and self._now > at + _PATIENCE.get(self.lag, _PATIENCE[""])

    def copy(self) -> Telling:
        """Another that goes on from here."""
        other = Telling()
        other.__dict__.update(self.__dict__)
        return other


def time_of(event: Event) -> float:
    """When an event was, by the best clock it has."""
    return event.at if event.at is not None else event.seen
