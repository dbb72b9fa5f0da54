"""What a rollout of Codex tells."""

from __future__ import annotations

import pytest
from codex_logs import (
    CWD,
    PIPED,
    THREAD,
    completed,
    context,
    decode,
    done,
    item,
    meta,
    of,
    output,
    records,
    row,
    said,
    shell,
    thought,
    told,
    usage,
    user,
)

from monitor.agents.codex.decode import CodexDecoder
from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)


def test_the_start():
    """The first line names the thread, a turn the model; thinking shows as summaries only."""
    begun, model = of(decode(meta(), context(), context()), RunStarted)
    assert (begun.agent, begun.version, begun.session, begun.cwd) == ("codex", "0.171.0", THREAD, CWD)
    assert begun.coverage["thinking"].sees == "partial"
    assert model.model == "gpt-5.5"
    assert begun.at == pytest.approx(1796024667.318)


def test_a_whole_turn():
    """A prompt, thinking, text, a command, its result and the answer come in their order, each once."""
    events = decode(
        told("task_started", turn_id="t"), user("go"), done("Reasoning", id="rs", summary_text=["plan"]), thought("plan"),
        done("AgentMessage", id="m"), said("I read."), shell("c1", "cat a.py"), usage(),
        done("CommandExecution", id="c1", command=["/bin/bash", "-lc", "cat a.py"], status="completed", exit_code=0),
        output("c1", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nold\n"),
        said("Done."), usage(), completed(),
    )  # fmt: skip
    assert [type(event).__name__ for event in events] == [
        "Prompted", "Thought", "Said", "ToolCalled", "ReplyEnded", "ToolReturned", "Said", "ReplyEnded", "RequestEnded",
    ]  # fmt: skip
    (thinking,), (first, answer), (call,), (result,) = (
        of(events, kind) for kind in (Thought, Said, ToolCalled, ToolReturned)
    )
    assert {thinking.message, first.message, call.message, result.message} == {"r1"}
    assert answer.message == "r2"
    assert (call.kind, call.command, result.outcome, result.exit) == ("shell", "cat a.py", "ok", 0)
    assert [(end.stop, end.empty) for end in of(events, ReplyEnded)] == [("tools", False), ("end", False)]
    assert [(end.how, end.text) for end in of(events, RequestEnded)] == [("answered", "Done.")]


def test_a_rollout_that_is_piped_in():
    """It tells what it tells as a file."""
    rows = [
        meta(),
        context(),
        user("Go"),
        thought("Hm"),
        shell("c1", "ls"),
        output("c1", "a.py"),
        said("Done."),
        completed(),
    ]
    assert decode(*rows, source=PIPED) == decode(*rows) != []


def test_prompts():
    """The first words of a turn begin a request, later ones steer it; the same words told twice count once."""
    events = decode(
        told("task_started"), user("go"), told("user_message", message="go"), user("not there"), completed(),
        told("task_started"), user("go"),
    )  # fmt: skip
    assert [(one.text, one.into) for one in of(events, Prompted)] == [
        ("go", "new"),
        ("not there", "running"),
        ("go", "new"),
    ]


def test_what_hooks_say():
    """Context from a hook and a refused stop are a hook's words into the running request."""
    context_ = item(
        "message", role="developer", content=[{"type": "input_text", "text": "use src"}],
        internal_chat_message_metadata_passthrough={"content_item_kinds": ["hooks.additional_context"]},
    )  # fmt: skip
    events = decode(user("go"), context_, done("HookPrompt", fragments=[{"text": "also README"}]))
    assert [(one.text, one.by, one.into) for one in of(events, Prompted)[1:]] == [
        ("use src", "hook", "running"), ("also README", "hook", "running"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "how", "text"),
    [
        ([user("go"), completed("Done.")], "answered", "Done."),
        ([user("go"), told("turn_aborted", reason="interrupted")], "interrupted", "interrupted"),
        ([user("go"), told("turn_aborted", reason="budget_limited")], "limit", "budget_limited"),
        ([user("go"), told("error", message="no model"), completed(None)], "error", "no model"),
        ([user("go"), completed(None)], "error", ""),
    ],
)
def test_how_a_turn_ends(rows, how, text):
    """A turn ends with an answer, an error, a limit, or because it was interrupted."""
    (end,) = of(decode(*rows), RequestEnded)
    assert (end.how, end.text) == (how, text)


def test_a_prompt_that_a_hook_blocked():
    """A turn that was ended before anything was said is no request."""
    assert of(decode(told("task_started"), completed(None)), RequestEnded) == []


def test_tokens():
    """What the thread has used replaces itself; the cached is not counted twice."""
    total = {"input_tokens": 100, "cached_input_tokens": 30, "output_tokens": 9, "reasoning_output_tokens": 5}
    info = {"total_token_usage": total, "last_token_usage": {"total_tokens": 80}, "model_context_window": 1000}
    (used,) = of(decode(told("token_count", info=info), told("token_count", info=None)), Used)
    assert used.tokens == Tokens(input=70, output=9, cache_read=30, reasoning=5)
    assert (used.scope, used.context_used, used.context_size) == ("run", 80, 1000)


def counted(total, last):
    info = {"total_token_usage": {"input_tokens": total}, "last_token_usage": {"input_tokens": last}}
    return told("token_count", info=info)


@pytest.mark.parametrize("carried", [0, 200])
def test_tokens_of_a_fork(carried):
    """A thread that goes on from another counts on from what that had used, which is not its own; a resumed one's is."""
    more = said("One"), counted(carried + 30, 30), said("Two"), meta(forked_from_id="x"), counted(carried + 70, 40)
    forked = decode(meta(forked_from_id="x"), counted(carried, 9), *more)
    assert [one.tokens.input for one in of(forked, Used)] == [0, 30, 70]
    resumed = decode(meta(), *more)
    assert [one.tokens.input for one in of(resumed, Used)] == [carried + 30, carried + 70]


def test_what_is_not_known_is_counted():
    """Types that nobody knows are counted by name; lines that are none are unreadable."""
    decoder = CodexDecoder()
    rows = [row("new_thing", {}), item("new_item"), told("new_message"), b"{", b"[]", {"payload": {}}]
    events = [event for record in records(rows) for event in decoder.feed(record)]
    assert decoder.unknown_types == {"new_thing": 1, "response_item new_item": 1, "event_msg new_message": 1}
    assert len(of(events, Unreadable)) == 3


def test_notices():
    """Retries and compactions are the agent's own notices."""
    events = decode(told("stream_error", message="again"), row("compacted", {"message": "short"}))
    assert [(one.kind, one.text) for one in of(events, Noticed)] == [("retry", "again"), ("compaction", "short")]
