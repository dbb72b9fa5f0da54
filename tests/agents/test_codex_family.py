"""Sub-agents of Codex as its records tell of them: who stands below whom, what is theirs, and when they are over."""

from __future__ import annotations

import codex_logs as logs
import pytest
from codex_agents import ROOT, activity, begun, child, root, spawned, starts, thread, told_by
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.codex.decode import CodexDecoder
from monitor.agents.codex.family import Family
from monitor.events import Prompted, ReplyEnded, RequestEnded, RunEnded, RunStarted, ToolCalled
from monitor.run.run import Run

FIRST, SECOND = thread(1), thread(2)


def fed(decoder, *batches):
    return [event for records in batches for record in records for event in decoder.feed(record)]


@pytest.mark.parametrize("tells", [activity(FIRST), spawned(FIRST)])
def test_who_started_it(tells):
    """The parent's record names the call, the sub-agent's own first line the parent; neither says it twice."""
    decoder = CodexDecoder()
    events = fed(decoder, logs.records([root(), tells, tells]))
    assert [one[:3] for one in starts(events)] == [(FIRST, "", "c1")]
    events = fed(decoder, told_by(FIRST, [child(FIRST)]))
    assert [one[:3] for one in starts(events)] == [(FIRST, "", "c1")]
    assert [one.session for one in events] == [FIRST]


def test_a_sub_agent_of_a_sub_agent():
    """It stands below the one that started it; where that one is not known, below the root until it is."""
    known = CodexDecoder()
    events = fed(
        known, logs.records([root()]), told_by(FIRST, [child(FIRST)]), told_by(SECOND, [child(SECOND, FIRST)], 2)
    )
    assert [one[:2] for one in starts(events)] == [(FIRST, ""), (SECOND, FIRST)]
    late = CodexDecoder()
    events = fed(
        late,
        logs.records([root()]),
        told_by(SECOND, [child(SECOND, FIRST)], 2),
        told_by(FIRST, [child(FIRST), activity(SECOND)]),
    )
    assert [one[:2] for one in starts(events)] == [(SECOND, ""), (FIRST, ""), (SECOND, FIRST)]


def test_no_circle_is_made():
    """Two that name each other as parent: one of them stands below the root."""
    decoder = CodexDecoder()
    events = fed(
        decoder,
        logs.records([root()]),
        told_by(FIRST, [child(FIRST, SECOND)]),
        told_by(SECOND, [child(SECOND, FIRST), activity(FIRST)], 2),
    )
    assert [one[:2] for one in starts(events)] == [(FIRST, ""), (SECOND, FIRST), (FIRST, "")]


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from(["", "x"])), max_size=12))
@settings(max_examples=60)
def test_every_way_up_ends(told):
    """Whatever is told in whatever order, from each sub-agent the way up comes to the root."""
    family = Family()
    family.root = "a"
    parents = {}
    for name, parent, call in told:
        for event in family.joins(name, parent, call):
            parents[event.actor] = event.parent
    for lowest in parents:
        above = lowest
        for _ in range(len(parents) + 1):
            above = parents.get(above, "")
        assert above == ""


def test_what_it_does_is_its_own():
    """Its calls and words are its actor's; it is over with its turn, and at work again once it is told more."""
    rows = [
        child(FIRST, agent_path="/root/fixer"), begun("t"), logs.user("Mend it"), logs.shell("c", "ls"), logs.output("c", "a.py"),
        logs.said("Mended."), logs.completed("Mended."), begun("u"), logs.user("More"),
    ]  # fmt: skip
    events = fed(CodexDecoder(), logs.records([root()]), told_by(FIRST, rows))[1:]
    assert {one.actor for one in events} == {FIRST}
    assert [one.by for one in logs.of(events, Prompted)] == ["harness", "harness"]
    assert [one.status for one in logs.of(events, RunEnded)] == ["completed"]
    run = Run()
    for event in events[: events.index(logs.of(events, RunEnded)[0]) + 1]:
        run.feed(event)
    assert not run.snapshot().actors[-1].running
    run.feed(events[-1])
    assert run.snapshot().actors[-1].running


