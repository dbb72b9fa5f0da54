"""Sub-agents, in streams and in their own files."""

from __future__ import annotations

from claude_lines import (
    assistant,
    decode,
    final,
    init,
    line,
    of,
    only,
    prompt,
    records,
    result,
    row,
    streamed,
    text,
    use,
)

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.events import Prompted, ReplyEnded, RequestEnded, RunEnded, RunStarted, Said, ToolCalled, ToolReturned

CHILD = "af395116c14da7fa9"
DELEGATE = use("t1", "Agent", description="look around", prompt="do the child job")
LAUNCHED = {"isAsync": True, "status": "async_launched", "agentId": CHILD, "description": "look around"}
NOTIFICATION = (
    f"<task-notification>\n<task-id>{CHILD}</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n"
    '<summary>Agent "look around" finished</summary>\n</task-notification>'
)


def from_child(*blocks, **more):
    return streamed(assistant(*blocks, **more), parent="t1", agent=CHILD)


def whole_stream():
    """A stream in which the root answers while its sub-agent runs, and again when it has ended."""
    task = {"task_id": CHILD, "tool_use_id": "t1"}
    return (
        init(),
        streamed(assistant(DELEGATE)),
        line("system", subtype="task_started", description="look around", subagent_type="general-purpose",
             task_type="local_agent", prompt="do the child job", **task),
        streamed(result("t1", [{"type": "text", "text": "Async agent launched successfully."}], report=LAUNCHED)),
        streamed(assistant(text("Started it."), mid="m2")),
        from_child(use("c1", "Bash", command="ls"), mid="c-m1"),
        streamed(result("c1", "a"), parent="t1", agent=CHILD),
        from_child(text("child done"), mid="c-m2"),
        line("system", subtype="task_updated", patch={"status": "completed"}, **task),
        line("system", subtype="task_notification", status="completed", summary="child done", **task),
        init(),
        streamed(assistant(text("All done."), mid="m3")),
        final(said="Started it."),
        final(said="All done.", origin={"kind": "task-notification"}),
    )  # fmt: skip


def test_a_sub_agent_in_a_stream():
    """It is an actor of its own, named by its id, with its parent, its call and its task."""
    events = decode(*whole_stream())
    started = next(event for event in of(events, RunStarted) if event.actor == CHILD)
    assert (started.parent, started.parent_call, started.task) == ("", "t1", "look around")
    told = [event for event in of(events, Prompted) if event.actor == CHILD]
    assert [(event.text, event.by) for event in told] == [("do the child job", "harness")]
    assert [event.call for event in of(events, ToolCalled) if event.actor == CHILD] == ["c1"]
    ended = [event for event in of(events, RunEnded) if event.actor == CHILD]
    assert [event.status for event in ended] == ["completed"]


def test_the_first_result_is_not_the_end():
    """With a sub-agent in the background one run has two results and two claims, and ends once."""
    events = decode(*whole_stream())
    assert [event.text for event in of(events, RequestEnded)] == ["Started it.", "All done."]
    assert [event.status for event in of(events, RunEnded) if not event.actor] == ["completed"]
    assert [(event.text, event.by) for event in of(events, Prompted) if not event.actor] == [("", "user")]


def test_a_result_while_a_sub_agent_runs_ends_nothing():
    """A result line before the sub-agent's end is the end of a turn, not of the run."""
    events = decode(*whole_stream()[:5], final(said="Started it."))
    assert only(events, RequestEnded).text == "Started it."
    assert of(events, RunEnded) == []


def test_a_sub_agent_known_only_by_its_call():
    """Where a stream gives no agent id, the call that started it names it, the same throughout."""
    said = streamed(assistant(text("hi"), mid="c1"), parent="t1")
    events = decode(init(), streamed(assistant(DELEGATE)), said)
    assert only(events, Said).actor == "t1"
    known = decode(*whole_stream()[:3], said)
    assert of(known, Said)[-1].actor == CHILD


