"""What is said of a run, from what was claimed and what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry, WritesView
from monitor.events import (
    Acted,
    Coverage,
    Noticed,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    ToolCalled,
)
from monitor.evidence import Evidence, Idle
from monitor.findings import Finding, Spot
from monitor.run import Run
from monitor.snapshot import ActionFacts, RunFacts
from monitor.statuses import STATUSES, ending
from monitor.verdict import ORDER, judge

FAILED = FailedWrite(Spot(3, 0, 4), "c1", "edit_file", "failed", "not_found", "old text not found")
ENTRY = FileEntry("/p/app/strings.xml", "app/strings.xml", outstanding=True, failures=(FAILED,), count=2)
OUTSTANDING = WritesView(entries=(ENTRY,), outstanding=1, failed=2)
DONE = Idle("answered", "Done.", 50.0)
CHANGED = WorktreeView(changed=True, since_start=True, by="monitor", files=(ChangedFile("a.py"),), measured=2)
SAME = WorktreeView(changed=False, since_start=False, by="monitor", measured=2)


def evidence(**parts):
    start = Evidence(
        run=RunFacts(agent="dirtywork", last=60.0),
        idle=None,
        writes=WritesView(),
        worktree=WorktreeView(reason="no project folder is known"),
        findings=(),
        coverage={},
        begun=True,
    )
    return replace(start, **parts)


def ended(status, **parts):
    run = replace(RunFacts(agent="dirtywork", last=60.0), over=True, status=status, ended=61.0)
    return evidence(run=run, **parts)


def test_running():
    """A run at work needs nobody."""
    verdict = judge(evidence())
    assert (verdict.state, verdict.claimed_done, verdict.since_what) == ("running", None, "last event")


@pytest.mark.parametrize("by", ["operator", "policy"])
def test_a_run_that_was_ended_by_hand(by):
    """Killed by the operator or a policy, it is aborted though its log has no end; a new prompt begins anew."""
    run = Run()
    for event in (RunStarted(agent="lcode"), Prompted(text="x"), ToolCalled(call="1", tool="bash")):
        run.feed(event)
    run.feed(Acted(id="1", action="abort", by=by, receipt="delivered"))
    assert run.snapshot().verdict.state == "running"
    run.feed(Acted(id="1", action="abort", by=by, receipt="done"))
    run.feed(SourceChanged(what="gone", text="the agent's process is gone"))
    verdict = run.snapshot().verdict
    assert (verdict.state, verdict.reason) == ("aborted", f"Ended by the {by} before it was done")
    run.feed(Prompted(text="again"))
    assert run.snapshot().verdict.state != "aborted"
    done = ActionFacts("1", "abort", by, "done")
    assert judge(evidence(abort=done, idle=DONE)).state != "aborted", "it had claimed to be done before"
    assert judge(ended("completed", abort=done)).state != "aborted", "its own word for its end is better"


RULE = "repeats at stop: the same command failed 4 times"


@pytest.mark.parametrize(
    "end", [(RequestEnded(how="interrupted"),), (RunEnded(status="interrupted"),), (RunEnded(status="", exit=-2),)]
)
def test_a_run_that_a_policy_ended_says_so(end):
    """However the agent words that it was interrupted, the reason is the policy's, with the name of its rule."""
    run = Run()
    for event in (RunStarted(agent="lcode"), Prompted(text="x"), ToolCalled(call="1", tool="bash")):
        run.feed(event)
    for receipt in ("queued", "delivered"):
        run.feed(Acted(id="1", action="abort", by="policy", receipt=receipt, text=RULE))
    for event in end:
        run.feed(event)
    run.feed(Acted(id="1", action="abort", by="policy", receipt="done", text=RULE))
    verdict = run.snapshot().verdict
    assert (verdict.state, verdict.reason) == ("aborted", f"Ended by the policy before it was done ({RULE})")


