"""`monitor doctor`: what is installed, reachable, limited, and what to do about it."""

from __future__ import annotations

import json
from dataclasses import asdict

from monitor.commands.output import emit
from monitor.doctor.agents import agents
from monitor.doctor.check import Check
from monitor.doctor.folders import folders
from monitor.doctor.machine import machine
from monitor.doctor.settings import settings
from monitor.errors import FINDING
from monitor.finding.listers import listers
from monitor.finding.survey import Survey
from monitor.text import line, plural

_MARKS = {"ok": " ", "note": "-", "lack": "!"}


def examine(*, as_json: bool) -> int:
    """Look everything over and print it; the exit code is 1 where something is missing."""
    sighting = Survey(listers()).look()
    checks = [*machine(), *settings(), *agents(sighting), *folders(sighting.places)]
    lacks = sum(one.health == "lack" for one in checks)
    if as_json:
        emit(json.dumps({"lacks": lacks, "checks": [asdict(one) for one in checks]}, ensure_ascii=False) + "\n")
    else:
        emit("".join(f"{row}\n" for row in rows(checks)))
    return FINDING if lacks else 0


def rows(checks: list[Check]) -> list[str]:
    """The checks by section, what is missing marked, with what to do below it."""
    shown: list[str] = []
    section = ""
    for one in checks:
        if one.about != section:
            section = one.about
            shown += ["", section] if shown else [section]
        shown.append(f"{_MARKS[one.health]} {one.name:<30}  {line(one.words)}")
        if one.advice:
            shown.append(f"{'':<34}{line(one.advice)}")
    lacks = sum(one.health == "lack" for one in checks)
    return [*shown, "", f"{plural(lacks, 'thing')} to mend, marked with !" if lacks else "Nothing is missing."]
