"""The levels that repeats reach, step by step, for the tests of repeats."""

from __future__ import annotations

from calls_story import Calls

from monitor.detectors.repeat_limits import RepeatLimits
from monitor.detectors.repeats import Repeats

FAILS = "FAILED tests/test_a.py - assert 1 == 2"


def story(**limits):
    return Calls(Repeats(RepeatLimits(**limits)))


def level(told, rule):
    """The highest level of the open findings of a rule."""
    found = [one.level for one in told.open if one.subject.startswith(rule)]
    return max(found, key=("note", "warn", "stop").index, default=None)


def levels(told, rule, times, step):
    """The rule's level after each of so many steps."""
    found = []
    for number in range(times):
        step(number)
        found.append(level(told, rule))
    return found
