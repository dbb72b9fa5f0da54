"""What a saved session of lcode's tells, and what each new state of it adds."""

from __future__ import annotations

import pytest
from lcode_logs import (
    CIRCLES,
    CUT_OFF,
    CWD,
    EMPTY,
    ID,
    INTERRUPTED,
    assistant,
    checkpoint,
    of,
    saved,
    session,
    states,
    tool,
    user,
)

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
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)

READ = ("read_file", {"path": "a.py"})
SHELL = ("bash", {"command": "make"})
STOPPED = "404\n\n[exit code: 0]\n\n[lcode] 5 different calls to x.org failed (HTTP 404) and none worked, so lcode stopped the request here: it."
REPEATED = "a\n\n[lcode] You made this exact call 5 times in this request and got the same result each time, so lcode stopped the request here. Next"
SUMMARY = (
    "[Summary of our conversation so far]\n\nWe mended it.\n\n"
    "[The user's requests in this conversation, word for word, oldest first]\n"
)


def prompts(events):
    return [(one.text, one.by, one.into) for one in of(events, Prompted)]


def test_a_session_tells_thinking_calls_and_the_answer():
    """Each message at its index; the id is the file's name; there are no times."""
    events = saved(user("Mend it"), assistant(READ, thinking="Look."), tool("read_file", "1"), assistant(text="Done."))
    assert [(type(one), one.place.line) for one in events] == [
        (RunStarted, 0), (Prompted, 1), (Thought, 2), (ToolCalled, 2), (ReplyEnded, 2), (ToolReturned, 3), (Said, 4),
        (ReplyEnded, 4), (RequestEnded, 4),
    ]  # fmt: skip
    begun = events[0]
    assert (begun.agent, begun.session, begun.cwd, begun.lag, begun.coverage["stalls"].sees) == (
        "lcode", ID, CWD, "turn", "none",
    )  # fmt: skip
    assert all(one.at is None for one in events)
    assert len({one.place.item for one in events}) == len(events)


def test_only_what_is_new_is_told_again_and_again():
    """The document is rewritten before each step: what was told stays told."""
    first = (user("Mend it"), assistant(READ), tool("read_file", "1"))
    one, two, three = states(session(*first), session(*first, assistant(text="Done.")), session(*first))
    assert of(one, Prompted, ToolCalled, ToolReturned)
    assert [type(event) for event in two] == [Said, ReplyEnded, RequestEnded]
    assert [(event.kind, event.name) for event in three] == [("status", "rewound")]


def test_results_find_their_calls():
    """By id within their reply; without ids by their place in it."""
    events = saved(
        user("x"), assistant(READ, SHELL), tool("bash", "\n[exit code: 1]", "call_0_1"), tool("read_file", "1"),
        assistant(READ, SHELL, ids=False), tool("read_file", "1", None), tool("bash", "\n[exit code: 2]", None),
    )  # fmt: skip
    calls = of(events, ToolCalled)
    assert [one.call for one in of(events, ToolReturned)] == [calls[n].call for n in (1, 0, 2, 3)]
    assert [one.exit for one in of(events, ToolReturned)] == [1, None, None, 2]


@pytest.mark.parametrize(
    ("note", "stop", "raw"), [(CIRCLES, "stopped", "circles"), (CUT_OFF, "length", "cut_off"), (EMPTY, "end", "empty")]
)
def test_a_dropped_reply_leaves_the_harness_note(note, stop, raw):
    """The reply itself is gone: that it was, and why, is told with lcode's own words as the harness's."""
    events = saved(user("Mend it"), user(note))
    (end,) = of(events, ReplyEnded)
    assert (end.stop, end.raw, end.empty) == (stop, raw, True)
    assert prompts(events)[1][1:] == ("harness", "running")
    assert [(one.kind, one.name) for one in of(events, Noticed)] == ([("guard", "circles")] if raw == "circles" else [])


