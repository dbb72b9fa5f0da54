"""What pi's session files tell."""

from __future__ import annotations

import json

import pytest
from pi_logs import EDITED, NOT_FOUND, call, decoded, edit, of, reply, result, said, session, thought, user

from monitor.agents.pi.decode import PiDecoder
from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)
from monitor.run.run import Run


def folded(lines):
    run = Run()
    for event in decoded(lines):
        run.feed(event)
    return run.snapshot()


def test_a_session_from_its_task_to_its_claim():
    """The task, the thinking, a call with its result, what it cost, and the answer."""
    events = decoded(session(
        user("Mend a.py"),
        reply(thought("Hm."), edit()),
        result(EDITED, details={"diff": "-1 x\n+1 y\n+2 z"}),
        reply(said("Done."), stop="stop"),
    ))  # fmt: skip
    started = of(events, RunStarted)
    assert (started[0].agent, started[0].session, started[0].cwd) == ("pi", "01a2-b3", "/p")
    assert [(one.lag, one.deltas) for one in started if one.lag] == [("message", False)]
    assert [one.model for one in started if one.model] == ["m"]
    assert [(one.text, one.into) for one in of(events, Prompted)] == [("Mend a.py", "new")]
    assert [one.text for one in of(events, Thought)] == ["Hm."]
    (made,), (came,) = of(events, ToolCalled), of(events, ToolReturned)
    assert (made.kind, made.changes[0].old, made.changes[0].new) == ("write", "x", "y")
    assert (came.outcome, came.files[0].file, came.files[0].added, came.files[0].removed) == ("ok", "./a.py", 2, 1)
    assert [(one.tokens.input, one.cost) for one in of(events, Used)] == [(9, 0.5), (9, 0.5)]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done.")]
    assert of(events, Said)[0].at == 1_767_225_604.0


@pytest.mark.parametrize(
    ("text", "error", "name", "expected"),
    [
        (EDITED, False, "edit", ("ok", "", None)),
        (NOT_FOUND, True, "edit", ("failed", "not_found", None)),
        ("Found 2 occurrences of the text in ./a.py. The text must be unique.", True, "edit", ("failed", "ambiguous", None)),
        ("No changes made to ./a.py. The replacement produced identical content.", True, "edit", ("failed", "identical", None)),
        ("File not found: ./a.py", True, "edit", ("failed", "io", None)),
        ('Validation failed for tool "edit":\n  - path: must be string', True, "edit", ("failed", "arguments", None)),
        ("out", False, "bash", ("ok", "", 0)),
        ("out\n\nCommand exited with code 7", True, "bash", ("failed", "", 7)),
        ("out\n\nCommand aborted", True, "bash", ("cancelled", "", None)),
        ("out\n\nCommand timed out after 30 seconds", True, "bash", ("timed_out", "", None)),
        ("Skipped due to queued user message.", True, "bash", ("not_executed", "", None)),
        ("no such tool", True, "dance", ("failed", "other", None)),
    ],
)  # fmt: skip
def test_what_became_of_a_call(text, error, name, expected):
    """Pi's own sentences tell failures, exit codes and interruptions apart."""
    made = edit() if name == "edit" else call(name, command="make")
    (came,) = of(decoded(session(user("x"), reply(made), result(text, name, error=error))), ToolReturned)
    assert (came.outcome, came.failure, came.exit) == expected


def test_a_call_that_an_extension_blocked():
    """Where results tell how long they took, one that took no time at all was not let through."""
    events = decoded(session(
        user("x"),
        reply(call("bash", "c1", command="ls"), call("bash", "c2", command="rm -rf build")),
        result("a", "bash", "c1", durationMs=3),
        result("VETO: stop that", "bash", "c2", error=True),
    ))  # fmt: skip
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok", "refused"]


def test_edits_of_earlier_versions():
    """One old and one new text, beside each other."""
    old = call("edit", path="a", oldText="x", newText="y")
    assert [(one.old, one.new) for one in of(decoded(session(user("x"), reply(old))), ToolCalled)[0].changes] == [
        ("x", "y")
    ]


