"""Fleets over made-up machines."""

from __future__ import annotations

from contextlib import contextmanager

from monitor.finding.fleet import Fleet
from monitor.finding.listers import listers
from monitor.finding.survey import Survey

TALKS = """
import sys, json
print(json.dumps({"event": "RunStarted", "agent": "talks"}), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps({"event": "Prompted", "by": "operator", "text": told.get("text", "")}), flush=True)
"""


@contextmanager
def fleet(survey=None, **more):
    found = Fleet(survey or Survey(listers()), **more)
    try:
        yield found
    finally:
        found.close()
