"""The findings of one detector: the open ones, and the last that have ended."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from monitor.events import Acted
from monitor.findings import Finding, State, rank

_OPEN = 1_000
"""Open findings; of more the least pressing is closed, the oldest of these."""
ENDED = 100
"""Those that ended last."""
_STOOD = 20
"""Before them those that stood when their request was over: of more the least pressing is forgotten, the oldest of these."""
_SETTLED = 1_000


class Docket:
    """Opens, raises and ends findings; what the operator settled stays settled until its request is over."""

    def __init__(self) -> None:
        self._open: dict[str, Finding] = {}
        self._settled: dict[str, str] = {}
        """Keys with their actors."""
        self._ended: deque[Finding] = deque()
        self._stood: tuple[Finding, ...] = ()

    def put(self, finding: Finding) -> bool:
        """Open a finding, or bring an open one up to date; false for one that the operator settled.

        `opened` is kept, and `raised` where the level is the same.
        """
        if finding.key in self._settled:
            return False
        old = self._open.get(finding.key)
        if old is not None:
            same = rank(finding.level) == rank(old.level)
            finding = replace(finding, opened=old.opened, raised=old.raised if same else finding.raised)
        self._open[finding.key] = finding
        if len(self._open) > _OPEN:
            least = min(self._open.values(), key=lambda one: rank(one.level))
            self.end(least.key, "closed", finding.opened, "too many others are open")
        return True

    def end(self, key: str, state: State, seq: int, why: str) -> bool:
        """End an open finding; false where none is open under this key."""
        finding = self._open.pop(key, None)
        if finding is not None:
            self._ended.append(replace(finding, state=state, ended=seq, why_ended=why))
            if len(self._ended) > ENDED:
                self._forget(self._ended.popleft())
        return finding is not None

    def _forget(self, finding: Finding) -> None:
        """Keep of a finding that ended long ago what a report still judges by."""
        if finding.state != "closed":
            return
        stood = (*self._stood, finding)
        if len(stood) > _STOOD:
            least = min(range(len(stood)), key=lambda at: rank(stood[at].level))
            stood = stood[:least] + stood[least + 1 :]
        self._stood = stood

    def settle(self, event: Acted) -> bool:
        """End the finding that the operator settled; false when it is not one of these."""
        finding = self._open.get(event.subject)
        if finding is None:
            return False
        self._settled[finding.key] = finding.actor
        if len(self._settled) > _SETTLED:
            del self._settled[next(iter(self._settled))]
        return self.end(finding.key, "settled", event.seq, event.text or "settled by the operator")

    def renew(self, key: str) -> None:
        """What was settled under this key may be found anew: something else has happened since."""
        self._settled.pop(key, None)

    def close(self, seq: int, actor: str | None = None) -> None:
        """The request is over: close what is open, of one actor or of all."""
        for finding in list(self._open.values()):
            if actor is None or finding.actor == actor:
                self.end(finding.key, "closed", seq, "a new request began")
        self._settled = {key: whose for key, whose in self._settled.items() if actor not in (None, whose)}

    def findings(self) -> tuple[Finding, ...]:
        """The open ones, the most pressing first, then the ended ones, oldest first."""
        return (*sorted(self._open.values(), key=lambda one: -rank(one.level)), *self._stood, *self._ended)

    def copy(self) -> Docket:
        """Another that goes on from here."""
        other = Docket()
        other._open, other._settled = dict(self._open), dict(self._settled)
        other._stood, other._ended = self._stood, self._ended.copy()
        return other
