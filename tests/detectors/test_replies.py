from __future__ import annotations

import pytest
from calls_story import Calls

from monitor.detectors.numbers import RepliesNumbers
from monitor.detectors.replies import Replies
from monitor.events import Coverage, Noticed, Prompted, ReplyEnded, RequestEnded, RunEnded, RunStarted, Said


def story(*, blind=False, **numbers):
    coverage = {"replies": Coverage("partial", "it does not tell")} if blind else {}
    return Calls(Replies(RepliesNumbers(**numbers)), coverage=coverage)


def level(told):
    return next((one.level for one in told.open), None)


def counts(told):
    view = told.detector.view()
    return view.empty, view.cut_off, view.circled, view.no_answer


def test_empty_replies():
    """The first is a note, the second a warning, the third in a row a stop."""
    told = story()
    levels = []
    for _ in range(4):
        told.reply()
        levels.append(level(told))
    assert levels == ["note", "warn", "stop", "stop"]
    assert counts(told) == (4, 0, 0, 0)
    (finding,) = told.open
    assert finding.message == "4 replies without an answer or a call in this request: empty"
    assert (finding.figure, len(finding.places)) == ("×4", 4)


def test_cut_off_replies():
    """Cut off before an answer: six in the run are a stop, and they never count as empty."""
    told = story()
    levels = []
    for number in range(6):
        told.reply("length")
        levels.append(level(told))
        if number == 3:
            told.answer("Half an answer.")
            told.prompt()
    assert levels == ["note", "warn", "warn", "warn", "note", "stop"]
    assert counts(told) == (0, 6, 0, 0)


def test_a_cut_off_neither_counts_nor_breaks_a_row_of_empty_ones():
    """Two empty replies, one cut off, and a third empty one are three empty ones in a row."""
    told = story()
    for stop in ("end", "end", "length", "end"):
        told.reply(stop)
    assert level(told) == "stop"
    assert told.open[0].message == "4 replies without an answer or a call in this request: 3 empty, 1 cut off"


def test_an_answer_closes_note_and_warning():
    """Words or an executed call clear what was found, but not a stop; what came before still counts in the request."""
    told = story()
    told.reply()
    told.read("a.py")
    assert told.open == []
    told.reply()
    assert level(told) == "warn"
    told.answer("Here it is.")
    assert [one.why_ended for one in told.findings] == ["a call was executed", "an answer came"]
    for _ in range(3):
        told.reply()
    told.answer("Here it is.")
    assert level(told) == "stop"


def test_a_refused_call_is_no_answer():
    """A call that is not executed clears nothing, but a reply that holds it breaks the row of empty ones."""
    told = story()
    told.reply()
    told.reply()
    told.tell(Said(message="m", text="I try."))
    call = told.call("bash", "shell", {"command": "x"}, message="m", command="x")
    told.tell(ReplyEnded(message="m", stop="tools"))
    told.result(call, "no", "refused")
    assert level(told) == "warn"
    told.reply()
    assert level(told) == "warn"


def test_a_new_request_begins_anew():
    """The next request has a first reply of its own; the totals go on."""
    told = story()
    told.reply()
    told.reply()
    told.prompt()
    assert told.open == []
    told.reply()
    assert level(told) == "note"
    assert counts(told)[0] == 3


def test_a_source_that_cannot_tell():
    """Where empty, cut off and circled look alike it is called no answer, and six in a row are a stop."""
    told = story(blind=True)
    levels = []
    for _ in range(7):
        told.reply("other")
        levels.append(level(told))
    assert levels == [None, "note", "warn", "warn", "warn", "warn", "stop"]
    told.say("At last.")
    assert counts(told) == (0, 0, 0, 7)
    assert told.open[0].message == "7 replies without an answer or a call in this request"


@pytest.mark.parametrize("last", [None, RequestEnded(how="interrupted")])
def test_a_reply_that_was_broken_off_is_none(last):
    """A reply that ended for no reason told counts only when the agent goes on after it."""
    told = story()
    told.reply("other")
    if last is not None:
        told.tell(last)
    assert told.findings == ()
    told = story()
    told.reply("other")
    told.tell(Prompted(text="Go on.", by="harness", into="running"))
    assert level(told) == "note"
    assert counts(told) == (0, 0, 0, 1)


