"""The operator's actions: what the monitor does by itself, and what goes to the agent through its channel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from monitor.actions import Action, Measure, Verb
from monitor.control import Channel
from monitor.events import Acted, Event
from monitor.processes.plan import Plan
from monitor.streams.record import Record
from monitor.text import shorten
from monitor.worktree.measuring import Measuring

_SETTLED: tuple[Verb, ...] = ("settle", "measure")
"""What needs no agent."""


class Hand:
    """Takes actions from any thread, and gives their receipts to the supervisor's."""

    def __init__(self, channel: Channel, measuring: Measuring | None, clock: Callable[[], float]) -> None:
        self._channel = channel
        self._measuring = measuring
        self._clock = clock
        self._actions: deque[Action] = deque()

    def act(self, action: Action) -> None:
        """Queue an action."""
        self._actions.append(action)

    def can(self, verb: Verb) -> str:
        """Nothing when it can be done here and now, else why not."""
        if verb == "settle":
            return ""
        if verb == "measure":
            return "" if self._measuring else "no project folder is known"
        return self._channel.can(verb)

    def plan(self) -> tuple[str, ...]:
        """What an abort would end, a line each, and how."""
        plan = self._channel.plan()
        return () if plan is None else tuple(_lines(plan))

    def receipts(self, seq: int) -> list[Event]:
        """Perform what is queued; how far everything got since the last call. `seq` is the latest event's."""
        events: list[Event] = []
        while self._actions:
            action = self._actions.popleft()
            if action.verb not in _SETTLED:
                self._channel.send(action)
                continue
            if action.verb == "measure" and self._measuring is not None:
                self._measuring.ask(Measure("asked", seq))
            events.append(self._done(action))
        return [*events, *self._channel.receipts()]

    def observe(self, event: Event) -> None:
        """Show the channel a numbered event, which may be evidence."""
        self._channel.observe(event)

    def hear(self, record: Record) -> None:
        """Show the channel a record as it came."""
        self._channel.hear(record)

    def pause(self, longest: float) -> float:
        """Seconds until a receipt may be due, `longest` at the most."""
        due = self._channel.due
        return longest if due is None else max(min(due - self._clock(), longest), 0.01)

    def close(self) -> None:
        """Let go of the channel; the agent goes on."""
        self._channel.close()

    def _done(self, action: Action) -> Acted:
        now = self._clock()
        return Acted(
            id=action.id,
            action=action.verb,
            by=action.by,
            channel="monitor",
            receipt="done",
            text=action.text,
            subject=action.subject,
            at=now,
            seen=now,
        )


def _lines(plan: Plan) -> list[str]:
    rows = [
        f"{'  ' * row.depth}{row.pid} {shorten(row.command, 200)}{f': {row.stays}' if row.stays else ''}"
        for row in plan.processes
    ]
    steps = [step.words + (f" ({step.skipped})" if step.skipped else "") for step in plan.steps if not step.asked]
    return [*rows, *([", then ".join(steps)] if steps else [])]