def transcript_of_root():
    return (
        prompt("go"),
        assistant(DELEGATE, stop="tool_use"),
        result("t1", "Async agent launched successfully.", report=LAUNCHED),
        assistant(text("Started it."), mid="m2", stop="end_turn"),
        prompt(NOTIFICATION, origin={"kind": "task-notification"}, at="2026-11-30T07:40:00.000Z"),
        assistant(text("All done."), mid="m3", stop="end_turn"),
    )


def transcript_of_child():
    return (
        prompt("do the child job", agent=CHILD),
        assistant(use("c1", "Bash", command="ls"), mid="c-m1", stop="tool_use", agent=CHILD),
        result("c1", "a", agent=CHILD),
        assistant(text("child done"), mid="c-m2", stop="end_turn", agent=CHILD),
    )


def test_a_sub_agents_own_file():
    """Its rows are the same actor's as in the stream; its prompt is the harness's, and its answer claims nothing."""
    decoder = ClaudeDecoder()
    root = decode(*transcript_of_root(), decoder=decoder, finish=False)
    child = decode(*transcript_of_child(), decoder=decoder, role="subagent", index=1, actor=CHILD)
    assert {event.actor for event in child} == {CHILD}
    assert (only(child, Prompted).by, only(child, Prompted).text) == ("harness", "do the child job")
    assert of(child, RequestEnded) == []
    assert [event.stop for event in of(child, ReplyEnded)] == ["tools", "end"]
    started = next(event for event in of(root, RunStarted) if event.actor)
    assert (started.actor, started.parent_call, started.task) == (CHILD, "t1", "look around")
    ended = next(event for event in of(root, RunEnded) if event.actor)
    assert (ended.actor, ended.status, ended.reason) == (CHILD, "completed", 'Agent "look around" finished')
    assert [event.by for event in of(root, Prompted)] == ["user", "harness"]


def test_rows_that_are_only_read_late_reopen_nothing():
    """A sub-agent's rows from before its end, read after it, do not make it run again; later ones do."""
    decoder = ClaudeDecoder()
    decode(*transcript_of_root(), decoder=decoder, finish=False)
    decode(*transcript_of_child(), decoder=decoder, role="subagent", index=1, actor=CHILD, finish=False)
    again = decode(prompt(NOTIFICATION, at="2026-11-30T07:50:00.000Z"), decoder=decoder, finish=False)
    assert of(again, RunEnded) == []
    more = (prompt("and this", agent=CHILD, at="2026-11-30T07:55:00.000Z"),)
    decode(*more, decoder=decoder, role="subagent", index=1, actor=CHILD, finish=False)
    third = decode(prompt(NOTIFICATION, at="2026-11-30T07:59:00.000Z"), decoder=decoder, finish=False)
    assert only(third, RunEnded).actor == CHILD


def test_the_file_beside_a_sub_agents_transcript():
    """It names the call and the task; `finished` ends the sub-agent once its last reply has been read, in any order."""
    described = {"description": "look around", "toolUseId": "t1", "finished": True}
    for last in (False, True):
        decoder = ClaudeDecoder()
        meta, rows = {"role": "meta", "index": 2, "actor": CHILD}, {"role": "subagent", "index": 1, "actor": CHILD}
        told = [] if last else decode(described, decoder=decoder, finish=False, **meta)
        told += decode(*transcript_of_child(), decoder=decoder, finish=False, **rows)
        told += decode(described, decoder=decoder, finish=False, **meta) if last else []
        ended = only(told, RunEnded)
        assert (ended.actor, ended.status, ended.at) == (CHILD, "completed", 1796024182.0)
        assert [event.parent_call for event in of(told, RunStarted)].count("t1") >= 1


def test_a_sub_agent_that_was_waited_for():
    """A call that waits returns with its sub-agent's end."""
    done = {"status": "completed", "agentId": CHILD, "content": [{"type": "text", "text": "found it"}]}
    events = decode(assistant(DELEGATE), result("t1", [{"type": "text", "text": "found it"}], report=done))
    assert only(events, ToolReturned).output == "found it"
    assert (only(events, RunEnded).actor, only(events, RunEnded).status) == (CHILD, "completed")


