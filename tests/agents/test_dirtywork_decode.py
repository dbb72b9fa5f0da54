"""What a dirtywork transcript says, trap by trap."""

from __future__ import annotations

import json

import pytest
from dirtywork_logs import (
    WORKTREE,
    decode,
    document,
    line,
    of,
    records,
    reply,
    result,
    run_json,
    start,
)

from monitor.agents.dirtywork.decode import RUN, DirtyworkDecoder
from monitor.agents.dirtywork.started import About
from monitor.events import (
    Checked,
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
    TreeMeasured,
    Unreadable,
    Used,
)

NOT_FOUND = "ERROR: old_string occurs 0 times in a.xml; it must occur exactly once. Include more surrounding context."
EDIT = {"path": "a.xml", "old_string": "app: Hello", "new_string": "app: Hi"}
REFUSED = "Not accepted as the end of the run: nothing in the worktree changed since this run started."
DONE = {"summary": "Renamed it."}


def end(status="completed", **fields):
    return line("run_end", status=status, turns=1, usage={"prompt_tokens": 10, "completion_tokens": 3}, **fields)


def test_a_run_says_what_it_is():
    """The start tells the agent, its version and its folder, which is the worktree and not the repository."""
    (begun,) = of(decode(start()), RunStarted)
    assert (begun.agent, begun.version, begun.model) == ("dirtywork", "0.14.0", "fake/model-1")
    assert begun.cwd == begun.project == WORKTREE
    assert (begun.session, begun.lag, begun.deltas, begun.change_required) == ("rename", "turn", False, None)
    assert begun.at == 1796024060.5
    assert begun.coverage["stalls"].sees == "none"
    assert "worktree" not in begun.coverage
    assert "failed_writes" not in begun.coverage


def test_a_run_in_a_container_says_that_its_folder_shows_nothing():
    """In a container the worktree is filled only at the end: what is measured there meanwhile is no measure."""
    (begun,) = of(decode(start(sandbox={"backend": "docker"})), RunStarted)
    assert begun.coverage["worktree"].sees == "none"


@pytest.fixture
def resume():
    return pytest.importorskip("dirtywork.resume")


def test_a_resumed_run_tells_task_history_and_feedback_apart(resume):
    """Of a resumed run's task, the task is the user's, the history the harness's, and the feedback the operator's."""
    earlier = resume.build_resume_task("Rename the app", "stalled", 9, "assistant: hm")
    task = resume.build_resume_task(earlier, "completed", 2, "run_end: completed", "Name it Block")
    events = decode(start(task=task, feedback="Name it Block", resumed_from="rename"))
    told = of(events, Prompted)
    assert [(one.by, one.into) for one in told] == [("user", "new"), ("harness", "running"), ("operator", "running")]
    assert told[0].text == "Rename the app"
    assert told[1].text.startswith("The last events of the earlier run were:\nrun_end: completed\n")
    assert "Name it Block" not in told[1].text
    assert told[1].text.endswith("call finish(summary=...).")
    assert told[2].text == "Name it Block"
    (begun,) = of(events, RunStarted)
    assert (begun.task, begun.change_required, begun.session) == ("Rename the app", True, "")


def test_a_resumed_run_without_feedback_demands_no_change(resume):
    """The other marker is taken off too."""
    task = resume.build_resume_task("Rename the app", "stuck", 4, "run_end: stuck")
    events = decode(start(task=task, resumed_from="rename"))
    assert [one.by for one in of(events, Prompted)] == ["user", "harness"]
    assert of(events, Prompted)[0].text == "Rename the app"
    assert of(events, RunStarted)[0].change_required is None


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


def test_results_belong_to_calls_by_their_order():
    """Without ids, the second of two equal calls gets the second result."""
    told = {"command": "make"}
    events = decode(
        start(),
        reply(("bash", told), ("bash", told)),
        result("bash", told, "exit code: 1\nno"),
        result("bash", told, "exit code: 0\nyes"),
    )
    calls, backs = of(events, ToolCalled), of(events, ToolReturned)
    assert [one.call for one in backs] == [one.call for one in calls] == ["t2.1", "t2.2"]
    assert [one.exit for one in backs] == [1, 0]
    assert {one.message for one in calls} == {"t2"}


def test_a_lost_result_does_not_shift_the_others():
    """Where a result's line cannot be read, those that follow still find their own calls."""
    first, second = {"path": "a"}, {"path": "b"}
    decoder = DirtyworkDecoder()
    lines = [
        start(),
        reply(("read_file", first), ("read_file", second)),
        b'{"ts": broken',
        result("read_file", second, "x"),
    ]
    events = [event for record in records(lines) for event in decoder.feed(record)]
    assert of(events, ToolReturned)[0].call == "t2.2"
    assert len(of(events, Unreadable)) == 1


