"""Events in our own format: a foreign agent's, and the journal's."""

from __future__ import annotations

import json

import msgspec
import pytest

from monitor.agents.native.decode import MONITORS_OWN, TYPES, JournalDecoder, NativeDecoder
from monitor.events import (
    Acted,
    Change,
    Coverage,
    Event,
    FileOutcome,
    Place,
    Prompted,
    RequestEnded,
    RunStarted,
    Said,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Used,
)
from monitor.streams.record import Input, Record

STREAM = Input(3, "agent.jsonl", "events")


def record(found: object, line: int = 5) -> Record:
    data = found if isinstance(found, bytes) else json.dumps(found).encode()
    return Record(STREAM, line, 40, len(data) + 1, data, seen=9.0)


def said(found: object) -> Event:
    (event,) = NativeDecoder().feed(record(found))
    return event


def why(found: object) -> str:
    event = said(found)
    assert isinstance(event, Unreadable)
    assert event.place == Place(3, 5, 40, record(found).length)
    return event.why


def test_an_agent_tells_its_run():
    """A run told in our format comes out as our events, with nested parts."""
    begun = {
        "event": "RunStarted",
        "agent": "mine",
        "model": "m",
        "at": 7.5,
        "coverage": {"thinking": {"sees": "none"}},
    }
    assert said(begun) == RunStarted(
        agent="mine", model="m", at=7.5, coverage={"thinking": Coverage("none")}, seen=9.0, place=said(begun).place
    )
    call = {"event": "ToolCalled", "call": "1", "tool": "edit", "kind": "write",
            "changes": [{"file": "a", "old": "x", "new": "y"}]}  # fmt: skip
    assert said(call).changes == (Change("a", old="x", new="y"),)
    back = {"event": "ToolReturned", "call": "1", "outcome": "failed", "failure": "not_found",
            "files": [{"file": "a", "outcome": "failed", "failure": "not_found"}]}  # fmt: skip
    assert said(back).files == (FileOutcome("a", "failed", "not_found"),)
    assert said({"event": "Used", "tokens": {"input": 3}}).tokens == Tokens(input=3)


@pytest.mark.parametrize(
    ("at", "seconds"),
    [(7, 7.0), (7.25, 7.25), ("1970-01-01T00:00:07Z", 7.0), ("1970-01-01T01:00:07+01:00", 7.0),
     ("1970-01-01T00:00:07", 7.0), (None, None)],
)  # fmt: skip
def test_a_time_is_seconds_or_iso_8601(at, seconds):
    """Both ways of telling the time are read; without a zone it is UTC."""
    assert said({"event": "Prompted", "text": "x", "at": at}).at == seconds


@pytest.mark.parametrize("at", ["soon", True, [], 1.7e12, 1e300, -1e300, "2026-13-01T00:00:00Z"])
def test_a_time_that_is_none_is_unreadable(at):
    """A time that cannot be, such as milliseconds, is not guessed at."""
    assert why({"event": "Prompted", "text": "x", "at": at}).startswith("Prompted: at: ")


@pytest.mark.parametrize("name", [kind.__name__ for kind in MONITORS_OWN])
def test_an_agent_cannot_forge_a_measurement(name):
    """What only the monitor can know is unreadable in a foreign stream."""
    assert "cannot forge a measurement" in why(
        {"event": name, "why": "x", "file": "a", "call": "1", "id": "1", "action": "x"}
    )


def test_the_five_of_the_monitor_are_among_them():
    """Measurements, changes seen, looks, actions and ticks are the monitor's alone."""
    assert {"TreeMeasured", "FileChanged", "Looked", "Acted", "Tick"} <= {kind.__name__ for kind in MONITORS_OWN}


def test_what_the_monitor_numbers_is_not_taken_from_others():
    """A foreigner's seq, request, turn, place and arrival are ignored."""
    event = said(
        {"event": "Said", "text": "x", "seq": 99, "seen": 1.0, "request": 8, "turn": 8, "place": [0, 1, 2, 3, 4]}
    )
    assert (event.seq, event.request, event.turn, event.seen) == (-1, 0, 0, 9.0)
    assert event.place == Place(3, 5, 40, event.place.length)
    assert isinstance(said({"event": "Said", "seq": "wrong", "place": "wrong"}), Said)


