"""What Aider's chat history tells."""

from __future__ import annotations

import pytest

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
from monitor.run import Run
from monitor.streams.record import Input, Record

HEAD = """
# aider chat started at 2026-01-01 10:00:00

> Aider v0.50.0
> Models: some/model with diff edit format, weak model other
> Git repo: .git with 3 files
"""
BLOCK = """a.py
```python
<<<<<<< SEARCH
    x = 1
=======
    x = 2
>>>>>>> REPLACE
```
"""
TOKENS = "> Tokens: 2.5k sent, 1,000 cache hit, 12 received. Cost: $0.03 request, $0.05 session."
QUOTED = """> The LLM did not conform to the edit format.
> https://aider.chat/docs/troubleshooting/edit-errors.html
> # 1 SEARCH/REPLACE block failed to match!
>
> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py
> <<<<<<< SEARCH
> x = 1
> =======
> x = 2
> >>>>>>> REPLACE
>
> The SEARCH section must exactly match an existing block of lines
"""


def asked(text) -> str:
    return f"\n#### {text}\n"


def reply(*texts) -> str:
    return "\n" + "\n".join(texts) + "\n\n" + TOKENS + "\n"


def records(text, first=1):
    """The lines as Aider writes them: its own, and the user's, end in two spaces."""
    source, offset, out = Input(0, ".aider.chat.history.md", "history"), 0, []
    for number, line in enumerate(text.split("\n"), first):
        told = f"{line}  " if line.startswith(("> ", "#### ")) else line
        data = told.encode()
        out.append(Record(source, number, offset, len(data) + 1, data, 5.0))
        offset += len(data) + 1
    return out


def decoded(text, *, over=True) -> list:
    decoder = AiderDecoder()
    events = [event for record in records(text) for event in decoder.feed(record)]
    return [*events, *decoder.finish([Input(0, "a", "history")])] if over else events


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]


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


def test_a_block_that_did_not_match():
    """The notice names the block it quotes; its result is a text that was not found."""
    events = decoded(
        HEAD + asked("Mend a.py") + reply(BLOCK) + QUOTED + reply("Once more.", "", BLOCK) + "> Applied edit to a.py\n"
    )
    assert [(one.outcome, one.failure) for one in of(events, ToolReturned)] == [("failed", "not_found"), ("ok", "")]
    calls = [one.call for one in of(events, ToolCalled) if not one.partial]
    assert [one.call for one in of(events, ToolReturned)] == calls
    assert "failed to exactly match" in of(events, ToolReturned)[0].output


def test_failed_blocks_stay_outstanding():
    """Until one is applied; where Aider gives up, the request ended at its limit."""
    run = Run()
    for event in decoded(
        HEAD + asked("Mend a.py") + reply(BLOCK) + QUOTED + "> Only 3 reflections allowed, stopping.\n"
    ):
        run.feed(event)
    assert run.snapshot().writes.outstanding == 1
    assert run.snapshot().verdict.state == "stopped"


def test_a_reply_whose_edit_failed_is_no_answer():
    """Its words were said before the edit failed; where nothing follows, the request was broken off."""
    refused = "> The LLM did not conform to the edit format.\n> https://aider.chat/x\n> Missing filename\n"
    broken = "> Exception while updating files:\n"
    for notice in (QUOTED, refused, broken):
        text = HEAD + asked("x") + reply("This mends it.", "", BLOCK) + notice
        assert [one.how for one in of(decoded(text), RequestEnded)] == ["interrupted"], notice
        assert [one.how for one in of(decoded(text + reply("It was there.")), RequestEnded)] == ["answered"], notice


@pytest.mark.parametrize(
    ("name", "said", "failure"),
    [
        ("UnifiedDiffNoMatch", "does not contain lines", "not_found"),
        ("UnifiedDiffNotUnique", "contains multiple sets of lines", "ambiguous"),
    ],
)
def test_a_diff_that_did_not_apply(name, said, failure):
    """The notice names the file, which stays outstanding until an edit to it is applied; two diffs are never the same."""
    diff = "```diff\n--- src/a.py\n+++ src/a.py\n@@ ... @@\n-x = 1\n+x = 2\n```"
    refused = (
        f"> The LLM did not conform to the edit format.\n> https://aider.chat/x\n>\n> {name}: hunk failed to apply!\n>\n"
        f"> src/a.py {said} that match the diff you provided!\n> Try again.\n>\n> src/a.py does not contain these 1 exact lines\n"
    )
    events = decoded(HEAD + asked("x") + 2 * (reply("This mends it.", "", diff) + refused))
    told = of(events, ToolReturned)
    assert [(one.outcome, one.failure, one.files[0].file) for one in told] == 2 * [("failed", failure, "src/a.py")]
    assert [one.how for one in of(events, RequestEnded)] == ["interrupted"]
    run = Run()
    for event in events:
        run.feed(event)
    assert run.snapshot().writes.outstanding == 1
    assert not [one for one in run.snapshot().findings if one.detector == "repeats"]
    more = decoded(HEAD + asked("x") + reply(diff) + refused + reply(diff) + "> Applied edit to src/a.py\n")
    assert [one.outcome for one in of(more, ToolReturned)] == ["failed", "ok"]


