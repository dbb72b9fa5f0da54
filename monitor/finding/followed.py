"""One run that the fleet follows, and what of it was looked at."""

from __future__ import annotations

from dataclasses import replace

from monitor.actions import Verb
from monitor.agents.listed import Listed
from monitor.channels.hold import BEAT, RESTS, Hold
from monitor.finding.standing import Standing
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor

_LEASE = 10.0
"""Seconds for which a channel is kept after the operator did something with it."""
_RESTING = ("idle", "waiting")
_SAID = ("seen", "done", "failed")
_BY_WIRE = ("abort", "refuse")
"""What needs the channel until it is done, and not only until it is delivered."""


class Followed:
    """A supervisor with its mark of what was seen last; its channel is taken only while the operator is at it."""

    def __init__(self, supervisor: Supervisor, listed: Listed, hold: Hold | None = None) -> None:
        self.supervisor = supervisor
        self.listed = listed
        self.ours = hold is not None
        """Closed with the fleet; one that was adopted is its owner's, and so is its channel."""
        self.inside = False
        """The operator looks at it alone."""
        self._chosen = False
        self._hold = hold or Hold()
        self._wanted_until = 0.0
        self.fresh = False
        """It ended since it was last looked at."""
        self._seen: int | None = None
        self._alive = listed.alive
        self._shown = supervisor.snapshot
        self._stood: tuple[Standing, Standing] | None = None

    @property
    def over(self) -> bool:
        """Nothing more will come of it: what has answered and whose process rests may be told more."""
        return bool(self.supervisor.problem) or (self.supervisor.ended and self.listed.state not in _RESTING)

    @property
    def done(self) -> bool:
        """It has ended, and nobody needs to look at it any more."""
        return not self._alive and not self.fresh

    @property
    def snapshot(self) -> Snapshot:
        """The newest that says something new: the same object while only time passes."""
        found = self.supervisor.snapshot
        if not _tells_the_same(found, self._shown):
            self._shown = found
        return self._shown

    @property
    def new(self) -> int:
        """Rows that came since it was last looked at; 0 where it never was."""
        return max(len(self.supervisor.rows) - self._seen, 0) if self._seen is not None else 0

    def standing(self, known: Standing) -> Standing:
        """How it stands: the same object until it stands otherwise."""
        now = replace(known, snapshot=self.snapshot, attached=True, over=self.over, new=self.new, fresh=self.fresh)
        if self._stood is not None and self._stood[0] is known and _stands_the_same(self._stood[1], now):
            return self._stood[1]
        self._stood = known, now
        return now

    @property
    def rests(self) -> bool:
        """Whether its channel is not taken."""
        return not self._hold.wanted

    @property
    def reaching(self) -> bool:
        """Whether it is not known yet if its channel can be taken."""
        verbs: tuple[Verb, ...] = ("warn", "abort")
        return self._hold.wanted and any(RESTS in self.supervisor.can(verb) for verb in verbs)

    def look(self) -> None:
        """Have what comes told at once while the operator looks at it alone, and a moment later while he does not."""
        self._hold.look(near=self.inside)

    def choose(self, *, chosen: bool) -> None:
        """It is the one of the list that the operator has chosen, which is read at once and then as if there were few."""
        if chosen and not self._chosen:
            self._hold.beat = BEAT
            self._hold.wake()
        self._chosen = chosen

    def reach(self, now: float) -> None:
        """Take its channel, and keep it for a while."""
        self._wanted_until = now + _LEASE
        self._hold.take()

    def relax(self, now: float, beat: float) -> None:
        """Give its channel back, once the operator is elsewhere and all that he did is on its way.

        `beat`: seconds between two rounds of it while nobody looks.
        """
        self._hold.beat = BEAT if self._chosen else beat
        if self.ours and not self.inside and now >= self._wanted_until and not self._acts:
            self._hold.let_go()

    @property
    def _acts(self) -> bool:
        told = {one.id: one for one in self.supervisor.snapshot.actions}
        for asked in self.supervisor.asked:
            one = told.get(asked)
            if one is None or one.receipt == "queued" or (one.action in _BY_WIRE and one.receipt not in _SAID):
                return True
        return False

    def see(self) -> None:
        """All that has come so far was looked at."""
        self._seen, self.fresh = len(self.supervisor.rows), False

    def note_end(self) -> None:
        """One that has ended asks to be looked at, once; one that lives again does not."""
        alive = self.listed.alive and not self.over
        self.fresh = (self.fresh or self._alive) and not alive
        self._alive = alive


def _stands_the_same(one: Standing, two: Standing) -> bool:
    told = (one.over, one.new, one.fresh)
    return one.snapshot is two.snapshot and told == (two.over, two.new, two.fresh)


def _tells_the_same(one: Snapshot, two: Snapshot) -> bool:
    if one is two:
        return True
    told = (one.seq, one.verdict, one.findings, one.actions, one.sources, one.waiting)
    return told == (two.seq, two.verdict, two.findings, two.actions, two.sources, two.waiting)