def test_a_malformed_entry_is_not_paired_with_a_call():
    """A call that had no id stands in the log only as a result of no tool; the next result is the next call's."""
    told = {"path": "a"}
    events = decode(
        start(),
        reply(("read_file", told)),
        result("", "", "ERROR: malformed tool call entry (missing or invalid id/function fields)").replace(
            b'"args": "{}"', b'"args": ""'
        ),
        result("read_file", told, "     1\tx"),
    )
    backs = of(events, ToolReturned)
    assert [(one.call, one.outcome) for one in backs] == [("r3", "failed"), ("t2.1", "ok")]
    assert [one.call for one in of(events, ToolCalled)] == ["t2.1", "r3"]


def test_a_result_without_its_reply_tells_its_own_call():
    """A log that begins in the middle still shows a failed write and its file."""
    events = decode(result("edit_file", EDIT, NOT_FOUND))
    call, back = events
    assert (call.call, call.changes[0].file, call.changes[0].old) == ("r1", "a.xml", "app: Hello")
    assert (back.call, back.files[0].outcome) == ("r1", "failed")


def test_cut_results_do_not_cost_the_call_its_arguments():
    """The result repeats 500 characters of the arguments; the call keeps what the reply told."""
    told = {"path": "a", "content": "x" * 1500}
    events = decode(start(), reply(("write_file", told)), result("write_file", told, "Wrote a: +1 -0"))
    (call,) = of(events, ToolCalled)
    assert call.changes[0].new == told["content"]
    assert of(events, ToolReturned)[0].call == call.call


def test_an_appended_word_of_the_harness_is_a_prompt():
    """What is appended to a result is the harness's word to the model, and not the result."""
    told = {"path": "a"}
    said = "Nothing in the worktree has changed since this run started (10 turns or more)."
    nudge = line("nudge", kind="no_change", turn=10, via="tool_result")
    events = decode(start(), reply(("read_file", told)), result("read_file", told, "     1\tx", follow_up=said), nudge)
    assert of(events, ToolReturned)[0].output == "     1\tx"
    assert (of(events, Prompted)[-1].text, of(events, Prompted)[-1].by) == (said, "harness")
    (measured,) = of(events, TreeMeasured)
    assert (measured.when, measured.changed, measured.by) == ("turn", False, "agent")


def test_no_change_of_late_is_no_lack_of_change_since_the_start():
    """The same nudge in its other wording means that something had changed before."""
    told = {"path": "a"}
    said = "No file in the worktree has changed in the last 10 turns and nothing was committed."
    nudge = line("nudge", kind="no_change", turn=20, via="tool_result")
    events = decode(start(), reply(("read_file", told)), result("read_file", told, "x", follow_up=said), nudge)
    (measured,) = of(events, TreeMeasured)
    assert (measured.changed, measured.since_start) == (True, True)
    assert of(decode(start(), nudge), TreeMeasured) == []


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


def test_the_firewall_refuses_by_rule():
    """A denial is a notice, and the result of its call is refused, or failed where the call itself was bad."""
    deny = {"reason_code": "host_fs_destructive", "reason_class": "authority", "tool": "bash", "decision": "deny"}
    told = {"command": "rm -rf /"}
    events = decode(
        start(),
        reply(("bash", told), ("nope", {})),
        line("firewall_denial", **deny),
        result("bash", told, "BLOCKED: destructive command targeting a path outside the worktree"),
        line("firewall_denial", **deny | {"reason_class": "malformed", "reason_code": "tool_unknown", "tool": "nope"}),
        result("nope", {}, "ERROR: tool_name is not a known action kind. Available: bash."),
    )
    assert [one.name for one in of(events, Noticed)] == ["host_fs_destructive", "tool_unknown"]
    assert [one.outcome for one in of(events, ToolReturned)] == ["refused", "failed"]


def test_a_verify_command_comes_out():
    """The harness's check tells whether it passed; the command stands in run.json alone."""
    events = decode(line("verify", round=1, exit_code=1, passed=False), about=About(verify="make test"))
    assert events == [
        Checked(command="make test", passed=False, exit=1, at=events[0].at, seen=7.0, place=events[0].place)
    ]


