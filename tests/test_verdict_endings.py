"""What is said of a run by how it ended."""

from __future__ import annotations

import pytest
from verdict_evidence import DONE, ended, evidence

from monitor.events import Acted, Noticed, Prompted, RequestEnded, RunEnded, RunStarted, Said, SourceChanged, ToolCalled
from monitor.run.evidence import Idle
from monitor.run.run import Run
from monitor.run.verdict import judge
from monitor.snapshot import ActionFacts, RunFacts
from monitor.statuses import STATUSES, ending


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
