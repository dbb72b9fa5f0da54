"""What a wire tells of a session: what is said, how prompts end, and who decided."""

from __future__ import annotations

import pytest
from acp_wire import (
    SESSION,
    answer,
    call,
    chunk,
    decode,
    news,
    of,
    opened,
    prompt,
    sent,
    stopped,
    thought,
    update,
)

from monitor.events import (
    Noticed,
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
    Unreadable,
    Used,
)

EDIT = {"path": "a.py", "old_string": "a", "new_string": "b"}


def ends(*messages, agent=""):
    return [(one.how, one.text) for one in of(decode(*messages, agent=agent), RequestEnded)]


def test_the_run_says_who_it_is():
    """Agent, version, session, folder and model come one after the other; what the protocol hides is said."""
    first, second, third = of(decode(*opened("OpenCode")), RunStarted)
    assert (first.agent, first.version, first.lag, first.deltas) == ("OpenCode", "1.0", "event", True)
    assert {name: one.sees for name, one in first.coverage.items()} == dict.fromkeys(
        ("replies", "thinking", "folder"), "partial"
    )
    assert (second.cwd, third.session, third.model) == ("/p", SESSION, "m")
    assert "folder" not in of(decode(*opened("lcode")), RunStarted)[0].coverage


def test_a_reply_comes_in_pieces_and_the_last_words_are_the_answer():
    """Thinking and words are parts of a reply; a result begins the next one; what was said before a call is no answer."""
    events = decode(
        prompt(), thought("I "), thought("see."), chunk("Let me."), call(rawInput=EDIT), news(text="ok"), chunk("Do"),
        chunk("ne"), stopped(),
    )  # fmt: skip
    assert [(type(one), one.message, one.part, one.text, one.delta) for one in of(events, Thought, Said)] == [
        (Thought, "r1", 0, "I ", True), (Thought, "r1", 0, "see.", True), (Said, "r1", 1, "Let me.", True),
        (Said, "r2", 0, "Do", True), (Said, "r2", 0, "ne", True),
    ]  # fmt: skip
    assert of(events, ToolCalled)[0].message == "r1"
    assert [(one.message, one.stop, one.raw) for one in of(events, ReplyEnded)] == [("r2", "end", "end_turn")]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done")]


def test_ids_of_the_agents_own_part_a_reply():
    """Where an agent names its messages, each is a part of its own."""
    told = of(decode(prompt(), chunk("a", messageId="1"), chunk("b", messageId="1"), chunk("c", messageId="2")), Said)
    assert [one.part for one in told] == [0, 0, 1]


@pytest.mark.parametrize(
    ("reason", "how", "stop"),
    [
        ("end_turn", "answered", "end"), ("cancelled", "interrupted", "stopped"), ("max_tokens", "limit", "length"),
        ("max_turn_requests", "limit", "other"), ("refusal", "refused", "refusal"),
    ],
)  # fmt: skip
def test_each_stop_reason(reason, how, stop):
    """The protocol has five; each says how the request ended, none that the run is over."""
    events = decode(prompt(), chunk("Well."), stopped(reason))
    assert [one.how for one in of(events, RequestEnded)] == [how]
    assert [(one.stop, one.raw) for one in of(events, ReplyEnded)] == [(stop, reason)]
    assert of(events, RunEnded) == []


def test_a_stop_reason_of_a_later_version_is_no_claim():
    """It is told, and taken for nothing."""
    events = decode(prompt(), chunk("Well."), stopped("compacted"))
    assert of(events, RequestEnded) == []
    assert [one.name for one in of(events, Noticed)] == ["compacted"]


def test_a_prompt_that_fails_is_an_error():
    """The error's text stands with the end; another request that fails is a notice."""
    failed = answer(3, error={"code": -32603, "message": "no model"})
    assert ends(prompt(), chunk("x"), failed) == [("error", "no model")]
    events = decode(sent("session/new", {"cwd": "/p"}, 2), answer(2, error={"code": -32000, "message": "log in"}))
    assert [(one.name, one.text) for one in of(events, Noticed)] == [("error", "log in")]


def test_a_long_answer_keeps_its_ends():
    """What an answer says of itself stands at its edges; the state stays small."""
    ((how, text),) = ends(prompt(), *(chunk("x" * 900) for _ in range(50)), chunk("I could not."), stopped())
    assert how == "answered"
    assert text.endswith("I could not.")
    assert len(text) < 9_000


def test_a_second_prompt_while_one_runs():
    """It belongs to the run of the first; two answers with nothing between are one claim."""
    events = decode(prompt(), chunk("a"), prompt("also", 4), chunk("b"), stopped(number=3), stopped(number=4))
    assert [(one.text, one.into) for one in of(events, Prompted)] == [("Mend it", "new"), ("also", "running")]
    assert [one.text for one in of(events, RequestEnded)] == ["b"]
    queued = decode(prompt(), chunk("a"), prompt("also", 4), stopped(number=3), chunk("b"), stopped(number=4))
    assert [one.text for one in of(queued, RequestEnded)] == ["a", "b"]
    after = decode(prompt(), chunk("a"), stopped(), prompt("also", 4))
    assert [one.into for one in of(after, Prompted)] == ["new", "new"]


