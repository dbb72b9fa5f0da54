"""A session's transcript."""

from __future__ import annotations

import pytest
from claude_lines import SESSION, assistant, decode, of, only, prompt, result, row, text, thinking, use

from monitor.events import (
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
)


def test_a_request_from_its_prompt_to_its_answer():
    """A prompt, thinking, a call with its result and an answer come out in this order, with their texts."""
    events = decode(
        prompt("say hi"),
        assistant(thinking("I must read."), stop="tool_use", apiBlockIndex=0),
        assistant(use("t1", "Read", file_path="/home/dev/app/a.py"), stop="tool_use", apiBlockIndex=1),
        result("t1", "1\tprint()"),
        assistant(text("Done."), mid="m2", stop="end_turn"),
    )
    assert [type(event).__name__ for event in of(events, Prompted, Thought, ToolCalled, ToolReturned, Said)] == [
        "Prompted", "Thought", "ToolCalled", "ToolReturned", "Said",
    ]  # fmt: skip
    assert only(events, Thought).text == "I must read."
    call = only(events, ToolCalled)
    assert (call.kind, call.paths, call.message) == ("read", ("/home/dev/app/a.py",), "m1")
    assert call.arguments == '{"file_path": "/home/dev/app/a.py"}'
    back = only(events, ToolReturned)
    assert (back.call, back.message, back.outcome, back.output) == ("t1", "m1", "ok", "1\tprint()")
    ended = only(events, RequestEnded)
    assert (ended.how, ended.text, ended.place) == ("answered", "Done.", only(events, Said).place)


def test_what_the_source_is_stands_first():
    """The run's session, version, folder and model are told once, with the lag and what cannot be seen."""
    events = decode(prompt("go"), assistant(text("a"), mid="m1"), assistant(text("b"), mid="m2"))
    first, second = of(events, RunStarted)
    assert (first.agent, first.session, first.version, first.cwd) == ("claude", SESSION, "2.1.332", "/home/dev/app")
    assert (first.lag, first.deltas, first.coverage["thinking"].sees) == ("message", False, "partial")
    assert (second.model, second.session, second.coverage) == ("claude-opus-5-5", "", {})


def test_a_reply_is_told_complete_once_and_its_usage_once():
    """Each line of a message repeats its usage and stop reason; both count once."""
    usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 33,
             "output_tokens_details": {"thinking_tokens": 8}}  # fmt: skip
    events = decode(
        assistant(thinking("hm"), stop="tool_use", usage=usage),
        assistant(use("t1", "Bash", command="ls"), stop="tool_use", usage=usage),
        assistant(use("t2", "Bash", command="pwd"), stop="tool_use", usage=usage),
        result("t1", "a"),
        result("t2", "b"),
    )
    used = only(events, Used)
    assert (used.tokens, used.key, used.context_used) == (Tokens(10, 33, 90, 0, 8), "m1", 100)
    reply = only(events, ReplyEnded)
    assert (reply.message, reply.stop, reply.raw, reply.empty) == ("m1", "tools", "tool_use", False)


def test_parts_keep_their_numbers():
    """The blocks of a message are numbered as the transcript says, else in their order."""
    told = decode(assistant(thinking("a"), apiBlockIndex=0), assistant(text("b"), apiBlockIndex=2))
    assert [event.part for event in of(told, Thought, Said)] == [0, 2]
    counted = decode(assistant(thinking("a")), assistant(text("b")), assistant(text("c"), mid="m2"))
    assert [event.part for event in of(counted, Thought, Said)] == [0, 1, 0]
    inside = decode(assistant(thinking("a"), text("b"), text("c")))
    assert [(event.part, event.place.item) for event in of(inside, Thought, Said)] == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("then", [prompt("more"), row("system", subtype="turn_duration", durationMs=1)])
def test_old_transcripts_name_no_stop_reason(then):
    """A text after which the turn goes over to somebody else was the answer, though no stop reason says so."""
    events = decode(prompt("go"), assistant(text("Let me see.")), assistant(use("t1", "Bash", command="ls")),
                    result("t1", "x"), assistant(text("All done."), mid="m2"), then)  # fmt: skip
    assert [event.text for event in of(events, RequestEnded)] == ["All done."]


def test_the_last_answer_of_an_old_transcript_shows_only_at_its_end():
    """Nothing is claimed while the next line might still be a call; at the end of the log it is."""
    lines = (prompt("go"), assistant(text("All done.")))
    assert of(decode(*lines, finish=False), RequestEnded) == []
    assert only(decode(*lines), RequestEnded).text == "All done."


def test_a_log_cut_after_a_text_claims_nothing():
    """Where the source names the ends of turns, a last text without one is not taken for an answer."""
    answered = (prompt("go"), assistant(text("Done."), stop="end_turn"), prompt("again"))
    events = decode(*answered, assistant(text("First I look."), mid="m2"))
    assert [event.text for event in of(events, RequestEnded)] == ["Done."]
    assert of(events, ReplyEnded)[-1].stop == "other"


def test_an_empty_reply_is_no_answer():
    """A reply that ends with thinking alone is empty, and claims nothing."""
    events = decode(prompt("go"), assistant(thinking("hm"), stop="end_turn"), row("system", subtype="turn_duration"))
    assert only(events, ReplyEnded).empty
    assert of(events, RequestEnded) == []


def test_an_empty_twin_of_a_text_adds_nothing():
    """An empty text block beside a text neither shows nor makes the reply empty."""
    events = decode(prompt("go"), assistant(text("")), assistant(text("Yes."), stop="end_turn"))
    assert [event.text for event in of(events, Said)] == ["Yes."]
    assert not only(events, ReplyEnded).empty


