"""The operator's actions: what the monitor does by itself, and what goes to the agent through its channel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import msgspec

from monitor.actions import Action, Measure, Verb, When
from monitor.channels.pane import Pane
from monitor.control import Channel
from monitor.events import Acted, Event
from monitor.processes.plan import Plan
from monitor.snapshot import Snapshot
from monitor.streams.record import Record
from monitor.worktree.measurement import GONE
from monitor.worktree.measuring import Measuring

_SETTLED: tuple[Verb, ...] = ("settle", "measure")
"""What needs no agent."""
_UNSEATED = "no terminal of this run is known"
_ASKED = 100
"""Actions whose ids are remembered."""


@runtime_checkable
class Judging(Protocol):
    """A channel that answers its agent's question whether it may stop."""

    def judge(self, told: Callable[[], Snapshot]) -> None:
        """What is to be said of the run now, for whoever asks for it."""


@runtime_checkable
class Seated(Protocol):
    """A channel that knows the terminal of its run."""

    @property
    def terminal(self) -> Pane | str:
        """The tmux pane that is its terminal, or why there is none."""


class Hand:
    """Takes actions from any thread, and gives their receipts to the supervisor's."""

    def __init__(self, channel: Channel, measuring: Measuring | None, clock: Callable[[], float]) -> None:
        self._channel = channel
        self._judging = channel if isinstance(channel, Judging) else None
        self._measuring = measuring
        self._clock = clock
        self._actions: deque[Action] = deque()
        self.asked: deque[str] = deque(maxlen=_ASKED)
        """The ids of the actions that were queued for the channel."""
        self._past = self._heard = True
        """What stood in the log before is still being read; and something of it was since the last receipts."""

    def act(self, action: Action) -> None:
        """Queue an action."""
        if action.verb not in _SETTLED:
            self.asked.append(action.id)
        self._actions.append(action)

    def can(self, verb: Verb) -> str:
        """Nothing when it can be done here and now, else why not."""
        if verb == "settle":
            return ""
        if verb == "measure":
            return "" if self._measuring else "no project folder is known"
        return self._channel.can(verb)

    def how(self, verb: Verb, when: When) -> str:
        """In what way it would be done now; nothing where it cannot be."""
        return self._channel.how(verb, when) if verb not in _SETTLED else ""

    def plan(self) -> Plan | None:
        """What an abort would end, and how; none where no process is known."""
        return self._channel.plan()

    def offer(self, text: str) -> str:
        """The command that goes on with the run with this text, where one is known."""
        return self._channel.offer(text)

    def terminal(self) -> Pane | str:
        """The tmux pane in which the run can be seen, or why none is known."""
        return self._channel.terminal if isinstance(self._channel, Seated) else _UNSEATED

    def receipts(self, told: Callable[[], Snapshot]) -> list[Event]:
        """Perform what is queued; how far everything got since the last call. What is `told` is the latest."""
        if self._judging is not None:
            self._judging.judge(told)
        events: list[Event] = []
        while self._actions:
            action = self._actions.popleft()
            if action.verb not in _SETTLED:
                self._channel.send(action)
                continue
            events.append(self._settled(action, told().seq))
        past, heard, self._heard = self._past, self._heard, False
        self._past = past and heard
        return [*events, *(self._dated(one, past=past) for one in self._channel.receipts())]

    def observe(self, event: Event) -> None:
        """Show the channel a numbered event, which may be evidence."""
        self._heard = True
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

    def _dated(self, told: Acted, *, past: bool) -> Acted:
        """Of what an earlier monitor asked for, that its evidence is found now does not tell when it came about."""
        if told.id in self.asked:
            return told if told.at is not None else msgspec.structs.replace(told, at=self._clock())
        return msgspec.structs.replace(told, at=None) if past and told.at == told.seen else told

    def _settled(self, action: Action, seq: int) -> Acted:
        """Do what needs no agent; a measurement of a folder that is gone fails, and is what tells why."""
        gone = False
        if action.verb == "measure" and self._measuring is not None:
            gone = self._measuring.gone
            self._measuring.ask(Measure("asked", seq))
        now = self._clock()
        return Acted(
            id=action.id,
            action=action.verb,
            by=action.by,
            channel="monitor",
            receipt="failed" if gone else "done",
            evidence=GONE if gone else "",
            text=action.text,
            subject=action.subject,
            at=now,
            seen=now,
        )


class Handed:
    """Passes on what is asked of its hand."""

    _hand: Hand

    @property
    def asked(self) -> tuple[str, ...]:
        """The ids of what was asked of the channel, begun or not."""
        return tuple(self._hand.asked)

    def can(self, verb: Verb) -> str:
        """Nothing when it can be done here and now, else why not."""
        return self._hand.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way it would be done now; empty where it cannot be."""
        return self._hand.how(verb, when)

    def plan(self) -> Plan | None:
        """What an abort would end, and how; none where no process is known."""
        return self._hand.plan()

    def offer(self, text: str) -> str:
        """The command that goes on with the run with this text, where one is known."""
        return self._hand.offer(text)

    def terminal(self) -> Pane | str:
        """The tmux pane in which the run can be seen, or why none is known."""
        return self._hand.terminal()
