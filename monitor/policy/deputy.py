"""Acts for the operator as his policy says, while nobody looks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from uuid import uuid4

from monitor.actions import Action, Verb
from monitor.events import Event, SourceChanged
from monitor.notifying.announcer import Announcer
from monitor.policy.rules import Decision, Policy, Rules
from monitor.run.run import Run
from monitor.snapshot import Snapshot

_KEPT = 1_000
"""Decisions kept until they are asked for."""
_ENDS = "the log ends there"


Tap = Callable[[Event, Run], None]


class Deputy:
    """Performs what the policy decides through the operator's own hand.

    A dry one does nothing: it tells what it would have done after each event, those of before included.
    """

    def __init__(self, rules: Rules, *, announcer: Announcer | None = None, dry: bool = False) -> None:
        self._policy = Policy(rules)
        self._announcer = announcer
        self._dry = dry
        self._subject = "unchanged" if rules.refuse == "unchanged" else ""
        self._taken: deque[Decision] = deque(maxlen=None if dry else _KEPT)

    def consider(
        self, snapshot: Snapshot, now: float | None, *, can: Callable[[Verb], str], act: Callable[[Action], None]
    ) -> None:
        """Do what there is to do now; `can` says why something cannot be done."""
        if self.tap is not None:
            return
        for decision in self._policy.consider(snapshot, now):
            verb: Verb | None = decision.response if decision.response in ("warn", "abort") else None
            held = decision.held or (can(verb) if verb else "")
            self._taken.append(replace(decision, held=held))
            if verb and not held:
                act(self._action(verb, decision))
            if self._announcer is not None and decision.response != "show":
                self._announcer.tell(_title(snapshot), _words(decision, held))
        for _ in range(0 if can("refuse") else self._policy.orders(snapshot)):
            act(Action(uuid4().hex[:12], "refuse", subject=self._subject, by="policy"))

    def ring_by(self, ring: Callable[[str], None]) -> None:
        """Write to the terminal by this, where a screen holds it."""
        if self._announcer is not None:
            self._announcer.ring = ring

    def close(self) -> None:
        """Send what waits to be sent."""
        if self._announcer is not None:
            self._announcer.close()

    @property
    def tap(self) -> Tap | None:
        """What a dry one must be shown: each event with its run."""
        return self._imagine if self._dry else None

    def _imagine(self, event: Event, run: Run) -> None:
        snapshot = run.snapshot()
        ends = isinstance(event, SourceChanged) and event.what == "end"
        for decision in self._policy.consider(snapshot, snapshot.run.last):
            acts = decision.response in ("warn", "abort")
            self._taken.append(replace(decision, held=decision.held or _ENDS) if ends and acts else decision)
        if (refusal := self._policy.refused(snapshot)) is not None:
            self._taken.append(refusal)

    def taken(self) -> list[Decision]:
        """What was decided since the last call, with the reason why something was held back."""
        taken = []
        while self._taken:
            taken.append(self._taken.popleft())
        return taken

    def _action(self, verb: Verb, decision: Decision) -> Action:
        finding = decision.finding
        return Action(
            id=uuid4().hex[:12],
            verb=verb,
            text=finding.advice if finding and verb == "warn" else decision.reason,
            subject=finding.key if finding else "",
            by="policy",
            force=self._policy.rules.force,
        )


def _title(snapshot: Snapshot) -> str:
    """Which run it is about."""
    run = snapshot.run
    folder = PurePath(run.project or run.cwd).name
    return f"{run.agent or 'an agent'} in {folder}" if folder else run.agent or "an agent"


def _words(decision: Decision, held: str) -> str:
    """What it is about, and what was done."""
    done = {"warn": "The agent was warned.", "abort": "The run is being ended."}.get(decision.response, "")
    if held:
        done = f"Nothing was done: {held}."
    return f"{decision.reason}. {done}" if done else decision.reason
