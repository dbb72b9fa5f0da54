"""What Aider's chat history tells."""

from __future__ import annotations

import pytest
from aider_logs import BLOCK, HEAD, QUOTED, asked, decoded, of, records, reply

from monitor.agents.aider.decode import AiderDecoder
from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.streams.record import Input, Record


def test_a_session_from_its_task_to_its_claim():
    """The session's head, the task, the reply, the edit that was applied, what it cost, and the answer."""
    text = (
        HEAD
        + asked("Mend a.py")
        + reply("I change x.", "", BLOCK)
        + "> Applied edit to a.py\n> Commit 1a2b3c4 fix: x\n"
    )
    events = decoded(text)
    told = of(events, RunStarted)
    assert (told[0].agent, told[0].session) == ("aider", "2026-01-01 10:00:00")
    assert [one.version for one in told if one.version] == ["0.50.0"]
    assert [one.model for one in told if one.model] == ["some/model"]
    assert [(one.text, one.by) for one in of(events, Prompted)] == [("Mend a.py", "user")]
    words = "".join(one.text for one in of(events, Said))
    assert words.startswith("I change x.\n")
    assert "SEARCH" not in words
    assert "x = 2" not in words
    first, second = of(events, ToolCalled)
    assert (first.partial, second.partial, first.call) == (True, False, second.call)
    (change,) = second.changes
    assert (change.file, change.op, change.old, change.new) == ("a.py", "edit", "    x = 1", "    x = 2")
    assert [(one.outcome, one.files[0].file) for one in of(events, ToolReturned)] == [("ok", "a.py")]
    (used,) = of(events, Used)
    assert (used.tokens.input, used.tokens.output, used.tokens.cache_read, used.cost) == (2_500, 12, 1_000, 0.03)
    assert [one.stop for one in of(events, ReplyEnded)] == ["tools"]
    assert [(one.how, "SEARCH" in one.text) for one in of(events, RequestEnded)] == [("answered", False)]


def test_text_that_looks_like_aiders_own():
    """Headings and quotes within a block, or in a reply, are the model's as long as they do not end as Aider's lines do."""
    block = BLOCK.replace("    x = 1", "#### Title").replace("    x = 2", "> quote")
    decoder, events = AiderDecoder(), []
    for record in records(HEAD + asked("x")):
        events += decoder.feed(record)
    for number, line in enumerate(("Look:", "> a quote", *block.split("\n")), 100):
        events += decoder.feed(Record(Input(0, "a", "history"), number, 0, len(line) + 1, line.encode()))
    (call,) = of(events, ToolCalled)
    assert (call.changes[0].old, call.changes[0].new) == ("#### Title", "> quote")
    assert len(of(events, Prompted)) == 1


def test_a_reply_that_was_cut_off():
    """A block that a prompt breaks off is no change, and a reply whose end is not told is no answer."""
    text = (
        HEAD
        + asked("a")
        + reply("Done.")
        + asked("b")
        + "\nI change x.\n\na.py\n<<<<<<< SEARCH\nx\n\n"
        + asked("/undo")
        + asked("c")
    )
    events = decoded(text)
    assert [one.text for one in of(events, Prompted)] == ["a", "b", "c"]
    assert [one.how for one in of(events, RequestEnded)] == ["answered", "interrupted"]
    assert not of(events, ToolCalled)


def test_what_the_user_types():
    """Several lines are one prompt; commands to Aider are no requests, those that ask the model are."""
    text = (
        HEAD
        + "\n#### Mend a.py\n#### and b.py\n"
        + reply("Done.")
        + asked("/clear")
        + asked("/ask why?")
        + asked("<blank>")
    )
    events = decoded(text)
    assert [one.text for one in of(events, Prompted)] == ["Mend a.py\nand b.py", "why?"]
    assert [one.text for one in of(events, Noticed)] == ["/clear"]


@pytest.mark.parametrize(
    ("lines", "how"),
    [
        ("> ^C KeyboardInterrupt\n", "interrupted"),
        ("> litellm.InternalServerError: no server\n", "error"),
        ("> Unexpected error: litellm.APIConnectionError: no\n", "error"),
        ("> litellm.APIError: no\n> Retrying in 0.2 seconds...\n" + reply("Done."), "answered"),
    ],
)
def test_how_a_request_ended(lines, how):
    """An interruption and an error that nothing followed are no claims."""
    assert [one.how for one in of(decoded(HEAD + asked("x") + lines), RequestEnded)] == [how]


def test_costs_on_a_line_of_their_own():
    """What Aider says may go on in the next line, which is no reply."""
    text = HEAD + asked("x") + "\nDone.\n\n"
    decoder, events = AiderDecoder(), []
    lines = [record.data for record in records(text)] + [
        b"> Tokens: 20,069 sent, 400 received.",
        b"Cost: $0.07 message, $0.09 session. Use --no-stream for accurate caching costs.  ",
        b"> Applied edit to a.py  ",
    ]
    for number, line in enumerate(lines, 1):
        events += decoder.feed(Record(Input(0, "a", "history"), number, 0, len(line) + 1, line))
    assert [(one.tokens.input, one.cost) for one in of(events, Used)] == [(20_069, None), (20_069, 0.07)]
    assert len({one.key for one in of(events, Used)}) == 1
    assert len(of(events, ReplyEnded)) == 1


def test_what_the_harness_asks_and_runs():
    """Errors it hands back begin no request; of a command it runs the end is not told."""
    events = decoded(
        HEAD + asked("x") + reply("Done.") + "> # Fix any errors below, if possible.\n> a.py:1: E1\n> Running make\n"
    )
    assert [one.by for one in of(events, Prompted)] == ["user", "harness"]
    (call,), (result,) = of(events, ToolCalled), of(events, ToolReturned)
    assert (call.kind, call.command, result.outcome) == ("shell", "make", "unknown")


def test_the_next_session_ends_this_one():
    """With another heading the session is over, and what follows is not its own."""
    events = decoded(HEAD + asked("a") + reply("Done.") + HEAD + asked("b"))
    assert [one.text for one in of(events, Prompted)] == ["a"]
    assert [one.how for one in of(events, RequestEnded)] == ["answered"]
    assert len(of(events, RunEnded)) == 1


def test_texts_are_read_back_from_where_they_stand():
    """An edit's place holds its file's name and all its lines, and a failure's the whole notice."""
    text = HEAD + asked("Mend a.py") + reply("I change x.", "", BLOCK) + QUOTED
    data = b"\n".join(record.data for record in records(text)) + b"\n"
    for event in of(decoded(text), ToolCalled, ToolReturned, Prompted):
        part = data[event.place.offset : event.place.offset + event.place.length]
        decoder = AiderDecoder()
        alone = [
            told
            for number, line in enumerate(part.removesuffix(b"\n").split(b"\n"))
            for told in decoder.feed(
                Record(Input(0, "a", "history"), event.place.line + number, event.place.offset, 1, line)
            )
        ]
        (same,) = {type(one): one for one in alone if isinstance(one, type(event))}.values()
        assert getattr(same, "changes", getattr(same, "output", "")) == getattr(
            event, "changes", getattr(event, "output", "")
        )
        assert getattr(same, "text", "") == getattr(event, "text", "")
