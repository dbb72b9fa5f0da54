"""Stops all processes of a run where they stand, and lets them go on."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence

from monitor.processes.family import Family, Member, reachable
from monitor.processes.signals import deliver
from monitor.text import plural

_LOOKS, _BETWEEN = 50, 0.02
"""Times that they are looked at until all stand still, and the seconds between them."""


def is_paused(members: Sequence[Member]) -> bool:
    """Whether the agent's own process is stopped."""
    return any(member.depth == 0 and member.state == "T" for member in members)


def pause(family: Family) -> tuple[bool, str]:
    """Stop them all, the agent first; whether it stands still, and what was done, in one line."""
    told: set[tuple[int, float]] = set()
    for _ in range(_LOOKS):
        fresh = [one for one in reachable(family.look()) if one.identity.key not in told]
        for one in fresh:
            reason = deliver(one.identity, signal.SIGSTOP)
            if reason and one.depth == 0:
                return False, reason
            told.add(one.identity.key)
        # one that is told and does not stand yet may start another: a busy system takes a moment to stop it
        if not fresh and all(one.state == "T" for one in reachable(family.look())):
            break
        if not fresh:
            time.sleep(_BETWEEN)
    members = family.look()
    shown = plural(sum(one.state == "T" for one in members), "process stands", "processes stand")
    note = "; its shell shows it as stopped" if any(one.depth == 0 and one.foreground for one in members) else ""
    return is_paused(members), f"{shown} still; clocks and connections of the agent go on{note}"


def go_on(family: Family) -> tuple[bool, str]:
    """Let them all go on, the agent last; whether it does, and what was done, in one line."""
    members = reachable(family.look())
    reasons = [(one.depth, deliver(one.identity, signal.SIGCONT)) for one in reversed(members)]
    failed = [reason for depth, reason in reasons if depth == 0 and reason]
    if failed or not members:
        return False, failed[0] if failed else "it is gone"
    note = "; in its own terminal it may need `fg`" if any(one.depth == 0 and one.foreground for one in members) else ""
    return True, f"{plural(len(members), 'process goes', 'processes go')} on{note}"
