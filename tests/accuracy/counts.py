"""How right the detectors are on the labelled logs, and the rules of others on the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import stories_files
import stories_measured
import stories_repeats
import stories_sites
import stories_talk
import stories_thinking
import stories_writes
from cases import CASES, told
from judged import Reading, Verdict, judge, read, unlabelled
from other_rules import RULES, speaks
from pen import Pen

from monitor.events import DETECTORS
from monitor.findings import Finding, rank

STORIES = (
    stories_files, stories_measured, stories_repeats, stories_sites, stories_talk, stories_thinking, stories_writes,
)  # fmt: skip
"""Each adds its stories to the cases."""
LOOPS = ("repeats", "thinking")
"""The detectors that say the agent goes round in a loop."""


@dataclass(frozen=True)
class Log:
    """One story in one format, read and judged."""

    story: str
    pen: Pen
    reading: Reading
    verdicts: list[Verdict]
    extra: list[Finding]
    """Warnings and stops that no label asks for."""

    @property
    def loops(self) -> bool | None:
        """Whether its labels say that the agent loops to the end; none where it stopped by itself, or comes near to it."""
        places = [place for place in self.pen.places if place.detector in LOOPS]
        most = max((rank(place.level) for place in places), default=0)
        stopped = any((place.level is None) != place.ever for place in places)
        near = any(place.detector == "replies" and place.level for place in self.pen.places)
        return None if stopped or near or most == 1 else most > 1


@dataclass
class Count:
    """What became of the places of one detector."""

    places: int = 0
    right: int = 0
    missed: int = 0
    false_alarms: int = 0


@dataclass
class Heard:
    """How a rule that says "it loops" fares, log by log."""

    found: int = 0
    loops: int = 0
    false_alarms: int = 0
    others: int = 0
    missed: dict[str, None] = field(default_factory=dict)
    """Stories in which it does not speak, though they loop."""


def logs(folder: Path) -> list[Log]:
    """Every story in every format that can tell it, written into a folder, read and judged."""
    made: list[Log] = []
    for one in CASES:
        for pen in told(one):
            path = folder / f"{one.name}-{type(pen).__name__}{pen.suffix}"
            path.write_bytes(pen.log())
            reading = read(str(path))
            made.append(Log(one.name, pen, reading, judge(pen, reading), unlabelled(pen, reading)))
    return made


def by_detector(all_logs: Iterable[Log]) -> dict[str, Count]:
    """The counts of each detector."""
    counts = {name: Count() for name in DETECTORS}
    for log in all_logs:
        for verdict in log.verdicts:
            count = counts[verdict.place.detector]
            count.places += 1
            count.right += verdict.right
            count.missed += verdict.missed
            count.false_alarms += not verdict.right and not verdict.missed
        for finding in log.extra:
            counts[finding.detector].false_alarms += 1
    return counts


def by_rule(all_logs: Sequence[Log]) -> dict[str, Heard]:
    """How each rule fares that says an agent loops: ours, and those of others."""
    rules: dict[str, Callable[[Reading], bool]] = {"monitor: repeats and thinking, warn or stop": ours}
    rules |= {name: _other(name) for name in RULES}
    return {name: _heard(rule, all_logs) for name, rule in rules.items()}


def detector_table(all_logs: Sequence[Log]) -> str:
    """The counts by detector, as Markdown."""
    counts = by_detector(all_logs)
    total = Count()
    rows = ["| detector | places | right | missed | false alarms |", "|---|---|---|---|---|"]
    for name, one in counts.items():
        rows.append(f"| {name.replace('_', ' ')} | {one.places} | {one.right} | {one.missed} | {one.false_alarms} |")
        total.places, total.right = total.places + one.places, total.right + one.right
        total.missed, total.false_alarms = total.missed + one.missed, total.false_alarms + one.false_alarms
    rows.append(f"| all | {total.places} | {total.right} | {total.missed} | {total.false_alarms} |")
    return "\n".join(rows)


def rule_table(all_logs: Sequence[Log]) -> str:
    """The rules side by side, as Markdown."""
    rows = ["| rule | loops found | false alarms |", "|---|---|---|"]
    for name, one in by_rule(all_logs).items():
        rows.append(f"| {name} | {one.found} of {one.loops} | {one.false_alarms} in {one.others} |")
    return "\n".join(rows)


def formats(all_logs: Iterable[Log]) -> str:
    """The formats, and how many logs there are of each."""
    counts = Counter(log.pen.name for log in all_logs)
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def published(all_logs: Sequence[Log]) -> str:
    """What the README shows."""
    return f"{detector_table(all_logs)}\n\n{len(all_logs)} logs: {formats(all_logs)}.\n\n{rule_table(all_logs)}"


def ours(reading: Reading) -> bool:
    """Whether monitor says, at a warning or more, that the agent loops."""
    return any(finding.detector in LOOPS and rank(finding.level) > 1 for finding in reading.end)


def _other(name: str) -> Callable[[Reading], bool]:
    return lambda reading: speaks(RULES[name](), reading.events)


def _heard(rule: Callable[[Reading], bool], all_logs: Iterable[Log]) -> Heard:
    heard = Heard()
    for log in all_logs:
        if log.loops is None:
            continue
        spoke = rule(log.reading)
        if log.loops:
            heard.loops, heard.found = heard.loops + 1, heard.found + spoke
            heard.missed |= {} if spoke else {log.story: None}
        else:
            heard.others, heard.false_alarms = heard.others + 1, heard.false_alarms + spoke
    return heard
