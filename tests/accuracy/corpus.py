"""Public logs of agents with places that were read and labelled, where they lie beside the project.

The labels are a table of file, place, detection, verdict, confidence and reading; each detection has its judge here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from counts import LOOPS
from judged import Reading, read

from monitor.errors import MonitorError
from monitor.events import DETECTORS, Prompted
from monitor.findings import Finding, rank
from monitor.several import each_run

_RANGE = re.compile(r"(?:lines?|steps?) (\d+)(?:\s*(?:->|-)\s*(?=\d))?(\d+|\.\.)?|^(\d+)-(\d+)")
_ALL = 1 << 40


@dataclass(frozen=True)
class Label:
    """One labelled place."""

    file: str
    place: str
    detection: str
    verdict: str
    sure: bool

    @property
    def negative(self) -> bool:
        """A finding there is a false alarm."""
        return self.verdict.startswith("NEG")

    @property
    def about(self) -> str:
        """The file the verdict names."""
        return next(iter(re.findall(r"[\w/]+\.\w+", self.verdict)), "")

    @property
    def lines(self) -> tuple[int, int]:
        """The lines, steps or items of the place; all of them where it names none."""
        named = _RANGE.search(self.place)
        if named is None:
            return 0, _ALL
        first = int(named[1] or named[3])
        return first, _ALL if named[2] == ".." else int(named[2] or named[4] or first)


def labels(corpus: Path) -> list[Label]:
    """All labels of a corpus."""
    with (corpus / "labels.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Label(row["file"], row["place"], row["detection"], row["verdict"], row["confidence"] == "sure") for row in rows
    ]


def done_rightly(corpus: Path) -> list[Label]:
    """Runs that claimed done and passed the outside check: nothing is to stop them."""
    with (corpus / "verifier.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    right = [row for row in rows if row["reward"] == "1" and row["marked_done"] == "True"]
    return [Label(row["file"], "whole run", "done claim", "NEG", sure=True) for row in right]


@cache
def reading(target: str) -> Reading | None:
    """A run, read once; none for what is no log."""
    try:
        return read(target)
    except MonitorError:
        return None


def runs(file: Path) -> list[str]:
    """The runs in a file, as they are named; none for what is no log."""
    try:
        return each_run(str(file))
    except MonitorError:
        return []


def run_of(label: Label, corpus: Path) -> Reading | None:
    """The run that holds the place: of several in one file, each named by its first line, the last that begins by then."""
    named = runs(corpus / label.file)
    begun = [run for run in named if len(named) == 1 or int(run.rpartition(":")[2]) <= label.lines[0]]
    return reading(begun[-1]) if begun else None


def stops(corpus: Path) -> dict[str, list[Finding]]:
    """The stops of every run of every log."""
    files = sorted(one for one in corpus.glob("*/*") if one.is_file())
    all_runs = {run: reading(run) for file in files for run in runs(file)}
    return {
        run: [finding for finding in one.end if _stops(finding)] for run, one in all_runs.items() if one is not None
    }


def loops(corpus: Path) -> list[tuple[Reading, bool]]:
    """The runs that were read and found to loop, and those that were found not to, or passed the outside check."""
    told = [(one, not one.negative) for one in labels(corpus) if one.sure and one.detection.startswith("repeat")]
    told += [(one, False) for one in done_rightly(corpus)]
    found = {label.file: (run_of(label, corpus), looping) for label, looping in told}
    return [(run, looping) for run, looping in found.values() if run is not None]


def holds(label: Label, corpus: Path) -> bool:
    """Whether what is said of the log is what the label asks for."""
    found = run_of(label, corpus)
    if found is None:
        return False
    speaks, judge = _JUDGES[label.detection]
    stopped = any(_stops(one) and one.detector in speaks and _near(one, label) for one in found.end)
    return judge(label, found) and not (label.negative and stopped)


def _stops(finding: Finding) -> bool:
    return finding.level == "stop"


def _near(finding: Finding, label: Label) -> bool:
    """Whether the finding rests on places within the label's, or in reach of its detection at all."""
    first, last = label.lines
    return any(first <= spot.line <= last for spot in finding.places)


def _failed_write(label: Label, found: Reading) -> bool:
    if label.negative:
        return not found.snapshot.writes.outstanding
    there = [one for one in found.at(label.lines[1]) if one.detector == "failed_writes" and one.state == "open"]
    return any(one.subject.endswith(label.about.rpartition("/")[2]) for one in there)


def _repeat(label: Label, found: Reading) -> bool:
    if label.negative:
        return not any(one.detector == "repeats" and rank(one.level) > 1 and _near(one, label) for one in found.end)
    stops = [one for one in found.end if one.detector == "repeats" and _stops(one)]
    return any(_near(one, label) for one in stops)


def _unwritten(label: Label, found: Reading) -> bool:
    return any(one.detector == "scripts" and one.level == "warn" and _near(one, label) for one in found.end)


def _done(label: Label, found: Reading) -> bool:
    del label
    return found.snapshot.verdict.state in ("claimed", "changed", "unchanged")


def _consent(label: Label, found: Reading) -> bool:
    return _repeat(label, found) and found.snapshot.writes.outstanding == 0


def _hook(label: Label, found: Reading) -> bool:
    told = [one for one in found.events if isinstance(one, Prompted) and one.place.line == label.lines[0]]
    return [one.by for one in told] == ["hook"]


def _outside(label: Label, found: Reading) -> bool:
    del label
    return any(one.detector == "folder" for one in found.end)


_JUDGES: dict[str, tuple[Sequence[str], Callable[[Label, Reading], bool]]] = {
    "failed-write": (("failed_writes",), _failed_write),
    "repeat loop": (LOOPS, _repeat),
    "repeat loop with changing result": (LOOPS, _repeat),
    "repeat loop, identical result": (LOOPS, _repeat),
    "repeat": (LOOPS, _repeat),
    "write that never happened": (("scripts",), _unwritten),
    "done claim": (DETECTORS, _done),
    "user denial then consent": (DETECTORS, _consent),
    "hook, not human": (DETECTORS, _hook),
    "cd outside": (("folder",), _outside),
}
"""Of each detection, the detectors that may not stop the agent where it is a false alarm, and its judge."""