def test_a_wire_without_its_beginning_was_prompted_too():
    """An agent at work was told something, though the log does not hold it; its end counts."""
    events = decode(chunk("Done."), answer(9, {"stopReason": "end_turn"}))
    assert [(type(one), getattr(one, "text", None)) for one in events] == [
        (Prompted, ""), (Said, "Done."), (ReplyEnded, ""), (RequestEnded, "Done."),
    ]  # fmt: skip


def test_the_agents_side_alone_tells_the_users_words():
    """Where the client's side is not logged, the agent's copy of the prompt is the prompt; else it is passed over."""
    echo = chunk("Mend it", "user_message_chunk")
    more = chunk(" now", "user_message_chunk")
    assert [(one.text, one.into) for one in of(decode(echo, more, chunk("ok")), Prompted)] == [
        ("Mend it", "new"), (" now", "running"),
    ]  # fmt: skip
    assert len(of(decode(prompt(), echo, chunk("ok")), Prompted)) == 1


def test_a_loaded_conversation_is_marked_as_copied():
    """What a session told before is told again when it is loaded: it is shown, and not counted."""
    load = sent("session/load", {"sessionId": SESSION, "cwd": "/p"}, 2)
    old = [chunk("one", "user_message_chunk"), call("c1", status="completed", rawInput=EDIT), chunk("ok")]
    events = decode(load, *old, answer(2, {}), prompt("two"), call("c1", rawInput=EDIT), news("c1"), stopped())
    copied = [one for one in events if one.copied]
    assert [type(one) for one in copied] == [Prompted, ToolCalled, ToolReturned, Said]
    first, second = of(events, ToolCalled)
    assert (first.copied, second.copied) == (True, False)
    assert first.call != second.call
    assert len(of(events, RequestEnded)) == 1
    unanswered = decode(load, *old, prompt("two"), chunk("new"))
    assert [one.copied for one in of(unanswered, Said)] == [True, False]


def test_sessions_on_one_wire_do_not_mix():
    """Replies and calls of each are its own, whatever ids the agent gives them."""
    other = {"session": "s2"}
    events = decode(
        *opened(), prompt(), answer(2, {"sessionId": "s2"}), prompt("two", 4, "s2"), call(rawInput=EDIT),
        update("tool_call", **other, toolCallId="c1", kind="read", rawInput={"path": "b"}, status="pending"),
        update("tool_call_update", **other, toolCallId="c1", status="completed"), news("c1", "failed"),
    )  # fmt: skip
    calls = of(events, ToolCalled)
    assert [(one.kind, one.call, one.message) for one in calls] == [("write", "c1", "r1"), ("read", "2.c1", "2.r1")]
    assert [(one.call, one.outcome) for one in of(events, ToolReturned)] == [("2.c1", "ok"), ("c1", "failed")]


def test_what_is_used():
    """Tokens by prompt and by reply, the context, and the cost in dollars alone."""
    usage = {"inputTokens": 10, "outputTokens": 2, "thoughtTokens": 1, "cachedReadTokens": 3}
    events = decode(
        prompt(), chunk("", _meta={"usage": usage}),
        update("usage_update", used=5, size=9, cost={"amount": 0.5, "currency": "USD"}),
        update("usage_update", used=6, size=9, cost={"amount": 0.5, "currency": "EUR"}),
        chunk("x"), stopped(usage=usage),
    )  # fmt: skip
    tokens = Tokens(10, 2, 3, 0, 1)
    assert [(one.scope, one.tokens, one.cost, one.context_used) for one in of(events, Used)] == [
        ("message", tokens, None, None), ("request", Tokens(), 0.5, 5), ("request", Tokens(), None, 6),
        ("request", tokens, None, None),
    ]  # fmt: skip


def test_what_the_adapter_says_is_not_the_models():
    """Pi's adapter puts its banner and its queue among the model's words."""
    lines = ("pi v1.6.0\n---\n", "Queued message (position 1).", "Starting queued message. (0 remaining)")
    events = decode(prompt(), chunk("Done."), *map(chunk, lines), stopped(), agent="pi-acp")
    assert [one.text for one in of(events, RequestEnded)] == ["Done."]
    assert [one.name for one in of(events, Noticed)] == ["pi-acp"] * 3
    assert len(of(decode(prompt(), chunk(lines[1]), agent="lcode"), Said)) == 1


def test_plans_modes_and_what_is_not_known():
    """A plan is a notice of how far it is; an update or a method of a later version is counted."""
    entries = [{"content": "read", "status": "completed"}, {"content": "write", "status": "in_progress"}]
    events = decode(
        prompt(), update("plan", entries=entries), update("current_mode_update", currentModeId="ask"),
        sent("session/set_mode", {"sessionId": SESSION, "modeId": "yolo"}, 4), answer(4, None),
        update("available_commands_update", availableCommands=[]), update("hologram"), sent("_x/y", {}), answer(5, {}),
        update("config_option_update", configOptions=[{"id": "model", "currentValue": "m2"}]),
    )  # fmt: skip
    assert [one.text for one in of(events, Noticed)] == ["1 of 2 done, at: write", "ask", "yolo"]
    assert [one.model for one in of(events, RunStarted)] == ["m2"]
    assert of(events, Unreadable) == []
