"""What is known of an agent's records and is gone is named; these records are made up."""

from __future__ import annotations

import json

import pytest
from drift import gone, without

from monitor.streams.record import Input, Record

LOG, DOCUMENT = Input(0, "log", "stream"), Input(1, "state", "state", shape="document")
ROWS = (
    {"type": "start", "model": "tiny", "by": {"/some/path": {"type": "update", "diff": "x"}}},
    {"type": "said", "parts": [{"type": "text", "text": "a"}, {"type": "call", "name": "read", "id": None}]},
    {"type": "said", "parts": [{"type": "text", "text": "b"}]},
    {"type": "end", "subtype": "success"},
)
KNOWN = {
    "[start]": "model",
    "[start].by.*[update]": "diff",
    "[said]": "parts",
    "[said].parts[text]": "text",
    "[said].parts[call]": "name id",
    "[end/success]": "",
    "state": "model",
    "state.done[user]": "words",
}


def records(rows=ROWS, prefix=b""):
    lines = [Record(LOG, line, 0, 0, prefix + json.dumps(row).encode()) for line, row in enumerate(rows, 1)]
    state = {"status": "running", "model": "tiny", "done": [{"role": "user", "words": "x"}]}
    return [*lines, Record(DOCUMENT, 1, 0, 0, json.dumps(state).encode())]


def test_nothing_is_gone():
    """All that is known stands in the records, a field without a value and a name that is a path included."""
    assert gone(KNOWN, records()) == []
    assert gone(KNOWN, records(prefix=b"data: ")) == []
    assert gone({}, []) == []


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("[start]", ["[start]", "[start].by.*[update]"]),
        ("[said].parts[call]", ["[said].parts[call]"]),
        ("[said].parts[text].text", ["[said].parts[text].text"]),
        ("[start].by.*[update]", ["[start].by.*[update]"]),
        ("[end/success]", ["[end/success]"]),
        ("state.model", ["state.model"]),
        ("state.done[user].words", ["state.done[user].words"]),
        ("[said].nothing", []),
    ],
)
def test_what_is_gone_is_named(name, named):
    """A kind that was renamed, and what lay in it; a field that was removed; and nothing else."""
    assert gone(KNOWN, without(records(), name)) == named


def test_a_field_is_not_gone_while_one_record_has_it():
    """Not every record of a kind has all its fields."""
    assert gone({"[said]": "parts"}, records(({"type": "said"}, *ROWS))) == []


def test_what_is_no_object_has_no_names():
    """Empty lines, comments of a server, and records of other shapes are passed over."""
    lines = [Record(LOG, 1, 0, 0, data) for data in (b"", b": a comment", b"event: x", b"[1, 2]")]
    assert gone({"[start]": "model"}, lines) == ["[start]"]
    assert without(lines, "[start]") == lines


def test_everything_of_an_empty_log_is_gone():
    """Of a kind that is gone, its fields are not named too."""
    assert gone(KNOWN, []) == list(KNOWN)