def test_a_sub_agents_file_read_alone():
    """Opened by itself, the sub-agent is the root."""
    events = decode(*transcript_of_child(), role="alone")
    assert {event.actor for event in events} == {""}
    assert only(events, RequestEnded).text == "child done"


def test_rows_of_sub_agents_without_a_name():
    """In old transcripts sub-agents stand in the root's file, told apart by the row they follow."""
    first, other = row("user", message={"content": "one"}), row("user", message={"content": "two"})
    first |= {"isSidechain": True, "uuid": "aaaaaaaa-1", "parentUuid": None}
    other |= {"isSidechain": True, "uuid": "bbbbbbbb-1", "parentUuid": None}
    reply = assistant(text("hi")) | {"isSidechain": True, "parentUuid": "aaaaaaaa-1"}
    events = decode(prompt("go"), first, other, reply)
    assert [event.actor for event in of(events, Prompted)] == ["", "sidechain-aaaaaaaa", "sidechain-bbbbbbbb"]
    assert only(events, Said).actor == "sidechain-aaaaaaaa"


def test_a_command_in_the_background_ends():
    """Its notification is the second result of its call, with the exit code; it is no sub-agent's end."""
    told = NOTIFICATION.replace(CHILD, "b77").replace("completed", "failed")
    told = told.replace('Agent "look around" finished', 'Background command "make" failed with exit code 2')
    events = decode(
        assistant(use("t1", "Bash", command="make", run_in_background=True)),
        result("t1", "Command running in background with ID: b77.", error=False),
        prompt(told, origin={"kind": "task-notification"}),
    )
    first, second = of(events, ToolReturned)
    assert (first.background, first.outcome) == (True, "ok")
    assert (second.call, second.background, second.outcome, second.exit) == ("t1", False, "failed", 2)
    assert of(events, RunEnded) == []


def test_a_notification_of_a_task_that_is_not_known():
    """An id of a sub-agent ends that sub-agent, though nothing else of it was seen; any other ends nothing."""
    events = decode(prompt(NOTIFICATION))
    assert only(events, Prompted).by == "harness"
    assert only(events, RunEnded).actor == CHILD
    assert of(decode(prompt(NOTIFICATION.replace(CHILD, "w1x94eiqe"))), RunEnded, ToolReturned) == []


def test_the_process_says_that_it_waits():
    """The session's own file tells what a transcript never says: that it waits, for what, and that it no longer does."""
    decoder = ClaudeDecoder()
    told = []
    for status in ({"status": "waiting", "waitingFor": "permission prompt"}, {"status": "busy"}, {"status": "idle"}):
        made = {"pid": 1, "statusUpdatedAt": 1796024400761} | status
        told += [one for record in records([made], role="process", index=3) for one in decoder.feed(record)]
    assert [(event.on, event.about, event.over, event.at) for event in told] == [
        ("approval", "permission prompt", False, 1796024400.761), ("approval", "", True, 1796024400.761),
    ]  # fmt: skip


def test_a_sub_agent_of_a_sub_agent_stands_below_it():
    """Whoever is read first, its file or the call that started it: its parent is the one that made the call."""
    inner = {"role": "subagent", "index": 1, "actor": "b2"}
    outer = {"role": "subagent", "index": 2, "actor": "a1"}
    below = {"role": "meta", "index": 3, "actor": "b2"}
    call = assistant(use("t9", "Agent", description="level 2", prompt="deeper"), agentId="a1", isSidechain=True)
    for first in (True, False):
        decoder = ClaudeDecoder()
        parts = [
            lambda decoder=decoder: decode(call, decoder=decoder, finish=False, **outer),
            lambda decoder=decoder: decode(
                {"description": "level 2", "toolUseId": "t9"}, decoder=decoder, finish=False, **below
            ),
        ]
        told = decode(prompt("deeper", agentId="b2", isSidechain=True), decoder=decoder, finish=False, **inner)
        for part in parts if first else reversed(parts):
            told += part()
        started = [event for event in of(told, RunStarted) if event.actor == "b2"]
        assert (started[-1].parent, started[-1].parent_call) == ("a1", "t9"), first
        assert "level 2" in [event.task for event in started]
        assert decode(call, decoder=decoder, finish=False, **outer) == []
