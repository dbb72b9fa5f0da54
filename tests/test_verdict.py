"""What is said of a run, from what was claimed and what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from verdict_evidence import DONE, ended, evidence

from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.events import Coverage
from monitor.findings import Finding, Spot
from monitor.run.evidence import Idle
from monitor.run.verdict import ORDER, judge

FAILED = FailedWrite(Spot(3, 0, 4), "c1", "edit_file", "failed", "not_found", "old text not found")
ENTRY = FileEntry("/p/app/strings.xml", "app/strings.xml", outstanding=True, failures=(FAILED,), count=2)
OUTSTANDING = WritesView(entries=(ENTRY,), outstanding=1, failed=2)
CHANGED = WorktreeView(changed=True, since_start=True, by="monitor", files=(ChangedFile("a.py"),), measured=2)
SAME = WorktreeView(changed=False, since_start=False, by="monitor", measured=2)


def test_running():
    """A run at work needs nobody."""
    verdict = judge(evidence())
    assert (verdict.state, verdict.claimed_done, verdict.since_what) == ("running", None, "last event")


def test_not_made():
    """Done is claimed with a write outstanding: not made, and the files are named."""
    verdict = judge(evidence(idle=DONE, writes=OUTSTANDING))
    assert verdict.state == "not made"
    assert verdict.reason == "1 write outstanding: strings.xml"
    nameless = WritesView(entries=(replace(ENTRY, key="", file=""),), outstanding=1)
    assert judge(evidence(idle=DONE, writes=nameless)).reason == "1 write outstanding: unnamed"
    assert (verdict.claimed_done, verdict.since, verdict.since_what) == (True, 50.0, "claimed done")


def test_before_a_claim_an_outstanding_write_is_a_fact():
    """While the agent works, an outstanding write does not change the state."""
    assert judge(evidence(writes=OUTSTANDING)).state == "running"


def test_not_made_at_the_end():
    """A run that ended with a write outstanding is not made, claim or no claim."""
    verdict = judge(ended("completed", writes=OUTSTANDING))
    assert (verdict.state, verdict.claimed_done) == ("not made", None)


def test_could_not_keeps_not_made():
    """Saying that it could not keeps `not made`, with claimed_done false."""
    verdict = judge(evidence(idle=Idle("could not", "I could not edit it.", 50.0), writes=OUTSTANDING))
    assert (verdict.state, verdict.claimed_done) == ("not made", False)


def test_unchanged_beside_not_made():
    """Both hold when nothing changed and a write is outstanding; the graver one is the state."""
    verdict = judge(evidence(idle=DONE, writes=OUTSTANDING, worktree=SAME))
    assert (verdict.state, verdict.also) == ("not made", ("unchanged",))


def test_unchanged():
    """Done is claimed, and nothing changed."""
    assert judge(evidence(idle=DONE, worktree=SAME)).state == "unchanged"
    since = judge(evidence(idle=DONE, worktree=replace(SAME, since_feedback=True))).reason
    assert since == "Done is claimed, and nothing changed since your feedback"


def test_claimed():
    """A claim that could not be measured says why."""
    verdict = judge(evidence(idle=DONE))
    assert verdict.state == "claimed"
    assert "no project folder is known" in verdict.reason


def test_a_blind_source_never_makes_changed():
    """Where failed writes cannot show, a changed folder is not enough."""
    verdict = judge(evidence(idle=DONE, worktree=CHANGED, coverage={"failed_writes": Coverage("none", "no results")}))
    assert verdict.state == "claimed"
    assert "no results" in verdict.reason


def test_changed():
    """Done is claimed, nothing outstanding, something changed."""
    verdict = judge(evidence(idle=DONE, worktree=CHANGED))
    assert (verdict.state, verdict.reason) == ("changed", "Done is claimed, nothing outstanding, 1 file changed")


def test_waiting():
    """A pending approval is named, with the time since when."""
    verdict = judge(evidence(waiting="Asks to run: rm -rf build", waiting_since=40.0))
    assert (verdict.state, verdict.since, verdict.since_what) == ("waiting", 40.0, "waits")
    assert judge(evidence(idle=Idle("asked", "Which file?", 50.0))).reason == "It asks you: Which file?"


def test_gone():
    """A log that ends in a call over a dead process is unknown, and says both."""
    verdict = judge(evidence(gone="the agent's process is gone", process_gone=True, open_call=True))
    assert (verdict.state, verdict.reason) == ("unknown", "The log ends in a call, and its process is gone")


@pytest.mark.parametrize(
    ("hands", "more", "told"),
    [
        (["agent", "shell"], 1, ""),
        (["outside"], 0, ", last from outside"),
        (["agent", "outside"], 0, ", 1 of them last from outside"),
        (["unknown", "unknown"], 1, ", all by a hand that is not known"),
        (
            ["agent", "outside", "unknown"],
            997,
            ", 499 of them last from outside, 500 of them by a hand that is not known",
        ),
    ],
)
def test_whose_changes_they_were(hands, more, told):
    """A change that is not the run's own, or of which nobody knows whose it is, is not passed off as the run's."""
    files = tuple(ChangedFile(f"{at}.py", by, also="agent") for at, by in enumerate(hands))
    reason = judge(
        evidence(idle=DONE, worktree=replace(CHANGED, files=files, more=more, more_outside=more // 2))
    ).reason
    assert reason.partition("changed")[2] == told


def test_blocked_and_looping():
    """Findings at stop level make their states; notes do not."""
    site = Finding("sites", "dl.example.org", "stop", "all 5 different calls to it failed")
    loop = Finding("thinking", "1", "stop", "it repeats itself")
    verdict = judge(evidence(findings=(site, loop)))
    assert (verdict.state, verdict.also) == ("blocked", ("looping",))
    assert judge(evidence(findings=(replace(site, level="warn"), replace(loop, state="cleared")))).state == "running"


def test_provisional():
    """While a sub-agent runs or a measurement is pending, the verdict says so; of a log that has ended nothing runs."""
    assert judge(evidence(idle=DONE, children=1)).why_provisional == "1 sub-agent still running"
    gone = judge(evidence(idle=DONE, children=5, gone="the log ends here"))
    assert gone.why_provisional == "no end was seen of 5 sub-agents"
    assert judge(evidence(idle=DONE, worktree=replace(CHANGED, pending=True))).provisional


def test_nothing_read():
    """Before anything was read the state is unknown."""
    assert judge(evidence(begun=False)).state == "unknown"


def test_the_order_is_complete():
    """Every state has its weight."""
    assert len(set(ORDER)) == 12


def test_unreadable_records_may_hide_a_failed_write():
    """Where records could not be read, a changed folder is a claim, not more."""
    verdict = judge(evidence(idle=DONE, worktree=CHANGED, unreadable=2))
    assert verdict.state == "claimed"
    assert "2 records could not be read" in verdict.reason


def test_a_long_silence_is_not_called_running():
    """A run nobody knows to be alive is unknown after half an hour of silence; a living one still runs."""
    silent = judge(evidence(now=60.0 + 3 * 86_400))
    assert (silent.state, silent.reason) == (
        "unknown",
        "Nothing new for 3 days, and nothing tells whether its process still runs",
    )
    assert judge(evidence(now=60.0 + 3 * 86_400, alive=True)).state == "running"
    assert judge(evidence(now=100.0)).state == "running"