def test_the_agents_own_loop_is_a_stop():
    """When the agent ends itself for a loop of replies without an answer, that is a stop; another loop is not ours."""
    told = story(blind=True)
    told.reply("other")
    told.tell(RunEnded(status="loop"))
    assert level(told) == "stop"
    told = story(blind=True)
    told.reply("other")
    told.say("Words.")
    told.tell(RunEnded(status="loop"))
    assert told.open == []


def test_circled_replies():
    """A reply that the harness dropped for its circles is circled, whether it is shown empty or only noted."""
    shown = story()
    shown.reply("stopped", raw="circles")
    shown.tell(Noticed(kind="guard", name="circles"))
    noted = story()
    noted.tell(Noticed(kind="guard", name="circles"))
    renamed = story(blind=True)
    renamed.reply("end")
    renamed.tell(Noticed(kind="guard", name="circles"))
    for told in (shown, noted, renamed):
        assert counts(told) == (0, 0, 1, 0)
        assert level(told) == "note"
        assert told.open[0].figure == "×1"
    assert "circles" in shown.open[0].advice
    interrupted = story()
    interrupted.reply("stopped")
    assert interrupted.findings == ()


@pytest.mark.parametrize("synthetic", ["api_error", "limit", "login", "filler"])
def test_words_that_are_not_the_models(synthetic):
    """API errors, limits, login notices and fillers are neither an answer nor an empty reply."""
    told = story()
    told.reply()
    told.tell(Said(message="e", text="Overloaded (529)", synthetic=synthetic))
    told.tell(ReplyEnded(message="e", stop="error", empty=True))
    view = told.detector.view()
    assert view.empty == 1
    assert level(told) == "note"


@pytest.mark.parametrize("stop", ["error", "refusal", "filter"])
def test_ends_that_are_no_empty_reply(stop):
    """An error, a refusal and a filter are told by other means."""
    told = story()
    told.reply(stop)
    assert told.findings == ()


def test_a_cut_answer_is_an_answer():
    """An answer that was cut off exists: it is no lost reply, and no finding."""
    told = story()
    told.tell(Said(message="m", text="The first half"))
    told.tell(ReplyEnded(message="m", stop="length"))
    told.tell(ReplyEnded(message="m", stop="length"))
    assert counts(told) == (0, 0, 0, 0)
    assert told.findings == ()


def test_an_end_told_twice_counts_once():
    """The same reply's end may come twice."""
    told = story()
    for _ in range(3):
        told.tell(ReplyEnded(message="m", empty=True))
    assert counts(told) == (1, 0, 0, 0)


def test_each_actor_has_its_own():
    """Two actors with one empty reply each have a note each."""
    told = story()
    told.tell(RunStarted(actor="kid", parent=""))
    told.reply()
    told.reply(actor="kid")
    assert [(one.actor, one.level) for one in told.open] == [("", "note"), ("kid", "note")]


def test_numbers_and_off():
    """The numbers are settable; 0 turns a limit off."""
    told = story(warn=0, empty=0, cut_offs=0)
    for _ in range(10):
        told.reply()
        told.reply("length")
    assert level(told) == "note"
    told = story(warn=1, empty=2)
    told.reply()
    assert level(told) == "warn"
    told.reply()
    assert level(told) == "stop"


def test_settled_stays_quiet():
    """What the operator settles does not come back in its request."""
    told = story()
    told.reply()
    told.act("settle", told.open[0].key)
    told.reply()
    assert told.open == []


def test_advice():
    """The advice asks for the next call or a short answer, and at a stop for an answer alone."""
    told = story()
    told.reply("length")
    assert "token limit" in told.open[0].advice
    for _ in range(3):
        told.reply()
    assert "Then stop." in told.open[0].advice
    assert all(len(one.advice) < 1_200 for one in told.findings)