def test_failed_edits_stay_until_one_is_made():
    """The ledger of failed writes works on pi's edits."""
    failing = (user("x"), reply(edit()), result(NOT_FOUND, error=True), reply(said("Done."), stop="stop"))
    told = folded(session(*failing))
    assert (told.writes.outstanding, told.verdict.state, told.verdict.claimed_done) == (1, "not made", True)
    mended = (*failing[:3], reply(edit("c2")), result(EDITED, number="c2"), failing[3])
    assert folded(session(*mended)).writes.outstanding == 0


@pytest.mark.parametrize(
    ("message", "how"),
    [
        (reply(said("Half"), stop="aborted", errorMessage="Request was aborted."), "interrupted"),
        (reply(stop="error", errorMessage="429"), "error"),
        (reply(said("cut"), stop="length"), "answered"),
        (reply(stop="length"), "limit"),
    ],
)
def test_how_a_request_ended(message, how):
    """Interruptions, errors and limits are no claims; an answer that was cut off is kept."""
    assert [one.how for one in of(decoded(session(user("x"), message)), RequestEnded)] == [how]


def test_calls_of_a_reply_that_was_cut_off():
    """They were never made: nothing is outstanding because of them."""
    lines = session(user("x"), reply(edit(), stop="aborted"), user("y"), reply(said("Done."), stop="stop"))
    assert [one.partial for one in of(decoded(lines), ToolCalled)] == [True]
    assert folded(lines).writes.outstanding == 0


def test_an_empty_reply():
    """A reply with neither text nor call is empty, and ends nothing."""
    events = decoded(session(user("x"), reply(stop="stop")))
    assert [one.empty for one in of(events, ReplyEnded)] == [True]
    assert not of(events, RequestEnded)


def test_words_while_it_works():
    """What is said between a call and the answer belongs to the running request."""
    events = decoded(session(
        user("a"), reply(edit()), result(EDITED), user("Use tabs."), reply(said("Done."), stop="stop"), user("And b.py"),
    ))  # fmt: skip
    assert [one.into for one in of(events, Prompted)] == ["new", "running", "new"]


def test_a_branch():
    """An entry that follows another than the last one went back; what was done there was done."""
    lines = session(user("a"), reply(edit()), result(EDITED), reply(said("Done."), stop="stop"), user("b"))
    last = json.loads(lines[-1]) | {"parentId": "e1"}
    events = decoded([*lines[:-1], json.dumps(last).encode()])
    assert [one.name for one in of(events, Noticed)] == ["branch"]
    assert len(of(events, ToolReturned)) == 1


def test_a_fork_copies_what_is_older():
    """Entries older than a session that was split off another are that one's: marked, and not counted."""
    lines = session(user("a"), reply(said("Done."), stop="stop"), user("b"), number=3, parentSession="/s.jsonl")
    assert [one.copied for one in of(decoded(lines), Prompted)] == [True, False]
    assert not [one for one in decoded(session(user("a"), number=3)) if one.copied]


def test_other_entries():
    """Compactions, commands of the user's own and words of extensions are told; what says nothing is not unknown."""
    decoder = PiDecoder()
    events = decoded(
        session(
            {"type": "model_change", "modelId": "n"},
            {"type": "compaction", "summary": "So far"},
            {"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0},
            {"type": "custom_message", "content": "Mind the tests."},
            {"type": "label"},
            {"type": "later"},
        ),
        decoder,
    )
    assert [one.kind for one in of(events, Noticed)] == ["compaction", "status"]
    assert [one.by for one in of(events, Prompted)] == ["hook"]
    assert decoder.unknown_types == {"later": 1}


@pytest.mark.parametrize("line", [b"{", b"3", b"[]", b"{}", b'{"type": 3}', b"\xff"])
def test_what_is_no_record_is_unreadable(line):
    """A broken line is counted, not thrown, and the next is read."""
    events = decoded([*session(user("a")), line, *session(user("b"))[1:]])
    assert len(of(events, Unreadable)) == 1
    assert len(of(events, Prompted)) == 2