@pytest.mark.parametrize(
    ("note", "events"),
    [
        ("[lcode] You wrote a.sh in this request but never ran it. Run it now", [Prompted]),
        ("[lcode] Your last tool call could not be parsed (invalid JSON)", [Prompted]),
        ("[lcode] A review of your change against the user's request found:\n- x", [Prompted]),
        ("[lcode] Something that a later version says", [Prompted]),
        ("[lcode] The user saved a note that later sessions will see: x", [Noticed]),
        ('[lcode] The user undid the file changes from their request "x"', [Noticed]),
        ("[lcode] Your changes are done, but the project's checks fail: `a\nb` (exit code 2).\n\nno", [Checked, Prompted]),
    ],
)  # fmt: skip
def test_what_lcode_says_is_not_the_users(note, events):
    """A message that begins with its mark is the harness's, and begins no request."""
    told = [one for one in saved(user("Mend it"), user(note)) if one.place.line == 2]
    assert [type(one) for one in told] == events
    assert all(one.by == "harness" and one.into == "running" for one in of(told, Prompted))
    assert [(one.command, one.passed, one.exit) for one in of(told, Checked)] == (
        [("a\nb", False, 2)] if Checked in events else []
    )


def test_the_users_words_without_what_lcode_adds():
    """Attached files, plan mode, and the sheet that lcode pins to a request later are not the user's words."""
    added = (
        '\n\n<file path="a.py">\nx\n</file>',
        "\n\n[lcode] Plan mode is on: you can read",
        "\n\n[lcode: the user's message mentions the image x.png",
        "\n\n[The user wants the plan agent for this: call",
    )  # fmt: skip
    assert {prompts(saved(user(f"Mend it{more}"))) == [("Mend it", "user", "new")] for more in added} == {True}
    note = "use tabs\n\n[lcode] The user wrote this while you were working. Take it into account"
    assert prompts(saved(user("Mend it"), user(note)))[1] == ("use tabs", "user", "running")


def test_pruning_is_one_notice_and_no_new_message():
    """Old results become stubs, and a sheet is pinned to the request: nothing of it is told twice."""
    long = "x" * 500
    before = (user("one"), assistant(READ), tool("read_file", long), assistant(text="ok"), user("two"))
    after = (
        user("one"), assistant(READ), tool("read_file", "[lcode: read a.py earlier; its content was removed"),
        assistant(text="ok"), user("two\n\n[lcode] Task sheet: the plan"), assistant(text="Done."),
    )  # fmt: skip
    _, new = states(session(*before), session(*after))
    assert [(type(one), getattr(one, "name", "")) for one in new] == [
        (Noticed, "removed"), (Said, ""), (ReplyEnded, ""), (RequestEnded, ""),
    ]  # fmt: skip
    assert of(saved(*after), ToolReturned)[0].cut


@pytest.mark.parametrize(
    ("call", "stub", "outcome", "code"),
    [
        (READ, "read a.py earlier; its content was removed to save context", "ok", None),
        (("grep", {"pattern": "x"}), "grep(x) results removed to save context; run it again if needed.]", "ok", None),
        (SHELL, "ran `make` earlier, exit code 2; its output was removed to save context.]", "failed", 2),
        (SHELL, "ran `make` earlier, exit code 0; its output was removed to save context.]", "ok", 0),
        (SHELL, "ran `make` earlier; its output was removed to save context.]", "unknown", None),
        (("edit_file", {"path": "a.py"}), "edit_file result removed to save context.]", "unknown", None),
        (
            ("web_fetch", {"url": "https://x.org"}),
            "fetched https://x.org earlier; its text was removed",
            "unknown",
            None,
        ),
    ],
)
def test_a_removed_result_tells_what_its_stub_tells(call, stub, outcome, code):
    """Of a result that was removed before anybody read it only the stub is known: of a write not that it was made."""
    (result,) = of(saved(user("x"), assistant(call), tool(call[0], f"[lcode: {stub}")), ToolReturned)
    assert (result.outcome, result.exit, result.cut) == (outcome, code, True)
    assert [one.outcome for one in result.files] == (["unknown"] if call[0] == "edit_file" else [])