def test_calls_left_open_by_an_interrupt():
    """The call under way was cancelled; those behind it never began."""
    one, two = {"command": "sleep 30"}, {"path": "a", "content": "x"}
    events = decode(start(), reply(("bash", one), ("write_file", two)), end("interrupted", changed=None))
    assert [(back.call, back.outcome) for back in of(events, ToolReturned)] == [
        ("t2.1", "cancelled"), ("t2.2", "not_executed"),
    ]  # fmt: skip
    (measured,) = of(events, TreeMeasured)
    assert measured.changed is None
    assert "takes no measurement" in measured.reason
    assert of(events, RequestEnded)[0].how == "interrupted"


def test_a_write_under_way_when_the_budget_broke_may_have_been_made():
    """Nobody knows whether it was written; after a model's error nothing more was begun."""
    told = {"path": "a", "content": "x"}
    for status, fields, outcome in (
        ("budget_exceeded", {}, "unknown"),
        ("model_error", {"error": "unexpected error"}, "unknown"),
        ("model_error", {}, "not_executed"),
    ):
        events = decode(start(), reply(("write_file", told)), end(status, **fields))
        assert of(events, ToolReturned)[0].outcome == outcome, status


def test_how_a_run_ends():
    """Limits, errors and interrupts end the request; its own guards' ends are no limit, and claims are told once."""
    for status, how in (
        ("max_turns", "limit"), ("timeout", "limit"), ("context_exhausted", "limit"), ("budget_exceeded", "limit"),
        ("model_error", "error"), ("sandbox_error", "error"), ("interrupted", "interrupted"),
    ):  # fmt: skip
        assert [one.how for one in of(decode(start(), end(status)), RequestEnded)] == [how], status
    for status in ("stuck", "stalled", "of a later version"):
        assert of(decode(start(), end(status)), RequestEnded) == []
    assert [one.text for one in of(decode(end(last_assistant_text="Done.")), RequestEnded)] == ["Done."]
    assert len(of(decode(start(), reply(text="Done."), end()), RequestEnded)) == 1


def test_why_a_run_ended():
    """The reason is read where the record holds one."""
    stuck = {"command": "make", "output": "no", "repeats": 4}
    verify = {"command": "make test", "exit_code": 2, "passed": False}
    for status, fields, reason in (
        ("stuck", {"stuck_on": stuck}, "the same command failed 4 times running: make"),
        ("verify_failed", {"verify": verify}, "verify failed with exit 2: make test"),
        ("model_error", {"truncations": 6}, "6 replies were cut off at the token limit"),
        ("model_error", {"error": "HTTP 500"}, "HTTP 500"),
        ("completed", {}, ""),
    ):
        assert of(decode(end(status, **fields)), RunEnded)[0].reason == reason


def test_what_a_run_says_it_changed():
    """Its files are those of the branch, so a resumed run's are left out, and none are named where nothing changed."""
    told = {"changed": True, "files_changed": ["a", "b"]}
    assert of(decode(start(), end(**told)), TreeMeasured)[0].files == ("a", "b")
    assert of(decode(start(resumed_from="x"), end(**told)), TreeMeasured)[0].files == ()
    assert of(decode(start(), end(**told | {"changed": False})), TreeMeasured)[0].files == ()
    why = of(decode(start(), end(changed=None, changed_reason="fatal: no")), TreeMeasured)[0]
    assert (why.changed, why.reason) == (None, "fatal: no")
    assert of(decode(start(), end()), TreeMeasured) == []


def test_run_json_adds_nothing_to_an_end_that_was_told():
    """The same end told by both is one end, whichever is read first."""
    final = document(run_json(status="completed", changed=True, ended="2026-11-30T07:34:21+00:00"), RUN)
    told = records([start(), reply(text="Done."), end(changed=True)])
    for order in ([*told, final], [told[0], final, *told[1:]]):
        decoder = DirtyworkDecoder()
        events = [event for record in order for event in decoder.feed(record)] + list(decoder.finish(()))
        assert len(of(events, RunEnded)) == len(of(events, TreeMeasured)) == len(of(events, RequestEnded)) == 1
        assert isinstance(events[-1], RunEnded)


def test_run_json_has_the_last_word_on_the_status():
    """An export that failed after the transcript was closed stands in run.json alone, and stands last."""
    final = document(run_json(status="export_failed", finalize_error="disk full"), RUN)
    told = records([start(), reply(text="Done."), end()])
    for order in ([*told, final], [told[0], final, *told[1:]], [final, *told]):
        decoder = DirtyworkDecoder()
        events = [event for record in order for event in decoder.feed(record)] + list(decoder.finish(()))
        assert events[-1].status == "export_failed"
        assert events[-1].reason == "disk full"
        assert len(of(events, RequestEnded)) == (2 if order[0] is final else 1)


