"""Prints how right the detectors are on labelled logs, and the rules of others on the same ones.

Run it from anywhere: `python tests/accuracy/table.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parents[1]


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


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    main()