def test_a_summary_replaces_what_was_told():
    """The summary is a notice; what comes behind it are new messages, whatever their index was before."""
    old = (user("Mend it"), assistant(SHELL), tool("bash", "\n[exit code: 0]"), assistant(SHELL))
    got_it = assistant(text="Got it — I have the context from the summary and will continue.")
    new = (user(SUMMARY + '["Mend it"]'), got_it, assistant(READ), tool("read_file", "1"))
    first, second = states(session(*old), session(*new))
    assert [(type(one), one.place.line) for one in second] == [
        (Noticed, 1), (Said, 2), (ToolCalled, 3), (ReplyEnded, 3), (ToolReturned, 4),
    ]  # fmt: skip
    assert (second[0].kind, second[1].synthetic) == ("compaction", "filler")
    assert not {one.call for one in of(first, ToolCalled)} & {one.call for one in of(second, ToolCalled)}


def test_a_request_that_only_the_summary_keeps_is_told():
    """A prompt that was summed up before it was saved stands in the summary, word for word."""
    _, new = states(session(user("one"), assistant(text="ok")), session(user(SUMMARY + '["one", "two"]')))
    assert prompts(new) == [("two", "user", "new")]
    alone = saved(user(SUMMARY + '["one"]'))
    assert prompts(alone) == [("one", "user", "new")]
    assert alone[0].coverage["failed_writes"].sees == "partial"
    assert prompts(saved(user(SUMMARY + "no list"))) == []


def test_an_interrupted_answer_and_interrupted_calls():
    """The user's ctrl+c is no answer: one call was under way, those behind it never began."""
    cut = saved(user("x"), assistant(text="Half\n[interrupted by user]"))
    assert [one.text for one in of(cut, Said)] == ["Half"]
    assert [one.how for one in of(cut, RequestEnded)] == ["interrupted"]
    events = saved(
        user("x"), assistant(SHELL, READ), tool("bash", INTERRUPTED, None), tool("read_file", INTERRUPTED, None)
    )
    assert [one.outcome for one in of(events, ToolReturned)] == ["cancelled", "not_executed"]
    assert [one.how for one in of(events, RequestEnded)] == ["interrupted"]


@pytest.mark.parametrize(
    ("output", "status", "name"), [(STOPPED, "blocked", "unreachable"), (REPEATED, "loop", "repeat")]
)
def test_a_request_that_lcode_stopped_ends_with_its_status(output, status, name):
    """The last result says so; a stronger model that was asked instead, or an answer, goes on."""
    begun = (
        user("x"),
        assistant(SHELL, READ),
        tool("bash", output),
        tool("read_file", "Not run: lcode stopped the request before this call.", "call_0_1"),
    )
    events = saved(*begun)
    assert [(one.kind, one.name) for one in of(events, Noticed)] == [("guard", name)]
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok", "not_executed"]
    assert [one.status for one in of(events, RunEnded)] == [status]
    for more in (user("[lcode] You were stuck (x), so lcode asked"), assistant(text="I stop.")):
        assert of(saved(*begun, more), RunEnded) == []


def test_what_each_request_changed_stands_before_the_next_one():
    """Its own checkpoints measure a request when it is over; one without its end measures nothing."""
    one = (user("one"), assistant(text="ok"))
    two = (user("two"), assistant(text="ok"))
    events = saved(*one, *two, checkpoints=[checkpoint(1, "a.py"), checkpoint(3, "b.py"), checkpoint(3, "c", after="")])
    told = [(type(event), getattr(event, "files", ())) for event in of(events, Prompted, TreeMeasured)]
    assert told == [(Prompted, ()), (TreeMeasured, ("a.py",)), (Prompted, ()), (TreeMeasured, ("b.py",))]
    first, second = states(
        session(*one, checkpoints=[checkpoint(1, "a.py")]), session(*one, *two, checkpoints=[checkpoint(1, "a.py")])
    )
    assert len(of(first, TreeMeasured)) == 1
    assert of(second, TreeMeasured) == []
