"""What became of the edits that a reply to Aider holds."""

from __future__ import annotations

import pytest
from aider_logs import BLOCK, HEAD, QUOTED, asked, decoded, of, records, reply

from monitor.agents.aider.decode import AiderDecoder
from monitor.events import Noticed, RequestEnded, ToolCalled, ToolReturned
from monitor.run.run import Run


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
