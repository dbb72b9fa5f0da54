"""Logs read to their end, and the rows of runs."""

from __future__ import annotations

from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find


def judged(path):
    """The report of a finished log."""
    supervisor = Supervisor(find(str(path)), live=False)
    try:
        supervisor.read_all()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()


def shown(rows):
    """The rows in the order in which they stand."""
    return [rows.row(rows.ref(index)) for index in range(len(rows))]
