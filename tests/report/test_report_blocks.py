"""The sections of repeats, replies, folder, scripts, tests, stalls and outside edits, as text and as Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

import pytest
from made_snapshots import LOG, TROUBLE, without

from monitor.detectors import tests_view
from monitor.events import DETECTORS, Coverage
from monitor.findings import Finding, Spot
from monitor.report import as_markdown, as_text
from monitor.report.blocks import blocks
from monitor.report.build import build
from monitor.snapshot import Snapshot


def flat(text):
    return re.sub(r"\s+", " ", text.replace("`", ""))


def forms(snapshot):
    report = build(snapshot, [LOG])
    return flat(as_text.render([report])), flat(as_markdown.render([report]))


@pytest.mark.parametrize(
    "words",
    [
        "Repeats: 1",
        "STOP same failing command x4: make test",
        "Replies without an answer: 1 empty, 2 cut off",
        "Outside the project: 1 time",
        "wrote in /srv/copy",
        "Scripts written: 2, 1 run since",
        "build.sh: not run since; last edited",
        "try.sh: run: make try, through Makefile; last edited",
        "Last test: before the last edit",
        "test: pytest -q",
        "edit: texts.py",
        "Stalls: 1",
        "NOTE The model has said nothing for 2 min (cleared)",
        "Outside edits: 1",
        "README.md: the agent then wrote over it",
    ],
)
def test_each_detector_has_its_section(words):
    """What was counted stands under a title of its own, in both forms."""
    for text in forms(TROUBLE):
        assert words in text


def test_the_places_that_prove_it_stand_beside():
    """First and last place of a repeat, the edit and the test, each by file and line."""
    for text in forms(TROUBLE):
        assert "make test at session.jsonl:5, session.jsonl:10" in text.replace(", at ", " at ")
        assert "session.jsonl:16" in text
        assert "session.jsonl:17" in text


def test_nothing_found_is_said_where_it_could_be_seen():
    """An empty run says none of each, and that no test was run; it does not say that tests are fresh."""
    for text in forms(replace(Snapshot(), seq=3)):
        for words in ("Repeats: none", "Replies without an answer: none", "Outside the project: never", "Stalls: none"):
            assert words in text
        assert "Scripts written: none" in text
        assert "Last test: none was run" in text


def test_what_could_not_be_seen_is_not_called_none():
    """A source that shows nothing of it: not measured, and why; what was found all the same stays."""
    blind = MappingProxyType({name: Coverage("none", "it is not in this log") for name in DETECTORS})
    for text in forms(replace(Snapshot(), seq=3, coverage=blind)):
        for title in (
            "Repeats",
            "Replies without an answer",
            "Outside the project",
            "Scripts written",
            "Last test",
            "Stalls",
        ):
            assert f"{title}: not measured" in text
        assert text.count("it is not in this log") >= 6
    told = Finding("replies", "no answer", "warn", "2 replies without an answer")
    for text in forms(without(coverage=blind, findings=(told,))):
        assert "Repeats: 1" in text
        assert "Replies without an answer: not counted" in text
        assert "WARN 2 replies without an answer" in text
    partly = MappingProxyType({"repeats": Coverage("partial", "results are cut")})
    for text in forms(without(coverage=partly)):
        assert "nly partly seen: results are cut" in text


@pytest.mark.parametrize(
    ("view", "title", "rows"),
    [
        (tests_view.TestsView(), "Last test: none was run", 0),
        (tests_view.TestsView(Spot(4, 0, 5), None), "Last test: none was run", 0),
        (tests_view.TestsView(None, Spot(4, 0, 5), False, command="make test"), "Last test: nothing was edited", 1),
        (tests_view.TestsView(Spot(3, 0, 4), Spot(4, 0, 5), False), "Last test: after the last edit", 2),
        (tests_view.TestsView(Spot(5, 0, 6), Spot(4, 0, 5), True), "Last test: before the last edit", 2),
    ],
)
def test_what_is_said_of_tests(view, title, rows):
    """Before, after, none: never more than what was seen."""
    found = {block.title: block for block, _ in blocks(build(without(tests=view), []))}
    assert len(found[title].rows) == rows
