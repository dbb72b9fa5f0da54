"""What the newest logs of an agent hold that this version does not know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from monitor.agents.listed import Listed
from monitor.errors import MonitorError
from monitor.finding.attaching import opened
from monitor.sources import Sources
from monitor.streams.open import open_reader

_LOGS = 3
_LARGEST = 8 << 20
"""Bytes of a log that is looked through."""


@dataclass(slots=True)
class Drift:
    """What was looked through, and what was not understood of it."""

    logs: int = 0
    records: int = 0
    unreadable: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    """Record types that no decoder knows, counted."""

    @property
    def share(self) -> float:
        """The share of the records that were understood, from 0 to 1."""
        return 1 - (sum(self.unknown.values()) + self.unreadable) / self.records if self.records else 1.0


def drift(runs: Iterable[Listed]) -> Drift:
    """What stands in the newest of these runs' logs; those that are very large are left out."""
    told = Drift()
    for listed in runs:
        if told.logs >= _LOGS:
            break
        if listed.path is not None:
            _look_through(listed, told)
    return told


def _look_through(listed: Listed, told: Drift) -> None:
    try:
        found = opened(listed)
        sizes = [one.path.stat().st_size for one in found.inputs() if one.path is not None]
        if sum(sizes) > _LARGEST:
            return
        sources = Sources(found, open_reader)
    except (MonitorError, OSError):
        return
    try:
        while sources.take():
            pass
        sources.finish()
        told.logs += 1
        for account in sources.accounts():
            told.records += account.records
            told.unreadable += account.unreadable
            for name, count in account.unknown_types.items():
                told.unknown[name] = told.unknown.get(name, 0) + count
    finally:
        sources.close()
