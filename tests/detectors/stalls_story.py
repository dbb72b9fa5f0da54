"""A live run whose events come at given times, for the tests of stalls."""

from __future__ import annotations

from calls_story import Calls
from msgspec.structs import replace

from monitor.detectors.numbers import StallsNumbers
from monitor.detectors.stalls import Stalls
from monitor.events import ReplyEnded, Tick, ToolCalled


class Live(Calls):
    """Each event comes now; `later` lets time pass."""

    def __init__(self, *, deltas=True, lag="event", coverage=None, **numbers):
        self.now = 1_000.0
        super().__init__(Stalls(StallsNumbers(**numbers)), cwd="/p", deltas=deltas, lag=lag, coverage=coverage or {})

    def tell(self, event):
        return super().tell(event if isinstance(event, Tick) else replace(event, at=self.now, seen=self.now))

    def later(self, seconds):
        self.now += seconds
        self.tick(self.now)
        return self.level

    @property
    def level(self):
        return next((one.level for one in self.open), None)


def calling(told, **more):
    """The model makes one call, and ends its reply."""
    more = {"tool": "bash", "kind": "shell", "command": "make", **more}
    told.tell(ToolCalled(call="c", message="m", **more))
    told.tell(ReplyEnded(message="m", stop="tools"))