@pytest.mark.parametrize("receipts", [(), ("queued",), ("queued", "failed"), ("delivered", "failed")])
def test_an_abort_that_reached_nobody_ended_nothing(receipts):
    """Where no abort arrived, somebody else has interrupted the run, and nobody is named."""
    run = Run()
    for event in (RunStarted(agent="lcode"), Prompted(text="x")):
        run.feed(event)
    for receipt in receipts:
        run.feed(Acted(id="1", action="abort", by="policy", receipt=receipt, text=RULE))
    run.feed(RunEnded(status="interrupted"))
    assert run.snapshot().verdict.reason == "Interrupted before it was done"


def test_a_rule_of_any_length():
    """What a rule says is cut, and of an abort by the operator his reason is not told as a rule."""
    told = judge(ended("interrupted", abort=ActionFacts("1", "abort", "policy", "done", text="long\n" * 100)))
    assert "\n" not in told.reason
    assert len(told.reason) < 220
    told = judge(ended("interrupted", abort=ActionFacts("1", "abort", "operator", "done", text="enough")))
    assert told.reason == "Ended by the operator before it was done"


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


@pytest.mark.parametrize(
    ("agent", "status"), [(agent, status) for agent, table in STATUSES.items() for status in table]
)
def test_every_status_leads_to_a_state(agent, status):
    """Each agent's own status gives the state its table names, or an ordinary end."""
    run = RunFacts(agent=agent, over=True, status=status, ended=61.0, last=60.0)
    verdict = judge(evidence(run=run))
    told = ending(agent, status)
    assert verdict.state == ("unknown" if told in ("done", "running") else told)
    assert verdict.reason


def test_a_status_nobody_knows():
    """A status this version does not know is unknown, and named."""
    verdict = judge(ended("exploded"))
    assert verdict.state == "unknown"
    assert "exploded" in verdict.reason


@pytest.mark.parametrize(("how", "state"), [("error", "failed"), ("interrupted", "aborted"), ("limit", "stopped")])
def test_how_a_request_ended(how, state):
    """An error, an interruption and a limit are states of their own, with the text that came with them."""
    assert judge(evidence(idle=Idle(how, "API overloaded (529)", 50.0))).state == state


def test_waiting():
    """A pending approval is named, with the time since when."""
    verdict = judge(evidence(waiting="Asks to run: rm -rf build", waiting_since=40.0))
    assert (verdict.state, verdict.since, verdict.since_what) == ("waiting", 40.0, "waits")
    assert judge(evidence(idle=Idle("asked", "Which file?", 50.0))).reason == "It asks you: Which file?"


def test_gone():
    """A log that ends in a call over a dead process is unknown, and says both."""
    verdict = judge(evidence(gone="the agent's process is gone", process_gone=True, open_call=True))
    assert (verdict.state, verdict.reason) == ("unknown", "The log ends in a call, and its process is gone")


def test_blocked_and_looping():
    """Findings at stop level make their states; notes do not."""
    site = Finding("sites", "dl.example.org", "stop", "every different call to it failed")
    loop = Finding("thinking", "1", "stop", "it repeats itself")
    verdict = judge(evidence(findings=(site, loop)))
    assert (verdict.state, verdict.also) == ("blocked", ("looping",))
    assert judge(evidence(findings=(replace(site, level="warn"), replace(loop, state="cleared")))).state == "running"


def test_provisional():
    """While a sub-agent runs or a measurement is pending, the verdict says so."""
    assert judge(evidence(idle=DONE, children=1)).why_provisional == "1 sub-agent still running"
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


def circled(*after):
    """A run whose guard dropped a reply, and what came after; then its log ends."""
    run = Run()
    told = (
        Prompted(text="Mend it"),
        Noticed(kind="guard", name="circles", text="Your last reply went round in circles"),
        Prompted(text="Your last reply went round in circles", by="harness", into="running"),
        *after,
        SourceChanged(what="end", text="the log was read to its end"),
    )
    for event in told:
        run.feed(event)
    return run.snapshot().verdict.state


def test_a_log_that_ends_with_the_guards_note_loops():
    """The note is the agent's own word for it; whatever the agent did after it, it no longer is the last."""
    assert circled() == "looping"
    assert circled(Said(text="It is this.", message="m"), RequestEnded(how="answered", text="It is this.")) != "looping"
    assert circled(ToolCalled(call="1", tool="ls", kind="shell", command="ls")) == "unknown"
    assert circled(Prompted(text="Try again")) == "unknown"