def test_what_aider_finds_in_the_file():
    """That the new lines are there already is told beside the failure, which stands."""
    told = "> Are you sure you need this SEARCH/REPLACE block?\n> The REPLACE lines are already in a.py!\n"
    events = decoded(HEAD + asked("x") + reply(BLOCK) + QUOTED + told)
    assert [one.text for one in of(events, Noticed)] == ["The REPLACE lines are already in a.py!"]
    assert [one.outcome for one in of(events, ToolReturned)] == ["failed"]


def test_of_two_blocks_one_did_not_match():
    """What Aider says of the others, and of each file, tells their fate."""
    other = BLOCK.replace("a.py", "b.py")
    events = decoded(
        HEAD
        + asked("x")
        + reply(BLOCK, other)
        + QUOTED
        + "> # The other 1 SEARCH/REPLACE block was applied successfully.\n"
    )
    assert [(one.files[0].file, one.outcome) for one in of(events, ToolReturned)] == [
        ("a.py", "failed"),
        ("b.py", "ok"),
    ]


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        (
            "> The LLM did not conform to the edit format.\n> https://aider.chat/x\n> Missing filename\n",
            ("failed", "arguments"),
        ),
        ("> Did not apply edit to a.py (--dry-run)\n", ("not_executed", "")),
        ("> Skipping edits to a.py\n", ("denied", "")),
        ("> Exception while updating files:\n", ("failed", "other")),
    ],
)
def test_edits_that_were_not_made(notice, expected):
    """A reply that could not be read, a dry run, a person's no, and an error are told apart."""
    (result,) = of(decoded(HEAD + asked("x") + reply(BLOCK) + notice), ToolReturned)
    assert (result.outcome, result.failure) == expected


def test_a_block_that_was_never_closed():
    """It is a failed change where Aider says that it could not read it."""
    broken = BLOCK.replace(">>>>>>> REPLACE", "=======")
    refused = "> The LLM did not conform to the edit format.\n> https://aider.chat/x\n> Expected REPLACE\n"
    events = decoded(HEAD + asked("x") + reply(broken) + refused)
    assert [(one.changes[0].file, one.changes[0].old) for one in of(events, ToolCalled)] == [("a.py", "    x = 1")]
    assert [(one.outcome, one.failure) for one in of(events, ToolReturned)] == [("failed", "arguments")]


def test_an_edit_that_nothing_is_said_of():
    """What was only proposed stays a call without its end, and opens nothing."""
    run = Run()
    for event in decoded(HEAD + asked("/ask how?") + reply(BLOCK) + asked("thanks")):
        run.feed(event)
    assert run.snapshot().writes.outstanding == 0


def test_a_whole_file():
    """A file applied without a block was written whole."""
    (call,) = of(
        decoded(HEAD + asked("x") + reply("a.py", "```", "x = 1", "```") + "> Applied edit to a.py\n"), ToolCalled
    )
    assert (call.changes[0].file, call.changes[0].op, call.changes[0].new) == ("a.py", "write", None)


def test_lines_without_anything_on_them():
    """They are a part of a change and of a reply, whether they are fed or not."""
    text = HEAD + asked("x") + reply("One.", "", "Two.", "", BLOCK.replace("    x = 1", "    x = 1\n\n    y = 1"))
    decoder = AiderDecoder()
    events = [event for record in records(text) if record.data for event in decoder.feed(record)]
    assert events == decoded(text, over=False)
    assert of(events, ToolCalled)[0].changes[0].old == "    x = 1\n\n    y = 1"


def test_several_blocks_of_one_file():
    """Each is a change of its own, in one batch, and a block may leave out the name."""
    second = BLOCK.replace("a.py\n", "").replace("```python\n", "").replace("```\n", "")
    events = decoded(HEAD + asked("x") + reply(BLOCK, second) + "> Applied edit to a.py\n")
    calls = [one for one in of(events, ToolCalled) if not one.partial]
    assert [one.changes[0].file for one in calls] == ["a.py", "a.py"]
    assert len({one.message for one in calls}) == 1
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok", "ok"]


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
