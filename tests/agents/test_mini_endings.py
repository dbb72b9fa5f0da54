"""How mini-swe-agent's trajectories end: what was submitted, and what only looks like it."""

from __future__ import annotations

import json

import pytest
from mini_logs import DONE, HEAD, MARKER, SUBMIT, asked, decoded, document, heard, of, reply, seen, tool

from monitor.events import Prompted, RequestEnded, RunEnded, ToolCalled, ToolReturned
from monitor.run.run import Run

LOST = {"exception_info": "action was not executed"}
MORE = {"role": "user", "content": "The user added a new task: more", "extra": {"interrupt_type": "UserNewTask"}}
NO = "Commands not executed. The user rejected your commands with the following message: no"


def test_a_bare_list_of_messages():
    """Without what stands around them, messages that end on a submission are a claim without a status."""
    events = decoded(json.dumps([*HEAD, *DONE]).encode())
    assert [one.how for one in of(events, RequestEnded)] == ["answered"]
    assert not of(decoded(json.dumps([*HEAD, *DONE[:2]]).encode()), RequestEnded)


@pytest.mark.parametrize(
    ("commands", "answer"),
    [
        ((f"pytest && {SUBMIT}",), seen("2 failed", 1)),
        ((f"grep -r {MARKER} .",), seen(f"./a.py:{MARKER}")),
        ((SUBMIT,), heard("Command not executed. The user rejected your command with the following message: no")),
        ((SUBMIT,), heard("Interrupted by user: stop")),
        ((SUBMIT,), heard("The user added a new task: more")),
        ((SUBMIT, SUBMIT), heard("Only one.")),
        ((SUBMIT,), {"role": "tool", "content": "out", "extra": {"returncode": 0}}),
    ],
)  # fmt: skip
def test_a_bare_list_that_did_not_submit(commands, answer):
    """A command that only names the mark of a submission, failed or was refused ends no run."""
    events = decoded(json.dumps([*HEAD, reply(*commands), answer]).encode())
    assert not of(events, RunEnded)


@pytest.mark.parametrize(
    ("status", "how"),
    [
        ("LimitsExceeded", "limit"),
        ("KeyboardInterrupt", "interrupted"),
        ("APIError", "error"),
        ("Submitted", "answered"),
    ],
)
def test_how_it_ended(status, how):
    """Limits, interruptions and errors are no claims; an exception this version does not know is an error."""
    events = decoded(document(reply("ls"), seen(), heard("boom"), status=status, submission="boom"))
    assert [one.how for one in of(events, RequestEnded)] == [how]


def test_the_submission_of_the_second_version():
    """The command that submits is not told as run, but the exit that follows says so."""
    leave = {"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": "diff"}}
    events = decoded(document(asked(SUBMIT), tool("c0", -1, **LOST), leave))
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok"]
    assert [one.how for one in of(events, RequestEnded)] == ["answered"]


@pytest.mark.parametrize(
    "before", [[reply(SUBMIT, words="Done.")], [asked("ls", SUBMIT), tool("c0"), tool("c1", -1, **LOST)]]
)
def test_a_new_task_instead_of_an_end(before):
    """Where a person gives a new task when the agent has submitted, that was a claim, and a new request begins."""
    events = decoded(document(*before, MORE, reply("make")))
    told = of(events, ToolReturned, RequestEnded, Prompted)[-3:]
    assert [type(one) for one in told] == [ToolReturned, RequestEnded, Prompted]
    assert (told[0].outcome, told[1].how, told[2].text, told[2].into) == ("ok", "answered", "more", "new")
    assert {one.call for one in of(events, ToolReturned)} == {one.call for one in of(events, ToolCalled)[:-1]}


def test_a_new_task_while_the_agent_works():
    """A task that comes when nothing was submitted, or what only names the mark has its result, is no claim."""
    events = decoded(document(reply(f"grep {MARKER} a"), seen(), MORE, reply("ls"), seen(), MORE))
    assert [one.text for one in of(events, Prompted)] == ["Mend a.py", "more", "more"]
    assert not of(events, RequestEnded)


def test_a_submission_that_a_person_refused():
    """The second version writes that a refused submission was not executed; the person's no tells what became of it."""
    refusal = heard(NO, interrupt_type="UserRejection")
    (told,) = of(decoded(document(asked(SUBMIT), tool("c0", -1, **LOST), refusal)), ToolReturned)
    assert told.outcome == "corrected"


def test_of_two_submissions_the_first_ends_the_run():
    """What stands behind a command that submits is not said to have run."""
    leave = {"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": ""}}
    events = decoded(document(asked(SUBMIT, f"make; {SUBMIT}"), leave))
    (told,) = of(events, ToolReturned)
    assert told.call == of(events, ToolCalled)[0].call


@pytest.mark.parametrize(
    "patch", ["diff --git a/a.py b/a.py\n+# We could not find out", "--- a.py\n+++ b.py\n+Is it so?"]
)
def test_a_patch_says_nothing_of_itself(patch):
    """Work that is submitted without a word is a claim, whatever words stand in the patch."""
    leave = {"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": patch}}
    run = Run()
    for event in decoded(document(asked(SUBMIT), leave)):
        run.feed(event)
    assert run.snapshot().verdict.claimed_done
