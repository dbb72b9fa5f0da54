"""What `-p --output-format stream-json` prints."""

from __future__ import annotations

import pytest
from claude_lines import (
    assistant,
    decode,
    final,
    init,
    line,
    of,
    only,
    prompt,
    result,
    streamed,
    text,
    use,
)

from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    Said,
    ToolReturned,
    Used,
    Waiting,
)


def test_one_turn():
    """A turn ends with its result: an answer, what was used so far, and the end of the run."""
    uses = {"claude-opus-5-5": {"inputTokens": 100, "outputTokens": 20, "contextWindow": 1_000_000}}
    events = decode(init(), streamed(assistant(text("Done."))), final(total_cost_usd=0.5, modelUsage=uses))
    assert (only(events, RequestEnded).how, only(events, RequestEnded).text) == ("answered", "Done.")
    run = of(events, Used)[-1]
    assert (run.scope, run.cost, run.tokens.input, run.context_size) == ("run", 0.5, 100, 1_000_000)
    assert only(events, RunEnded).status == "completed"


def test_the_keys_may_stand_in_any_order():
    """A result line need not begin with its type."""
    told = dict(reversed(final().items()))
    assert only(decode(init(), streamed(assistant(text("Done."))), told), RunEnded).status == "completed"


@pytest.mark.parametrize(
    ("reason", "how"),
    [
        ("aborted_streaming", "interrupted"), ("aborted_tools", "interrupted"), ("hook_stopped", "limit"),
        ("max_turns", "limit"), ("api_error", "error"), ("prompt_too_long", "error"), ("something_new", "error"),
    ],
)  # fmt: skip
def test_the_terminal_reason_counts_not_the_subtype(reason, how):
    """How a run ended stands in `terminal_reason`; the subtype says success of failures too."""
    events = decode(init(), streamed(assistant(use("t1", "Bash", command="ls"))), final(reason, "", error=True))
    assert (only(events, RequestEnded).how, only(events, RunEnded).status) == (how, reason)


def test_older_results_have_only_a_subtype():
    """Without a terminal reason the subtype tells."""
    events = decode(init(), final(None, "", subtype="error_max_turns"))
    assert (only(events, RequestEnded).how, only(events, RunEnded).status) == ("limit", "error_max_turns")
    banner = decode(init(), final(None, "Claude AI usage limit reached|1796024182"))
    assert only(banner, RequestEnded).how == "limit"


def test_an_api_error_is_told_once():
    """The message in the model's name ends the request; the result that repeats it does not end it again."""
    said = streamed(assistant(text("API Error: 400"), model="<synthetic>")) | {"is_api_error_message": True}
    events = decode(init(), said, final("api_error", "API Error: 400", error=True))
    assert only(events, Said).synthetic == "api_error"
    assert only(events, RequestEnded).how == "error"
    assert only(events, RunEnded).status == "api_error"


def test_an_interruption_is_told_once():
    """Text, the mark of the interruption and the result make one end; diagnostics are no reason."""
    events = decode(
        init(), streamed(assistant(text("word0 wor"))), line("user", message={"content": [text("[Request interrupted by user]")]}),
        final("aborted_streaming", None, error=True, subtype="error_during_execution", errors=["[ede_diagnostic] x"]),
    )  # fmt: skip
    assert only(events, RequestEnded).how == "interrupted"
    assert (only(events, RunEnded).status, only(events, RunEnded).reason) == ("aborted_streaming", "")


def test_a_later_turn_reopens_the_run():
    """Each turn of a host that keeps the process ends the run anew; the same end twice is told once."""
    events = decode(
        init(), streamed(assistant(text("One."))), final(said="One."), final(said="One."),
        init(), streamed(assistant(text("Two."), mid="m2")), final(said="Two."),
    )  # fmt: skip
    assert [event.text for event in of(events, RequestEnded)] == ["One.", "Two."]
    assert len(of(events, RunEnded)) == 2


def test_prompts_that_the_host_repeats():
    """A repeated message begins its turn, or joins the one that runs; where none is repeated a turn's prompt has no text."""
    replay = streamed(prompt("fix it")) | {"isReplay": True}
    note = streamed(prompt("use port 9")) | {"isReplay": True}
    again = streamed(prompt("now test")) | {"isReplay": True}
    done = (streamed(assistant(text("Done."))), final())
    more = (streamed(assistant(text("Ok."), mid="m2")), final(said="Ok."))
    told = of(decode(init(), replay, note, *done, init(), again, *more), Prompted)
    assert [(event.text, event.into) for event in told] == [
        ("fix it", "new"), ("use port 9", "running"), ("now test", "new"),
    ]  # fmt: skip
    silent = of(decode(init(), *done, init(), *more), Prompted)
    assert [(event.text, event.by, event.into) for event in silent] == [("", "user", "new")] * 2


