"""The order of events, requests and turns."""

from __future__ import annotations

from monitor.events import Prompted, ReplyEnded, RequestEnded, Said, ToolCalled, ToolReturned
from monitor.run.numbering import Numbering


def numbers(events):
    numbering = Numbering()
    return [(event.seq, event.request, event.turn) for event in map(numbering.number, events)]


def test_dense():
    """Every event gets the next number."""
    assert [seq for seq, _, _ in numbers([Said(text="a"), Said(text="b"), Prompted(text="c")])] == [0, 1, 2]


def test_request_begins_with_a_user_prompt():
    """A user's prompt begins a request, a hook's or the harness's never does."""
    events = [
        Prompted(text="do it"),
        RequestEnded(text="done"),
        Prompted(text="not yet", by="harness"),
        RequestEnded(text="done"),
        Prompted(text="hook", by="hook"),
        RequestEnded(text="done"),
        Prompted(text="more"),
    ]
    assert [request for _, request, _ in numbers(events)] == [1, 1, 1, 1, 1, 1, 2]


def test_operator_before_the_answer_begins_no_request():
    """The operator's words belong to the request they fall into, and begin one only after its answer."""
    events = [
        Prompted(text="do it"),
        Prompted(text="this way", by="operator", into="running"),
        RequestEnded(text="done"),
        Prompted(text="apply my feedback", by="operator"),
    ]
    assert [request for _, request, _ in numbers(events)] == [1, 1, 1, 2]


def test_words_into_the_running_request():
    """A user's message into the running request does not begin another."""
    assert numbers([Prompted(text="a"), Prompted(text="b", into="running")])[1][1] == 1


def test_turns_by_message():
    """Each new message is a turn; a message told again keeps its own."""
    events = [
        Said(text="a", message="m1", delta=True),
        ToolCalled(call="1", message="m1"),
        Said(text="b", message="m2"),
        Said(text="a", message="m1"),
        ReplyEnded(message="m2"),
        ReplyEnded(message="m2"),
    ]
    assert [turn for _, _, turn in numbers(events)] == [1, 1, 2, 1, 2, 2]


def test_turns_without_message_ids():
    """Without message ids a turn goes on until a result, a prompt or its end."""
    events = [
        Said(text="a"),
        ToolCalled(call="1"),
        ToolReturned(call="1"),
        ToolCalled(call="2"),
        ReplyEnded(),
        Said(text="b"),
    ]
    assert [turn for _, _, turn in numbers(events)] == [1, 1, 1, 2, 2, 3]


def test_actors_have_turns_of_their_own():
    """A sub-agent's replies do not advance the root's turns."""
    events = [Said(text="a", message="m1"), Said(text="x", message="m2", actor="child"), Said(text="b", message="m3")]
    assert [turn for _, _, turn in numbers(events)] == [1, 1, 2]


def test_copied_replies_are_no_turns():
    """What a sub-agent was handed of its parent's history counts as no turn of its own; nor does it answer a request."""
    copied = [
        Prompted(text="do it", copied=True), Said(message="r1", text="I will.", actor="a", copied=True),
        ToolCalled(call="c", message="r1", actor="a", copied=True), RequestEnded(text="Done.", copied=True),
    ]  # fmt: skip
    own = Said(message="r1", text="Mine.", actor="a")
    assert [turn for _, _, turn in numbers([*copied, own])] == [0, 0, 0, 0, 1]
    begun = [Prompted(text="a"), RequestEnded(copied=True), Prompted(text="b", by="operator")]
    assert [request for _, request, _ in numbers(begun)] == [1, 1, 1]


def test_copied_prompts_begin_nothing():
    """A prompt copied from an older run begins no request."""
    assert numbers([Prompted(text="old", copied=True), Prompted(text="new")])[1][1] == 1


def test_copy_goes_on_alone():
    """A copy numbers on without the original noticing."""
    numbering = Numbering()
    numbering.number(Said(text="a", message="m"))
    other = numbering.copy()
    other.number(Said(text="b", message="n"))
    assert numbering.number(Said(text="c", message="n")).turn == 2
    assert numbering.seq == 1


def test_neither_of_two_copies_notices_the_other():
    """However often copies are taken, and whichever goes on first, each counts the turns of each actor for itself."""
    first = Numbering()
    for actor in ("", "child"):
        first.number(Said(text="a", message="m1", actor=actor))
    second, third = first.copy(), first.copy()
    for numbering, more in ((first, 3), (third, 1), (second, 2)):
        for number in range(more):
            numbering.number(Said(text="b", message=f"n{number}", actor="child"))
    after = [one.number(Said(text="c", message="last", actor="child")).turn for one in (first, second, third)]
    assert after == [5, 4, 3]
    assert [one.number(Said(text="c", message="last")).turn for one in (first, second, third)] == [2, 2, 2]
