"""How SWE-agent's trajectories end: what the model submitted, and what SWE-agent did by itself."""

from __future__ import annotations

import pytest
from swe_logs import decoded, document, of, step

from monitor.events import Prompted, RequestEnded, RunEnded, ToolCalled, ToolReturned
from monitor.run.run import Run
from monitor.statuses import ending


def test_a_submission_sent_back_is_a_claim_too():
    """Work that is submitted and sent back is claimed, and claimed again, in one request."""
    events = decoded(document(step("submit 'a'", "Wrong flag!"), step("submit 'b'", "")))
    assert [one.outcome for one in of(events, ToolReturned)] == ["failed", "ok"]
    assert [one.how for one in of(events, RequestEnded)] == ["answered", "answered"]
    assert len(of(events, Prompted)) == 1


@pytest.mark.parametrize(
    ("status", "how", "state"),
    [
        ("exit_cost", "limit", "stopped"),
        ("submitted (exit_cost)", "limit", "stopped"),
        ("submitted (exit_context)", "limit", "stopped"),
        ("exit_error", "error", "failed"),
        ("exit_forfeit", "refused", "done"),
        ("exit_something_new", "error", None),
    ],
)
def test_how_it_ended(status, how, state):
    """What SWE-agent submits by itself at a limit is no claim of the model's."""
    last = {"action": "exit_cost", "observation": "Exited (autosubmitted)", "response": "", "state": "{}"}
    events = decoded(document(step("ls"), last, status=status))
    assert [one.how for one in of(events, RequestEnded)] == [how]
    assert len(of(events, ToolCalled)) == 1
    assert ending("swe-agent", status) == state


@pytest.mark.parametrize(
    "last",
    [
        step("make && submit", "diff", words="I fixed it."),
        step("submit", "EXECUTION TIMED OUT", words="I fixed it."),
        step("exit", "Exited", words="I fixed it."),
    ],
)
def test_the_model_ended_it(last):
    """Work that was submitted by a line of the shell, or left with a word, is claimed once, in the last step's words."""
    status = "exit_command" if last["action"] == "exit" else "submitted"
    events = decoded(document(step("ls"), last, status=status))
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "I fixed it.")]


@pytest.mark.parametrize(("status", "words"), [("skipped", "Next."), ("exit_command", "")])
def test_an_end_without_a_claim(status, words):
    """Of a run that was skipped, or left without a word, nobody is said to have claimed anything."""
    last = step("exit", "Exited", words=words) | {"response": words}
    run = Run()
    events = decoded(document(step("ls"), last, status=status))
    for event in events:
        run.feed(event)
    assert not of(events, RequestEnded)
    assert [one.status for one in of(events, RunEnded)] == [status]
    assert run.snapshot().verdict.claimed_done is None