def test_a_stop_hook_in_a_stream():
    """The answer before a stop hook's feedback was a claim, as in the transcript."""
    feedback = streamed(prompt("Stop hook feedback:\ntest it")) | {"isSynthetic": True}
    events = decode(init(), streamed(assistant(text("Done."))), feedback,
                    streamed(assistant(text("Tested."), mid="m2")), final(said="Tested."))  # fmt: skip
    assert [event.by for event in of(events, Prompted)] == ["user", "hook"]
    assert [event.text for event in of(events, RequestEnded)] == ["Done.", "Tested."]


def test_a_permission_asked_of_the_host():
    """The agent waits for an approval, and names what it wants to do."""
    asks = {"subtype": "can_use_tool", "tool_name": "Write", "description": "a.txt", "tool_use_id": "t1", "input": {}}
    runs = asks | {"tool_name": "Bash", "tool_use_id": "t2", "input": {"command": "rm -r x\nls"}}
    hook = {"subtype": "hook_callback", "tool_use_id": "t3"}
    events = decode(init(), *(line("control_request", request_id="r", request=one) for one in (asks, runs, hook)))
    assert [(event.on, event.about, event.call) for event in of(events, Waiting)] == [
        ("approval", "Write a.txt", "t1"), ("approval", "rm -r x ⏎ ls", "t2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("meta", "outcome"),
    [
        (
            {"non_execution_kind": "user-rejected", "permission_decision": {"decision": "reject", "source": "config"}},
            "refused",
        ),
        (
            {"non_execution_kind": "permission-rule", "permission_decision": {"decision": "reject", "source": "hook"}},
            "refused",
        ),
        (
            {
                "non_execution_kind": "permission-rule",
                "permission_decision": {"decision": "reject", "source": "user_reject"},
            },
            "denied",
        ),
        ({"permission_decision": {"decision": "accept", "source": "config"}}, "failed"),
    ],
)
def test_the_stream_says_who_refused(meta, outcome):
    """The source of the decision tells a person from a rule, whatever the text says."""
    back = streamed(result("t1", "no, not that", error=True)) | {"tool_result_meta": [{"id": "t1"} | meta]}
    events = decode(init(), streamed(assistant(use("t1", "Write", file_path="a", content="x"))), back)
    assert only(events, ToolReturned).outcome == outcome
    assert only(events, ToolReturned).files[0].outcome == outcome


def test_notices():
    """Retries, limits that are near, and hooks that say something or fail are noticed; quiet ones are not."""
    hook = {"subtype": "hook_response", "hook_name": "PreToolUse:Bash", "output": "", "outcome": "success"}
    limit = {"status": "rejected", "rateLimitType": "five_hour"}
    events = decode(
        init(),
        line("system", subtype="api_retry", attempt=1, max_retries=10, error_status=529, error="overloaded"),
        line("rate_limit_event", rate_limit_info=limit | {"status": "allowed"}),
        line("rate_limit_event", rate_limit_info=limit),
        line("system", **hook),
        line("system", **hook | {"output": "careful"}),
        line("system", **hook | {"outcome": "error", "output": "ECONNREFUSED"}),
        line("system", subtype="compact_boundary", compact_metadata={"trigger": "manual", "pre_tokens": 9000}),
    )
    assert [(event.kind, event.name, event.text) for event in of(events, Noticed)] == [
        ("retry", "api_retry", "attempt 1 of 10: HTTP 529: overloaded"),
        ("rate_limit", "five_hour", "rejected"),
        ("hook", "PreToolUse:Bash", "careful"),
        ("hook", "PreToolUse:Bash failed", "ECONNREFUSED"),
        ("compaction", "manual", "from 9,000 tokens"),
    ]


def test_a_stream_that_was_killed_claims_nothing():
    """Without a result, or the end of a message, a last text is no answer, and nothing says that the run ended."""
    events = decode(init(), streamed(assistant(text("All is"))))
    assert of(events, RequestEnded, RunEnded) == []
    assert only(events, ReplyEnded).stop == "other"


@pytest.mark.parametrize(
    ("said", "error", "status"),
    [
        ("found it", None, "completed"),
        ("Agent failed: API error", True, "failed"),
        ("The user doesn't want to proceed with this tool use. (this call was stopped while running)", True, "stopped"),
    ],
)
def test_a_sub_agent_whose_call_came_back_works_no_more(said, error, status):
    """Its call says no more of it in an older version, or where it failed: then too it is over, and the run can end."""
    call = use("t1", "Task", description="look around", prompt="look")
    told = streamed(prompt("look"), parent="t1"), streamed(assistant(use("c1", "LS"), mid="k1"), parent="t1")
    back = streamed(result("t1", said, error=error))
    events = decode(init(), streamed(assistant(call)), *told, back, final(), role="stream")
    assert [(event.actor, event.status) for event in of(events, RunEnded)] == [("t1", status), ("", "completed")]