@pytest.mark.parametrize(
    ("stop", "told"), [("max_tokens", "length"), ("refusal", "refusal"), ("pause_turn", "other"), ("end_turn", "end")]
)
def test_stop_reasons(stop, told):
    """Each stop reason is told in our words and in the source's own; only an end is a claim."""
    events = decode(prompt("go"), assistant(text("So far."), stop=stop))
    reply = only(events, ReplyEnded)
    assert (reply.stop, reply.raw) == (told, stop)
    assert [event.how for event in of(events, RequestEnded)] == {"end": ["answered"], "refusal": ["refused"]}.get(
        told, []
    )


@pytest.mark.parametrize(
    ("said", "kind", "how"),
    [
        ("API Error: 529 Overloaded", "api_error", "error"),
        ("Claude AI usage limit reached|1796024182", "limit", "limit"),
        ("You've hit your session limit · resets 9am", "limit", "limit"),
        ("Invalid API key · Please run /login", "login", "error"),
    ],
)
def test_the_harness_speaks_in_the_models_name(said, kind, how):
    """An API error, a usage limit or a login notice is marked, is no answer, and ends the request."""
    events = decode(
        prompt("go"), assistant(text(said), model="<synthetic>", stop="stop_sequence", isApiErrorMessage=True)
    )
    assert (only(events, Said).synthetic, only(events, RequestEnded).how) == (kind, how)
    assert only(events, RequestEnded).text == said
    assert all(event.model != "<synthetic>" for event in of(events, RunStarted))


def test_a_filler_is_neither_answer_nor_error():
    """What a fork puts in for an answer ends nothing."""
    events = decode(prompt("go"), assistant(text("No response requested."), model="<synthetic>"))
    assert only(events, Said).synthetic == "filler"
    assert of(events, RequestEnded, ReplyEnded) == []


def test_the_end_of_the_session_and_its_resume():
    """Leaving writes what the session has cost; resuming appends to the same file and reopens the run."""
    cost = {"type": "cost-state", "sessionId": SESSION, "totalCostUSD": 0.08,
            "modelUsage": {"claude-opus-5-5": {"inputTokens": 100, "outputTokens": 20}}}  # fmt: skip
    events = decode(prompt("go"), assistant(text("Done."), stop="end_turn"), cost, prompt("again"))
    run = next(event for event in of(events, Used) if event.scope == "run")
    assert (run.cost, run.tokens.input, run.tokens.output) == (0.08, 100, 20)
    kinds = [type(event) for event in of(events, RequestEnded, RunEnded, Prompted)]
    assert kinds == [Prompted, RequestEnded, RunEnded, Prompted]


def test_the_folder_after_a_call():
    """A result names the folder the session works in afterwards."""
    events = decode(assistant(use("t1", "Bash", command="cd sub")), result("t1", "", cwd="/home/dev/app/sub"))
    assert only(events, ToolReturned).cwd == "/home/dev/app/sub"


def test_a_record_written_again_is_taken_once():
    """A row with a uuid that was read before adds nothing."""
    once = (prompt("go"), assistant(text("Done."), stop="end_turn"))
    assert len(decode(*once, *once)) == len(decode(*once))


def test_a_fork_copies_its_history():
    """Rows copied from another session are marked: by their own word, by another session, or as older than the file."""
    named = f"{SESSION}.jsonl"
    own = decode(prompt("a", forkedFrom={"sessionId": "x", "messageUuid": "y"}), prompt("b"), name=named)
    assert [event.copied for event in of(own, Prompted)] == [True, False]
    other = decode(prompt("a", sessionId="11111111-1111-4111-8111-111111111111"), prompt("b"), name=named)
    assert [event.copied for event in of(other, Prompted)] == [True, False]
    queued = {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION, "content": "c"}
    older = decode(
        queued | {"timestamp": "2026-11-30T08:00:00.000Z"},
        prompt("a", at="2026-11-30T07:59:00.000Z"),
        prompt("b", at="2026-11-30T08:00:00.100Z"),
        prompt("c", at="2026-11-30T07:59:30.000Z"),
        name=named,
    )
    assert [event.copied for event in of(older, Prompted)] == [True, False, False]
    assert [(event.session, event.copied) for event in of(older, RunStarted)] == [("", True), (SESSION, False)]


def test_times_may_go_backwards_or_be_missing():
    """A row's time is its own; what is no time is none."""
    events = decode(
        prompt("a", at="2026-11-30T07:36:22.752Z"), prompt("b", at="2026-11-30T07:00:00Z"), prompt("c", at="soon")
    )
    assert [event.at for event in of(events, Prompted)] == [1796024182.752, 1796022000.0, None]


def test_types_that_are_not_known_are_counted():
    """A type of a later version is decoded to nothing and counted by its name; known quiet ones are not."""
    from monitor.agents.claude.decode import ClaudeDecoder

    decoder = ClaudeDecoder()
    lines = (
        row("hologram"), row("hologram"), row("system", subtype="moon"), row("attachment", attachment={"type": "star"}),
        assistant({"type": "smell"}), {"type": "mode", "mode": "normal"}, row("system", subtype="turn_duration"), {"a": 1},
    )  # fmt: skip
    decode(*lines, decoder=decoder)
    assert decoder.unknown_types == {
        "hologram": 2, "system moon": 1, "attachment star": 1, "content smell": 1, "without a type": 1,
    }  # fmt: skip
