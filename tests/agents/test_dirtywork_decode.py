"""What a dirtywork transcript says in the middle of a run, trap by trap."""

from __future__ import annotations

import json

from dirtywork_logs import (
    decode,
    line,
    of,
    records,
    reply,
    result,
    start,
)

from monitor.agents.dirtywork.decode import DirtyworkDecoder
from monitor.agents.dirtywork.started import About
from monitor.events import (
    Checked,
    Noticed,
    Prompted,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
)

NOT_FOUND = "ERROR: old_string occurs 0 times in a.xml; it must occur exactly once. Include more surrounding context."
EDIT = {"path": "a.xml", "old_string": "app: Hello", "new_string": "app: Hi"}


def end(status="completed", **fields):
    return line("run_end", status=status, turns=1, usage={"prompt_tokens": 10, "completion_tokens": 3}, **fields)


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
