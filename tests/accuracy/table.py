"""Prints how right the detectors are on labelled logs, and the rules of others on the same ones.

Run it from anywhere: `python tests/accuracy/table.py`; with `public` it reads the public logs too, where they lie
beside the project.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parents[1]
CORPUS = TESTS.parents[1] / "shared" / "corpus"
"""Public logs, where they lie beside the project."""


def main() -> None:
    """All tables."""
    from counts import by_rule, logs, published

    with TemporaryDirectory() as folder:
        made = logs(Path(folder))
    for log in made:
        for verdict in log.verdicts:
            if not verdict.right:
                _tell(f"wrong: {log.story} ({log.pen.name}): {verdict}")
        for finding in log.extra:
            _tell(f"false alarm: {log.story} ({log.pen.name}): {finding.detector} {finding.level}: {finding.message}")
    _tell(f"{published(made)}\n")
    for name, heard in by_rule(made).items():
        _tell(f"{name} missed: {', '.join(heard.missed) or 'nothing'}")
    if "public" in sys.argv[1:] and CORPUS.is_dir():
        _public()


def _public() -> None:
    """The labels of public logs, the doubtful ones too, and every stop with the run it is in."""
    from corpus import done_rightly, holds, labels, loops, stops
    from counts import ours
    from other_rules import RULES, speaks

    for label in (*labels(CORPUS), *done_rightly(CORPUS)):
        said = "right" if holds(label, CORPUS) else "WRONG" if label.sure else "doubtful, and not so"
        _tell(f"{said}: {label.file}, {label.place}: {label.detection} {label.verdict}")
    runs = loops(CORPUS)
    for name, rule in ({"monitor": None} | RULES).items():
        spoke = [(looping, ours(one) if rule is None else speaks(rule(), one.events)) for one, looping in runs]
        right, wrong = (sum(said for looping, said in spoke if looping is which) for which in (True, False))
        _tell(f"{name}: {right} of {sum(loop for loop, _ in spoke)} loops, {wrong} false alarms in {len(spoke)} runs")
    found = stops(CORPUS)
    stopped = [run for run, findings in found.items() if findings]
    _tell(f"\n{sum(map(len, found.values()))} stops in {len(stopped)} of {len(found)} runs")
    for run in stopped:
        for finding in found[run]:
            places = "-".join(str(spot.line) for spot in finding.places[:1] + finding.places[-1:])
            _tell(f"{Path(run).name} {places}: {finding.message}")


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    main()