def test_unknown_fields_are_ignored_and_unknown_events_counted():
    """A later version's fields do no harm; its events are counted."""
    decoder = NativeDecoder()
    assert said({"event": "Said", "text": "x", "mood": {"deep": [1]}}).text == "x"
    assert list(decoder.feed(record({"event": "Sang", "text": "la"}))) == []
    assert decoder.unknown_types == {"Sang": 1}
    assert decoder.copy().unknown_types == {"Sang": 1}


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ({"event": "Prompted"}, "Prompted: Object missing required field `text`"),
        ({"event": "Said", "text": 7}, "Said: text: Expected `str`, got `int`"),
        ({"event": "ToolCalled", "call": "1", "changes": [{"file": 7}]}, "ToolCalled: changes[0].file: Expected"),
        ({"event": "ToolReturned", "call": "1", "outcome": "great"}, "ToolReturned: outcome: Invalid enum value"),
        ({"event": "Used", "tokens": {"input": 2**70}}, "Used: tokens: a number beyond 64 bits"),
        (b'{"event": "Used", "cost": NaN}', "Used: cost: not a finite number"),
        ({"event": 7}, "event: not the name of one"),
        ({"type": "x"}, "event: not the name of one"),
        (b"{", "not JSON"),
        (b"[1]", "JSON, but no object"),
        (b'{"event": "RunStarted", "coverage": {"sites": ' + b"[" * 900 + b"]" * 900 + b"}}", "RunStarted: "),
    ],
)
def test_what_does_not_fit_is_unreadable_and_says_where(found, reason):
    """The reason names the event and the field."""
    assert why(found).startswith(reason)


def test_a_record_that_was_too_long_says_so():
    """Bytes that are not here are unreadable for the reason they are not here."""
    (event,) = NativeDecoder().feed(Record(STREAM, 1, 0, 9, b"", problem="a line of 9 MB"))
    assert event.why == "a line of 9 MB"


def test_coverage_is_kept_for_known_detectors():
    """Made-up detectors in a coverage are ignored."""
    told = {"event": "RunStarted", "coverage": {"thinking": {"sees": "full"}, "luck": {"sees": "none"}}}
    assert set(said(told).coverage) == {"thinking"}


@pytest.mark.parametrize(("whose", "how"), [("api_error", "error"), ("limit", "limit"), ("", "answered")])
def test_words_that_are_not_the_models_are_no_answer(whose, how):
    """A request that ends on an error or a limit has not been answered, whatever is told of its end; the next may be."""
    decoder, told = NativeDecoder(), []
    for event in (
        {"event": "Said", "text": "Usage limit reached", "synthetic": whose},
        {"event": "Said", "text": "Done.", "actor": "helper"},
        {"event": "RequestEnded", "text": "Usage limit reached"},
        {"event": "Said", "text": "Done."},
        {"event": "RequestEnded", "text": "Done."},
    ):
        told += decoder.copy().feed(record(event))
        decoder.feed(record(event))
    assert [one.how for one in told if isinstance(one, RequestEnded)] == [how, "answered"]


def test_every_text_is_cleaned_however_deep():
    """No control character enters, in no field."""
    evil = "\x1b[31m\u202e"
    events = [
        {"event": "RunStarted", "agent": evil, "coverage": {"sites": {"sees": "none", "why": evil}}},
        {"event": "ToolCalled", "call": evil, "paths": [evil], "changes": [{"file": evil, "new": evil}]},
        {"event": evil},
        {"event": "ToolReturned", "call": evil, "outcome": evil},
    ]
    for found in events:
        assert "\\x1b" not in repr(NativeDecoder().feed(record(found)))
        assert "\\u202e" not in repr(NativeDecoder().feed(record(found)))


def test_a_journal_holds_what_the_monitor_measured_and_did():
    """In the monitor's own journal, measurements and actions are what they were."""
    for event in (TreeMeasured(changed=False, seq=4), Acted(id="1", action="warn"), Prompted(text="x", request=1)):
        (read,) = JournalDecoder().feed(record(msgspec.json.encode(event)))
        assert read == msgspec.structs.replace(event, place=read.place)


def test_a_journals_header_is_no_event():
    """The first line of a journal says nothing of the run; a line that is neither is unreadable."""
    assert list(JournalDecoder().feed(record({"journal": "monitor", "format": 1}))) == []
    (event,) = JournalDecoder().feed(record({"other": 1}))
    assert isinstance(event, Unreadable)
    assert isinstance(said({"journal": "monitor", "format": 1}), Unreadable)


def test_types_are_named_as_in_the_vocabulary():
    """Each event is told by the name of its type."""
    assert TYPES["ToolCalled"] is ToolCalled
    assert TYPES["ToolReturned"] is ToolReturned
    assert TYPES["Used"] is Used