def test_an_end_that_only_run_json_tells():
    """Where the transcript stops short, run.json's end is told when no more will come."""
    final = document(run_json(status="model_error", changed=None), RUN)
    decoder = DirtyworkDecoder()
    events = [event for record in [*records([start()]), final] for event in decoder.feed(record)]
    assert of(events, RunEnded) == []
    assert [type(one) for one in decoder.finish(())] == [TreeMeasured, RequestEnded, RunEnded]
    assert list(decoder.finish(())) == []


def test_run_json_alone():
    """Without its transcript, run.json tells the task and the end, and says that it shows no calls."""
    about = About("rename", alone=True)
    verify = {"command": "make", "exit_code": 0, "passed": True}
    data = run_json(status="completed", changed=True, files_changed=["a"], verify=verify, last_assistant_text="Done.")
    events = list(DirtyworkDecoder(about).feed(document(data, RUN)))
    assert [type(one) for one in events] == [RunStarted, Prompted, Checked, TreeMeasured, RequestEnded, RunEnded]
    assert events[0].coverage["failed_writes"].sees == "none"
    assert events[4].text == "Done."


def test_a_rewritten_run_json_tells_only_its_news():
    """Being resumed and being judged are told once, and the end is not told again."""
    decoder = DirtyworkDecoder(About("rename", alone=True))
    first = list(decoder.feed(document(run_json(status="completed"), RUN)))
    later = run_json(status="completed", resumed_by="rename-2", verdict="reject", note="No.")
    assert len(of(first, RunEnded)) == 1
    assert [(one.name, one.text) for one in decoder.feed(document(later, RUN))] == [
        ("resumed_by", "rename-2"), ("verdict", "reject: No."),
    ]  # fmt: skip
    assert list(decoder.feed(document(later, RUN))) == []


def test_a_killed_run_leaves_its_calls_open():
    """Without an end, a call without a result is told as not known when no more will come."""
    decoder = DirtyworkDecoder()
    for record in records([start(), reply(("write_file", {"path": "a", "content": "x"}))]):
        decoder.feed(record)
    assert [(one.call, one.outcome) for one in decoder.finish(())] == [("t2.1", "unknown")]


def test_what_is_not_a_record():
    """Broken lines are unreadable, with the reason; unknown kinds are counted, not unreadable."""
    decoder = DirtyworkDecoder()
    lines = [b'{"ts": "x"', b"[1]", b'{"ts": "x"}', b'{"a": "\xff"}', line("brand_new"), line("brand_new")]
    events = [event for record in records(lines) for event in decoder.feed(record)]
    assert [one.why for one in events] == [
        "not JSON at character 11", "JSON, but no object", "a record without its kind", "not UTF-8",
    ]  # fmt: skip
    assert decoder.unknown_types == {"brand_new": 2}


def test_made_up_kinds_cannot_fill_the_memory():
    """A thousand unknown kinds are counted, the most of them together."""
    decoder = DirtyworkDecoder()
    for record in records([line(f"kind{number}") for number in range(1000)]):
        decoder.feed(record)
    assert len(decoder.unknown_types) <= 101
    assert sum(decoder.unknown_types.values()) == 1000


def test_wrong_types_everywhere_are_no_harm():
    """Fields of the wrong type are taken as missing."""
    for event in (
        "run_start",
        "assistant",
        "tool_result",
        "nudge",
        "verify",
        "firewall_denial",
        "run_end",
        "stray_kill",
    ):
        for wrong in (None, 7, True, [], {}, [{"name": []}], {"a": 1}):
            keys = ("task", "text", "tool_calls", "tool", "args", "result", "kind", "via", "status", "usage", "strays",
                    "files_changed", "changed", "verify", "feedback", "sandbox", "ts", "exit_code", "passed")  # fmt: skip
            data = json.dumps({"event": event} | dict.fromkeys(keys, wrong)).encode()
            assert not of(decode(data), Unreadable)


def test_nothing_unclean_comes_out():
    """Control characters in any text become visible where it enters."""
    evil = "\x1b]0;x\x07"
    events = decode(
        start(task=evil, model=evil, worktree=evil, feedback=evil),
        reply(("bash", {"command": evil}), text=evil, stop=evil),
        result("bash", {"command": evil}, f"exit code: 1\n{evil}", follow_up=evil),
        line("nudge", kind=evil, via="user"),
        line("guardrail_block", tool=evil, reason=evil),
        line("sandbox_reset", reason=evil, strays=[evil]),
        end(evil, error=evil, changed=None, changed_reason=evil, files_changed=[evil]),
    )
    assert "\x1b" not in repr(events)
    assert "\\x1b" not in repr(events)
