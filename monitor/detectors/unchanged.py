"""What is said of a folder that did not change: at a claim of done, and after many turns."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.detectors.docket import Docket
from monitor.detectors.numbers import WorktreeNumbers
from monitor.detectors.worktree_view import WorktreeView
from monitor.events import Acted, Event, Prompted, RequestEnded, TreeMeasured
from monitor.findings import Finding, Level, Spot, rank
from monitor.text import line, plural, shorten

_NAME = "worktree"
_NAMED = 3
"""Files named in a message."""
_IDLE = "no change for many turns"


class Unchanged:
    """Finds claims beside a folder that did not change, and turns without a change; a change clears both."""

    def __init__(self, numbers: WorktreeNumbers) -> None:
        self._numbers = numbers
        self.required: bool | None = None
        """Whether the task cannot be done without a change; none where nothing says so."""
        self._request = 0
        self._claims = 0
        self._claim: RequestEnded | None = None
        self._level: Level | None = None
        self._spots: tuple[Spot, ...] = ()
        self._seen: tuple[str | None, str | None] = (None, None)
        """The fingerprints of the measurement before."""
        self._turn = 0
        """The run's turn at the first measurement that had them."""
        self._docket = Docket()

    def prompted(self, event: Prompted) -> None:
        """New words of the user or the operator: what was claimed before was not claimed since."""
        if event.request != self._request:
            self._docket.close(event.seq)
            self._request, self._claims, self._level, self._spots = event.request, 0, None, ()
        self._claim = None
        if event.by == "operator":
            self.required = True

    def claimed(self, event: RequestEnded) -> None:
        """Done is claimed; what was measured is judged by `judge`."""
        self._claims += 1
        self._claim = event

    def measured(self, event: TreeMeasured, turn: int) -> bool:
        """The monitor has measured in that turn: the same for many turns is a note; whether it was the same as before."""
        same = event.content is not None and (event.content, event.history) == self._seen
        if not same:
            self._turn = turn
        elif event.when == "turn" and turn - self._turn >= self._numbers.turns:
            turns = plural(self._numbers.turns, "turn")
            advice = (
                f"Nothing in the project changed in the last {turns}. Make the next change now and run a check of it; or say "
                "plainly what keeps you from it."
            )
            message = f"Nothing in the project changed in the last {turns}"
            self._put(_IDLE, "note", message, advice, event=event, places=(_spot(event),))
        if not same and event.content is not None and self._seen[0] is not None:
            self._docket.end(f"{_NAME}::{_IDLE}", "cleared", event.seq, "the folder changed")
        self._seen = event.content, event.history
        return same

    def judge(self, view: WorktreeView, seq: int, *, at_end: bool = False) -> None:
        """The latest claim beside what is known of the folder now."""
        if view.changed and self._docket.end(f"{_NAME}::{self._subject}", "cleared", seq, "the folder changed"):
            self._level = None
        if self._claim is None or view.changed is not False:
            return
        self._level = level = max(self._pressing(at_end=at_end), self._level or "note", key=rank)
        self._spots = tuple(dict.fromkeys((*self._spots, _spot(self._claim))))[-5:]
        since = "the feedback" if view.since_feedback else "the prompt"
        advice = (
            f"Nothing in the project changed since {since}. Apply each item that was asked for, run the check it "
            "names, and look at the result; or say plainly that no change was needed, and why."
        )
        message = f"Done is claimed, and nothing in the project changed since {since}"
        if view.elsewhere:
            message += f"; written all the same, ignored, outside or as it was: {_named(view.elsewhere)}"
        self._put(self._subject, level, message, advice, event=self._claim, places=self._spots)

    def settle(self, event: Acted) -> bool:
        """The operator settled a finding; false when it is not one of these."""
        return self._docket.settle(event)

    def findings(self) -> tuple[Finding, ...]:
        """The open ones, then those that have ended."""
        return self._docket.findings()

    def copy(self) -> Unchanged:
        """Another that goes on from here."""
        other = Unchanged(self._numbers)
        other.__dict__.update(self.__dict__)
        other._docket = self._docket.copy()
        return other

    @property
    def _subject(self) -> str:
        return f"request {self._request}"

    def _pressing(self, *, at_end: bool) -> Level:
        numbers = self._numbers
        if self.required and numbers.stop and (at_end or self._claims >= numbers.stop):
            return "stop"
        return "warn" if self.required and numbers.warn and self._claims >= numbers.warn else "note"

    def _put(
        self, subject: str, level: Level, message: str, advice: str, *, event: Event, places: tuple[Spot, ...]
    ) -> None:
        self._docket.put(
            Finding(
                _NAME, subject, level, message, advice,
                request=event.request, opened=event.seq, raised=event.seq, places=places,
            )
        )  # fmt: skip


def _named(files: Sequence[str]) -> str:
    """The latest files, and how many more there are."""
    named = ", ".join(shorten(line(file), 80) for file in reversed(files[-_NAMED:]))
    more = len(files) - _NAMED
    return f"{named} and {plural(more, 'more file')}" if more > 0 else named


def _spot(event: Event) -> Spot:
    return Spot(event.seq, event.place.input, event.place.line)