@pytest.mark.parametrize(
    ("end", "status"),
    [
        (logs.told("turn_aborted", reason="interrupted"), "interrupted"),
        (logs.completed(None), "errored"),
        (logs.completed("Mended."), "completed"),
    ],
)
def test_how_it_ends(end, status):
    """Interrupted and without an answer are told from completed."""
    events = fed(CodexDecoder(), told_by(FIRST, [child(FIRST), begun("t"), logs.user("Mend it"), end]))
    assert [one.status for one in logs.of(events, RunEnded)] == [status]


def numbered(rows):
    return [{**row, "ordinal": number} for number, row in enumerate(rows)]


def test_a_fork_by_its_number():
    """Of a sub-agent that was handed its parent's history, all before its own first line is copied; its parent's start is not told."""
    rows = numbered([
        child(FIRST, forked_from_id=ROOT, subagent_history_start_ordinal=6), root(), begun("t"), logs.user("Do it"),
        logs.shell("c0", "ls"), logs.told("turn_aborted", reason="interrupted"),
        begun("t2"), logs.user("Mend it"), logs.said("Mended."), logs.completed("Mended."),
    ])  # fmt: skip
    events = fed(CodexDecoder(), logs.records([root()]), told_by(FIRST, rows))[1:]
    copied = [one for one in events if one.copied]
    assert [type(one) for one in copied] == [Prompted, ToolCalled, ReplyEnded, RequestEnded]
    assert [one.text for one in logs.of(events, Prompted) if not one.copied] == ["Mend it"]
    assert [one.actor for one in logs.of(events, RunStarted)] == [FIRST]
    assert len(logs.of(events, RunEnded)) == 1
    run = Run()
    for event in events:
        run.feed(event)
    assert (run.snapshot().actors[-1].turns, run.snapshot().run.calls) == (1, 0)


def test_a_fork_of_an_older_version():
    """Where no line says it, what comes before the first turn that is younger than the thread was copied."""
    own = thread(5)
    rows = [
        logs.meta(id=own, forked_from_id=ROOT),
        root(),
        begun(thread(1)),
        logs.user("Old"),
        begun(thread(6)),
        logs.user("New"),
    ]
    told = logs.of(logs.decode(*rows), Prompted)
    assert [(one.text, one.copied) for one in told] == [("Old", True), ("New", False)]
    plain = [logs.meta(id=own), logs.meta(id=own), begun(thread(1)), logs.user("Old")]
    assert [one.copied for one in logs.of(logs.decode(*plain), Prompted)] == [False]


def test_words_between_agents():
    """What one tells another stands in its log; words for its model alone are not shown, and begin no request of the user's."""
    message = logs.item(
        "agent_message", author="/root", recipient="/root/fixer",
        content=[{"type": "input_text", "text": "Message Type: NEW_TASK\nPayload:\n"}, {"type": "encrypted_content", "encrypted_content": "gAAAB"}],
    )  # fmt: skip
    (told,) = fed(CodexDecoder(), told_by(FIRST, [message]))
    assert (told.by, told.into, told.actor) == ("harness", "new", FIRST)
    assert "gAAAB" not in told.text
    assert "encrypted" in told.text
    answer = logs.item(
        "agent_message",
        author="/root/fixer",
        content=[{"type": "input_text", "text": "Message Type: FINAL_ANSWER\nPayload:\nDone."}],
    )
    (told,) = logs.decode(answer)
    assert (told.by, told.into, told.text.splitlines()[-1]) == ("harness", "running", "Done.")


def test_a_hundred():
    """A hundred sub-agents stand below their root, each with what it did."""
    decoder, run = CodexDecoder(), Run()
    names = [thread(number) for number in range(1, 101)]
    batches = [logs.records([root(), *(activity(name, f"c{name}") for name in names)])]
    batches += [told_by(name, [child(name), logs.shell("c", "ls")], index) for index, name in enumerate(names, 1)]
    for event in fed(decoder, *batches):
        run.feed(event)
    actors = [one for one in run.snapshot().actors if one.id]
    assert {(one.parent, one.calls, one.running) for one in actors} == {("", 1, True)}
    assert len(actors) == 100


def test_a_copy_goes_on_alone():
    """A copy of the decoder knows the family; what one learns afterwards the other does not."""
    decoder = CodexDecoder()
    fed(decoder, logs.records([root(), activity(FIRST)]))
    other = decoder.copy()
    assert starts(fed(other, logs.records([activity(SECOND)])))
    assert starts(fed(decoder, logs.records([activity(SECOND)])))
    assert starts(fed(decoder, logs.records([activity(FIRST)]))) == []
