"""What an abort would end and how, as values: shown before it is done, and done in this order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from monitor.actions import Force
from monitor.processes.family import Member
from monitor.processes.signals import untouchable
from monitor.processes.suspects import Suspect

FORCES: tuple[Force, ...] = get_args(Force)
"""From the gentlest to the hardest."""
WAIT = 5.0
"""Seconds each step is given before the next."""
SIGNALS = {"interrupt": "SIGINT", "terminate": "SIGTERM", "kill": "SIGKILL"}
DEAF = "ignores SIGINT, as what a script starts in the background does"


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """One process that would end."""

    pid: int
    command: str
    """Clean, on one line."""
    took: float
    """Seconds it has run."""
    depth: int
    """0 for the agent itself, 1 for what it started, and so on."""
    group: int
    session: int
    """Led by a process of this number: a signal to one group or session does not reach another."""
    stays: str = ""
    """Why it would not be touched; empty when it would end."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the ladder."""

    force: Force
    words: str
    """What is done, as a person reads it."""
    skipped: str = ""
    """Why it would be left out."""
    asked: bool = False
    """Taken only when it is asked for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done."""

    processes: tuple[ProcessRow, ...]
    steps: tuple[Step, ...]
    wait: float = WAIT
    remains: str = ""
    """What is left of the run when all that has ended, and how it is taken up again."""
    suspects: tuple[Suspect, ...] = ()
    """What may be the run's too, and is not touched."""


def plan(
    members: Sequence[Member],
    now: float,
    *,
    protocol: str = "",
    deaf: bool | None = None,
    upto: Force = "interrupt",
    suspects: Sequence[Suspect] = (),
) -> Plan:
    """The plan for these processes at `now` (seconds since the epoch).

    `protocol` says how the agent itself is asked, where it can be; `deaf` whether it ignores SIGINT; steps beyond
    `upto` are taken only when they are asked for.
    """
    rows = tuple(
        ProcessRow(
            pid=member.identity.pid,
            command=member.identity.command,
            took=max(now - member.identity.begun, 0.0),
            depth=member.depth,
            group=member.group,
            session=member.session,
            stays=untouchable(member.identity),
        )
        for member in members
    )
    return Plan(rows, tuple(_steps(protocol, deaf=deaf, upto=upto)), suspects=tuple(suspects))


def _steps(protocol: str, *, deaf: bool | None, upto: Force) -> list[Step]:
    limit = FORCES.index(upto)
    steps = [Step("ask", protocol, asked=False)] if protocol else []
    for index, force in enumerate(FORCES[1:], start=1):
        words = (
            f"{SIGNALS[force]} to {'all of them' if force == 'kill' else 'the agent, SIGTERM to what it leaves behind'}"
        )
        skipped = DEAF if force == "interrupt" and deaf else ""
        steps.append(Step(force, words, skipped, asked=index > limit))
    return steps
