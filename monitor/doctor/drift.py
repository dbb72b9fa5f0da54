"""What the newest logs of an agent hold that this version does not know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from monitor.agents.listed import Listed
from monitor.errors import MonitorError
from monitor.finding.attaching import opened
from monitor.launch.launched import Launched
from monitor.sources import Sources
from monitor.streams.open import open_reader
from monitor.understanding import Understanding

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
    def slight(self) -> bool:
        """Less than half was understood."""
        return Understanding(self.records, sum(self.unknown.values()), self.unreadable).slight


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
        if isinstance(found, Launched):
            found.forget()
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
        understood = sources.understanding()
        told.records += understood.records
        told.unreadable += understood.unreadable
        for account in sources.accounts():
            for name, count in account.unknown_types.items():
                told.unknown[name] = told.unknown.get(name, 0) + count
    finally:
        sources.close()
