"""The replies of one actor: what the current one holds, and those that held no answer."""

from __future__ import annotations

from collections import Counter

from monitor.detectors.replies_view import Lost
from monitor.events import ReplyEnded
from monitor.findings import Level, Spot

_SPOTS = 10


class ReplyState:
    """One actor's replies."""

    def __init__(self) -> None:
        self.turn = -1
        self.ended = -1
        """The turn whose end was told."""
        self.text = self.call = False
        """What the current reply holds."""
        self.synthetic = ""
        self.held: ReplyEnded | None = None
        """A reply that held nothing, for no reason told: what follows decides."""
        self.lost: Lost | None = None
        """Why the reply ended last held no answer."""
        self.counts: Counter[Lost] = Counter()
        """Those of the current request."""
        self.cut_offs = 0
        """Of the whole run."""
        self.row: Counter[Lost] = Counter()
        """Those since the last reply that held anything."""
        self.level: Level | None = None
        """Of the finding that is open."""
        self.spots: tuple[Spot, ...] = ()

    def begin(self, turn: int) -> None:
        """Something of this turn was told."""
        if turn > self.turn:
            self.turn, self.text, self.call, self.synthetic = turn, False, False, ""

    def lose(self, lost: Lost, spot: Spot) -> None:
        """The reply held no answer."""
        self.lost = lost
        self.counts[lost] += 1
        self.row[lost] += 1
        self.cut_offs += lost == "cut off"
        self.spots = (*self.spots, spot)[-_SPOTS:]

    def rename(self, lost: Lost) -> None:
        """The reply lost last was lost for another reason than it seemed."""
        if self.lost is not None:
            self.counts[self.lost] -= 1
            self.row[self.lost] -= 1
            self.cut_offs -= self.lost == "cut off"
        self.counts[lost] += 1
        self.row[lost] += 1
        self.cut_offs += lost == "cut off"
        self.lost = lost

    def renew(self) -> None:
        """A new request."""
        self.counts, self.row, self.level, self.spots, self.lost = Counter(), Counter(), None, (), None

    def copy(self) -> ReplyState:
        """Another that goes on from here."""
        other = ReplyState()
        other.__dict__.update(self.__dict__)
        other.counts, other.row = Counter(self.counts), Counter(self.row)
        return other
