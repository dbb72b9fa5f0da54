"""How right the detectors are on the labelled logs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cases import AGENTS, CASES
from counts import by_detector, by_rule, logs, published
from other_rules import RULES

from monitor.events import DETECTORS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Every labelled log, read and judged."""
    return logs(tmp_path_factory.mktemp("labelled"))


@pytest.fixture(scope="module")
def text(made):
    """What is published of them."""
    return published(made)


def test_every_place_is_right(made):
    """What is to be said at each labelled place is said there, and not before."""
    wrong = [(log.story, log.pen.name, one) for log in made for one in log.verdicts if not one.right]
    assert wrong == []


def test_nothing_else_is_said(made):
    """No detector warns or stops where no label asks it to."""
    said = [(log.story, log.pen.name, one.key, one.level) for log in made for one in log.extra]
    assert said == []


def test_every_detector_has_places(made):
    """Each detector has places where it is to speak and places where it is to keep quiet."""
    places = [place for log in made for place in log.pen.places]
    assert {place.detector for place in places if place.level} == set(DETECTORS)
    assert {place.detector for place in places if not place.level} == set(DETECTORS)


def test_stories_are_told_in_many_formats(made):
    """Every story is told in some format, each format tells many, and each detector but the measured ones in three."""
    assert {log.story for log in made} == {one.name for one in CASES}
    for pen in AGENTS:
        assert sum(type(log.pen) is pen for log in made) >= 30, pen
    for detector in set(DETECTORS) - {"worktree", "outside_edits", "folder"}:
        assert len({log.pen.name for log in made if any(one.detector == detector for one in log.pen.places)}) >= 3


def test_counts_add_up(made):
    """Each place is counted once: right, missed, or a false alarm."""
    for count in by_detector(made).values():
        assert count.right + count.missed + count.false_alarms == count.places


def test_the_rules_of_others_are_computed(made):
    """Each rule of another agent's, and ours, has its counts on the same logs."""
    heard = by_rule(made)
    assert len(heard) == len(RULES) + 1
    assert len({(one.loops, one.others) for one in heard.values()}) == 1
    assert all(0 <= one.found <= one.loops and 0 <= one.false_alarms <= one.others for one in heard.values())


def test_the_readme_shows_the_tables(text):
    """The tables in the README are those that come out."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.split("<!-- accuracy -->")[1].split("<!-- /accuracy -->")[0].strip() == text


def test_one_command_prints_them(text):
    """`python tests/accuracy/table.py` prints the same tables, wherever it is called."""
    table = ROOT / "tests" / "accuracy" / "table.py"
    done = subprocess.run([sys.executable, str(table)], capture_output=True, text=True, cwd="/", check=True)
    assert text in done.stdout
