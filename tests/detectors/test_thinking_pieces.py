"""How pieces, wholes and the harness's own notes become one reply that is judged."""

from __future__ import annotations

import pytest
from reply_story import LOOP, Replies, varied

from monitor.events import ReplyEnded, Said, Thought, ToolReturned

NOTE = "[lcode] Your last reply went round in circles (the same thoughts over and over), so lcode stopped it."


def test_answers_are_judged_too():
    """Text of an answer that circles is flagged like thinking, and a reply is flagged once for both."""
    told = Replies()
    told.say(LOOP * 20)
    (flag,) = told.detector.view().flags
    assert flag.where == "answer"
    assert told.open()[0].message.startswith("The answer went in circles")
    told.think(LOOP * 20)
    assert len(told.detector.view().flags) == 1
    assert (told.detector.view().said, told.detector.view().characters) == (len(LOOP) * 20, len(LOOP) * 20)


def test_a_whole_that_equals_its_pieces_adds_nothing():
    """A text told again as a whole adds nothing; one that is longer adds the rest; another one replaces the pieces."""
    told = Replies()
    text = varied(12)
    told.think(text)
    told.tell(Thought(text=text, message="m1"))
    assert told.detector.view().characters == len(text)
    told.tell(Thought(text=text + "More of it.", message="m1"))
    assert told.detector.view().characters == len(text) + 11
    told.tell(Thought(text="Something else altogether.", message="m1"))
    assert told.detector.view().characters == 26
    told.tell(Thought(text="Something", message="m1", cut=True))
    assert told.detector.view().characters == 26


def test_a_replaced_text_no_longer_counts():
    """Sentences of pieces that a whole replaced are not counted; those of an earlier part are."""
    told = Replies()
    told.think(LOOP * 3, part=0)
    told.think(LOOP * 3, part=2)
    told.tell(Thought(text="No loop at all in here, as it turns out.\n", message="m1", part=2))
    told.think(LOOP * 2, part=4)
    assert told.rules() == []
    told.think(LOOP * 2, part=4)
    assert told.rules() == ["circles"]


def test_wholes_alone_are_judged():
    """A log without pieces is judged the same, part by part."""
    told = Replies()
    told.tell(Thought(text=LOOP * 4, message="m1", part=0))
    told.tell(Thought(text=LOOP * 4, message="m1", part=1))
    assert told.rules() == ["circles"]
    told.end()
    told.tell(Said(text=LOOP * 20, message="m2"))
    assert told.open()[0].level == "stop"


def test_a_late_whole_is_of_its_own_reply():
    """A whole that comes after its reply ended, or after the next began, begins none."""
    told = Replies()
    told.think(LOOP * 20)
    told.end()
    told.turn = 1
    told.tell(Thought(text=LOOP * 20, message="m1"))
    told.turn = 2
    told.think(varied(5))
    told.turn = 1
    told.tell(Thought(text=LOOP * 20, message="m1"))
    told.turn = 2
    told.think(varied(5, seed=2))
    view = told.detector.view()
    assert len(view.flags) == 1
    assert view.characters == len(LOOP) * 20 + len(varied(5)) + len(varied(5, seed=2))


def test_replies_without_ids():
    """Where messages have no id, a result or the end of a reply tells one from the next."""
    for between in (ReplyEnded(), ToolReturned(call="c")):
        told = Replies()
        for _ in range(2):
            told.tell(Thought(text=LOOP * 4, delta=True))
            told.tell(between)
        assert told.rules() == []
        told.tell(Thought(text=LOOP * 4, delta=True))
        told.tell(Thought(text=LOOP * 4, delta=True))
        assert told.rules() == ["circles"]


def test_actors_think_apart():
    """What two actors think at the same time is not mixed."""
    told = Replies()
    for at in range(0, len(LOOP) * 5, 20):
        for actor in ("", "helper"):
            told.tell(Thought(text=(LOOP * 5)[at : at + 20], delta=True, message=actor or "root", actor=actor))
    assert told.rules() == []
    told.tell(Thought(text=LOOP * 5, delta=True, message="helper", actor="helper"))
    (finding,) = told.open()
    assert (finding.actor, finding.key) == ("helper", "thinking:helper:circles")


def test_the_harness_own_notes_count():
    """A note that a reply was dropped for circling counts as a circling reply, marked as theirs."""
    told = Replies()
    told.note(NOTE)
    (flag,) = told.detector.view().flags
    assert (flag.rule, flag.theirs, flag.at_character, flag.of) == ("harness", True, 0, 0)
    assert told.open()[0].message == "The agent's own guard dropped a reply that went in circles"
    told.note(NOTE)
    assert told.detector.view().noted == 2
    assert told.open()[0].level == "stop"


def test_a_note_on_a_reply_that_was_flagged_counts_once():
    """The guard's note on a reply that was seen to circle marks that flag, and counts no second one."""
    told = Replies()
    told.think(LOOP * 20)
    told.note(NOTE)
    (flag,) = told.detector.view().flags
    assert (flag.rule, flag.theirs) == ("circles", True)
    assert told.open()[0].level == "warn"
    told.end()
    told.note(NOTE)
    assert told.open()[0].level == "stop"


@pytest.mark.parametrize("text", ["You made this exact call 3 times in this request", "Your last reply was empty.",
                                  "its replies went round in circles or ended without an answer, twice"])  # fmt: skip
def test_other_notes_say_nothing(text):
    """Notes on repeated calls, on empty replies, or on either of two things are not taken for circles."""
    told = Replies()
    told.note(text)
    assert told.detector.view().flags == ()


def test_synthetic_and_copied_text_is_not_judged():
    """What the harness put in the model's mouth, and what was copied from an older run, is not judged."""
    told = Replies()
    told.tell(Said(text=LOOP * 20, synthetic="api_error", message="m1"))
    told.tell(Said(text=LOOP * 20, copied=True, message="m1"))
    assert told.detector.view().said == 0


def test_a_second_reply_is_worth_a_stop():
    """Two circling replies in one request are a stop; a reply between them does not matter, a new request does."""
    told = Replies()
    told.think(LOOP * 20)
    told.end()
    told.think(varied(30))
    told.end()
    assert [finding.level for finding in told.open()] == ["warn"]
    told.think(LOOP * 20)
    told.end()
    (finding,) = told.open()
    assert (finding.level, finding.figure, len(finding.places)) == ("stop", "×2", 2)
    assert finding.raised > finding.opened
    assert finding.message == "2 replies of this request went in circles"
    told.prompt()
    assert told.open() == []
    assert told.detector.view().findings[0].state == "closed"
    told.think(LOOP * 20)
    assert [finding.level for finding in told.open()] == ["warn"]
