"""What counts as a claim of done in a dirtywork run, and what is sent back."""

from __future__ import annotations

from dirtywork_logs import (
    decode,
    line,
    of,
    reply,
    result,
    start,
)

from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Used,
)

NOT_FOUND = "ERROR: old_string occurs 0 times in a.xml; it must occur exactly once. Include more surrounding context."
EDIT = {"path": "a.xml", "old_string": "app: Hello", "new_string": "app: Hi"}
REFUSED = "Not accepted as the end of the run: nothing in the worktree changed since this run started."
DONE = {"summary": "Renamed it."}


def end(status="completed", **fields):
    return line("run_end", status=status, turns=1, usage={"prompt_tokens": 10, "completion_tokens": 3}, **fields)


def test_failed_edits_and_a_false_claim():
    """Two edits that failed and an answer that says otherwise: refused once, claimed again, completed."""
    events = decode(
        start(),
        reply(("edit_file", EDIT)),
        result("edit_file", EDIT, NOT_FOUND),
        reply(text="The app is renamed."),
        line("nudge", kind="unchanged_finish", turn=2, via="user"),
        reply(text="The app is renamed."),
        end(changed=False, files_changed=[]),
    )
    (call,) = of(events, ToolCalled)
    (back,) = of(events, ToolReturned)
    assert back.call == call.call
    assert (back.outcome, back.failure, back.output) == ("failed", "not_found", NOT_FOUND)
    claims = of(events, RequestEnded)
    assert [(one.how, one.text) for one in claims] == [("answered", "The app is renamed.")] * 2
    nudge = of(events, Prompted)[1]
    assert (nudge.by, nudge.into) == ("harness", "running")
    assert [(one.when, one.changed) for one in of(events, TreeMeasured)] == [("claim", False), ("end", False)]
    assert of(events, RunEnded)[0].status == "completed"
    assert of(events, Used)[0].tokens == Tokens(input=10, output=3)


def test_a_finish_alone_is_the_claim_with_its_whole_summary():
    """A `finish` that stands alone claims at once, with the whole of its summary."""
    long = {"summary": "It is done. " * 60}
    events = decode(start(), reply(("finish", long)), result("finish", long, "run finished"), end())
    (claim,) = of(events, RequestEnded)
    assert claim.text == long["summary"]
    kinds = [type(one) for one in events]
    assert kinds.index(ReplyEnded) < kinds.index(RequestEnded) < kinds.index(ToolReturned)


def test_a_finish_beside_other_calls_claims_after_their_results():
    """What stands beside a `finish` is done before the claim counts, whichever comes first in the reply."""
    write = {"path": "a", "content": "x"}
    for calls in ((("write_file", write), ("finish", DONE)), (("finish", DONE), ("write_file", write))):
        said = {"write_file": "Wrote 1 bytes to a (new file, 1 line)", "finish": "run finished"}
        events = decode(start(), reply(*calls), *(result(tool, told, said[tool]) for tool, told in calls), end())
        kinds = [type(one) for one in events]
        assert kinds.count(RequestEnded) == 1
        assert kinds.index(RequestEnded) > len(kinds) - 1 - kinds[::-1].index(ToolReturned)
        assert of(events, RequestEnded)[0].text == "Renamed it."


def test_a_finish_that_did_not_get_through_claims_nothing():
    """Arguments that dirtywork does not take, or a reply cut off, are no claim of done."""
    for stop, told, said in (
        (None, '{"summary": 7}', "ERROR: argument 'summary' has an invalid type"),
        (None, '{"summary": "x', "ERROR: arguments could not be parsed: malformed tool arguments"),
        ("length", '{"summary": "x', "ERROR: your finish call was cut off at the --max-tokens cap of 9 tokens"),
        ("length", "{}", "ERROR: your finish call was cut off at the --max-tokens cap of 9 tokens"),
    ):
        events = decode(start(), reply(("finish", told), stop=stop), result("finish", told, said))
        assert of(events, RequestEnded) == [], told


def test_a_refused_finish_is_told_to_the_model():
    """A `finish` that is sent back sets the agent to work again, in the harness's own words."""
    events = decode(
        start(),
        reply(("finish", DONE)),
        result("finish", DONE, REFUSED),
        line("nudge", kind="unchanged_finish", turn=1, via="tool_result"),
    )
    assert [type(one) for one in events[-4:]] == [ToolReturned, Prompted, Noticed, TreeMeasured]
    assert of(events, ToolReturned)[0].outcome == "refused"
    assert of(events, Prompted)[-1].text == REFUSED


def test_empty_and_cut_off_replies():
    """A reply with nothing in it is empty; one cut off says so, and neither is an answer."""
    events = decode(
        start(),
        reply(placeholder="[empty reply]"),
        line("nudge", kind="empty", turn=1, via="user"),
        reply(stop="length", text="The app is"),
        line("nudge", kind="truncated", turn=2, via="user"),
    )
    ends = of(events, ReplyEnded)
    assert [(one.stop, one.empty) for one in ends] == [("end", True), ("length", False)]
    assert of(events, RequestEnded) == []
    assert [one.by for one in of(events, Prompted)] == ["user", "harness", "harness"]


def test_a_reply_of_malformed_calls_alone_is_not_empty():
    """It held calls that nobody could address, as its reason to stop tells."""
    (ended,) = of(decode(reply(stop="tool_calls", placeholder="[empty reply]")), ReplyEnded)
    assert not ended.empty


def test_thinking_written_into_the_answer_is_told_apart():
    """Thinking between its tags is thinking; a reply of thinking alone is no answer."""
    both = decode(reply(text="<think>Which file?</think>\n\nDone."))
    assert [(type(one), one.text) for one in of(both, Thought, Said)] == [(Thought, "Which file?"), (Said, "Done.")]
    assert of(both, RequestEnded)[0].text == "Done."
    alone = decode(reply(text="<think>Which file?"))
    assert of(alone, RequestEnded) == []
    assert of(alone, ReplyEnded)[0].empty


def test_a_call_written_as_text_is_no_answer():
    """Dirtywork sends such a reply back, so it claims nothing."""
    for text in ('{"name": "bash", "arguments": {}}', "<tool_call>bash", "call_function_bash"):
        assert of(decode(reply(text=text)), RequestEnded) == []
    assert len(of(decode(reply(text="It says {name} and [arguments]")), RequestEnded)) == 1


def test_a_text_cut_in_the_log_is_marked():
    """The log keeps 64,000 characters of a reply and says so at the end."""
    note = "\n[truncated at 64000 chars in the transcript only — the full text was sent to the model]"
    (said,) = of(decode(reply(text="x" * 64_000 + note)), Said)
    assert said.cut
