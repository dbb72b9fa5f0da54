"""Puts the fleet together: every agent that is known, on this machine."""

from __future__ import annotations

from monitor.finding.fleet import Fleet
from monitor.finding.listers import listers
from monitor.finding.survey import Survey
from monitor.supervisor import Supervisor


def mustered(source: object = None) -> Fleet:
    """The runs of this machine; one that is followed already stays its owner's."""
    fleet = Fleet(Survey(listers()))
    if isinstance(source, Supervisor):
        fleet.adopt(source)
    return fleet
