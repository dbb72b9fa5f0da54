"""Whether the agent may stop: what the hook asks, and what a verdict answers."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.actions import Action
from monitor.channels.messages import worded
from monitor.hooks.records import Refuse
from monitor.snapshot import Claim, Snapshot, State
from monitor.text import clean

WAIT = 6.0
"""Seconds the hook waits for an answer: the claim must be read, and the folder measured."""
_SAID = 2_000
"""Characters of a claim that are kept."""
_MOST = 8_000
"""Characters of a reason; Claude Code passes on no more than 10,000."""
_LEAD = "You said that this is done, but"
_HELD: dict[State, str] = {
    "not made": f"{_LEAD} a change that you tried to make was not made.",
    "unchanged": f"{_LEAD} nothing in the project changed.",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is to be said to the hook."""

    state: State | None = None
    """Why the stop is refused; none when it is not."""
    reason: str = ""


class Refusals:
    """Counts what was refused in a request; `standing` is the installation's order, `order` adds another time."""

    def __init__(self) -> None:
        self.standing: Refuse = "never"
        self._orders: list[tuple[str, Refuse]] = []
        self._refused = 0
        self._judged = -1
        """The claim that was answered last; the next stop has another, even if it says the same."""
        self._snapshot = Snapshot()

    def order(self, action: Action) -> None:
        """Refuse one more stop, by an order of the operator or a policy; its subject may be `unchanged`."""
        self._orders.append((action.id, "unchanged" if action.subject == "unchanged" else "not made"))

    def know(self, snapshot: Snapshot) -> None:
        """What is to be said of the run now."""
        self._snapshot = snapshot

    def prompted(self) -> None:
        """A person asked for something: what was refused before no longer counts. A refusal begins a request too."""
        self._refused = 0

    def armed(self) -> dict[str, object] | None:
        """What the hook is to know; none where it need not ask. Once it has refused in a request, only for an order."""
        again = len(self._orders) > (0 if self._refused else 1)
        if not self._orders and (self.standing == "never" or self._refused):
            return None
        return {"wait": WAIT, "again": again}

    def answer(self, said: str, *, late: bool) -> Answer | None:
        """The answer to a stop after these last words; none while the claim is not read yet, or being measured."""
        snapshot = self._snapshot
        claim = snapshot.claims[-1] if snapshot.claims else None
        if claim is None or claim.spot.seq <= self._judged or not _same(claim.text, said):
            return Answer() if late else None
        if claim.request != snapshot.run.requests:
            return Answer() if late else None
        answer = self._judge(claim, late=late)
        self._judged = claim.spot.seq if answer is not None else self._judged
        return answer

    def _judge(self, claim: Claim, *, late: bool) -> Answer | None:
        snapshot, verdict = self._snapshot, self._snapshot.verdict
        if not claim.done or verdict.claimed_done is not True:
            return Answer()
        held = {verdict.state, *verdict.also}
        if "not made" in held:
            return self._refuse("not made")
        if snapshot.worktree.pending and not late:
            return None
        required = snapshot.run.change_required is not False
        return self._refuse("unchanged") if "unchanged" in held and required else Answer()

    def refused(self) -> str:
        """A stop was refused: the id of the order that it used up, empty where it was the standing one."""
        self._refused += 1
        return self._orders.pop(0)[0] if self._orders else ""

    def _refuse(self, state: State) -> Answer:
        wanted = self._orders[0][1] if self._orders else self.standing if not self._refused else "never"
        if wanted == "never" or (state == "unchanged" and wanted != "unchanged"):
            return Answer()
        detector = "failed_writes" if state == "not made" else "worktree"
        advice = [one.advice for one in self._snapshot.findings if one.detector == detector and one.state == "open"]
        return Answer(state, worded(Action("", "warn", "\n\n".join((_HELD[state], *advice))[:_MOST])))


def _same(claim: str, said: str) -> bool:
    """Whether a claim is the one that the hook was given; an older agent does not give it."""
    return not said or clean(said)[:_SAID].strip() == claim[:_SAID].strip()
