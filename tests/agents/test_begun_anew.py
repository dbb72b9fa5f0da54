"""Where one run writes its document over another's."""

from __future__ import annotations

import atif_logs
import mini_logs
import pytest
import swe_logs

from monitor.events import Noticed, Prompted
from monitor.run.run import Run

EDIT = "edit 1:1\nx\nend_of_edit"
FAILED, LISTED, DONE = (
    swe_logs.step(EDIT, swe_logs.LINT),
    swe_logs.step("ls", "a"),
    swe_logs.step("submit", "diff", words="Done."),
)
FIRST, OTHER = mini_logs.reply("make"), mini_logs.reply("ls")
OUT, END = mini_logs.seen("x", 1), (mini_logs.reply(mini_logs.SUBMIT, words="Done."), mini_logs.heard("diff"))


def harbor(*commands):
    steps = [
        atif_logs.step(at, message="Done." if one is None else "Next.")
        | ({} if one is None else {"tool_calls": atif_logs.calls(("Bash", {"command": one}))})
        for at, one in enumerate(commands, 2)
    ]
    return atif_logs.document(*steps, agent="other")


RUNS = {
    "swe": (
        swe_logs.decoded,
        swe_logs.document(FAILED, DONE),
        swe_logs.document(LISTED, status=None),
        swe_logs.document(LISTED, FAILED, DONE),
    ),
    "mini": (
        mini_logs.decoded,
        mini_logs.document(FIRST, OUT, *END, status="Submitted"),
        mini_logs.document(OTHER, OUT),
        mini_logs.document(OTHER, OUT, *END, status="Submitted"),
    ),
    "atif": (atif_logs.decoded, harbor("make", None), harbor("ls"), harbor("ls", None)),
}
"""How it is read, a run to its end, and another of the same task: its first step, and to its end."""


def folded(events):
    run = Run()
    for event in events:
        run.feed(event)
    return run.snapshot()


def notices(events):
    return [one.text for one in events if isinstance(one, Noticed) and one.name == "rewritten"]


@pytest.mark.parametrize("agent", RUNS)
def test_a_run_that_begins_in_the_same_document_is_a_request_of_its_own(agent):
    """What it claims is its own first claim, what it repeats of the run before is no repeat, and it is said that it begins."""
    read, first, begun, whole = RUNS[agent]
    events = read(first, begun, whole)
    seen = folded(events)
    assert [one.request for one in seen.claims] == [1, 2]
    assert not [one for one in seen.findings if one.detector == "repeats"]
    assert notices(events) == ["the log was rewritten: a run begins in it anew"]


@pytest.mark.parametrize("agent", RUNS)
def test_a_run_looked_at_only_when_it_was_over_is_told_the_same(agent):
    """Whether its beginning was seen or not, a run that was written over another is told once, and whole."""
    read, first, begun, whole = RUNS[agent]
    slow, quick = (
        (seen.run.requests, seen.run.calls, [(one.text, one.state, one.request) for one in seen.claims])
        for seen in (folded(read(first, begun, whole)), folded(read(first, whole)))
    )
    assert slow == quick


def test_a_run_that_goes_back_by_a_step_begins_nothing():
    """Where the first step still stands the log went back, and the task is not told again."""
    first = swe_logs.document(LISTED, FAILED, status=None)
    events = swe_logs.decoded(first, swe_logs.document(LISTED, DONE))
    assert notices(events) == ["the log was rewritten: it went back to an earlier point"]
    assert len([one for one in events if isinstance(one, Prompted)]) == 1
