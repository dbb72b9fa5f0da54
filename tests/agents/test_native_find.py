"""How streams and files of our own format are found."""

from __future__ import annotations

import json

import pytest

from monitor.agents.native.decode import JournalDecoder, NativeDecoder
from monitor.agents.native.find import FINDER
from monitor.events import Prompted
from monitor.journal import Header, Journal

BEGUN = json.dumps({"event": "RunStarted", "agent": "mine", "task": "x"}).encode()


def test_a_file_of_events_is_found_whatever_its_name(tmp_path):
    """A file whose first line names an event of ours is a foreign agent's run."""
    file = tmp_path / "anything.txt"
    file.write_bytes(b"\n" + BEGUN + b"\n")
    found = FINDER.open(file)
    assert found is not None
    assert (found.agent, found.title) == ("native", "anything.txt")
    assert [(source.index, source.path) for source in found.inputs()] == [(0, file)]
    assert isinstance(found.decoder(), NativeDecoder)
    assert (found.project(), found.alive()) == (None, None)


def test_a_pipe_of_events_is_known_by_any_of_its_lines():
    """A stream is recognised from its first line, and a single line read back from itself."""
    assert FINDER.sniff(BEGUN + b"\n" + BEGUN[:10])
    assert FINDER.sniff(b'{"event": "Said", "text": "x"}')
    assert FINDER.sniff(b'{"event": "ToolReturned", "call": "1", "output": "' + b"x" * (1 << 16))
    assert isinstance(FINDER.pipe("the pipe").decoder(), NativeDecoder)


@pytest.mark.parametrize(
    "head",
    [b"", b"text", b"[]", b'{"event": "run_start"}', b'{"event": 7}', b'{"type": "RunStarted"}', b'{"event": "Sa'],
)
def test_other_streams_are_left_to_others(head):
    """What names no event of ours is not ours."""
    assert not FINDER.sniff(head)


def test_a_journal_is_known_by_its_header(tmp_path):
    """A journal opens as one, with the name of the run it is a record of."""
    journal = Journal.open(
        tmp_path / "journals", Header(run="rename-1", agent="dirtywork", inputs=("transcript.jsonl",))
    )
    journal.append(Prompted(text="x"))
    journal.close()
    found = FINDER.open(journal.path)
    assert found is not None
    assert (found.agent, found.title) == ("native", "rename-1")
    assert isinstance(found.decoder(), JournalDecoder)
    assert found.project() is None


def test_a_journal_from_a_pipe_is_not_believed(tmp_path):
    """From a pipe an agent could write a journal of its own making, so none is taken for one."""
    journal = Journal.open(tmp_path, Header(run="x"))
    journal.close()
    assert not FINDER.sniff(journal.path.read_bytes())


@pytest.mark.parametrize(
    "first",
    [b'{"journal": "monitor", "format": 2}', b'{"journal": "other", "format": 1}', b'{"journal": "monitor"}',
     b'{"format": 1}', b'{"journal": "monitor", "format": 1, "inputs": 7}', b"{" , b"\xff"],
)  # fmt: skip
def test_what_is_like_a_journal_is_none(tmp_path, first):
    """A header of another format, or of none, opens nothing."""
    (tmp_path / "x").write_bytes(first + b"\n")
    assert FINDER.open(tmp_path / "x") is None


def test_an_event_that_speaks_of_journals_is_an_event(tmp_path):
    """The header is a line of its own kind, not a word in a text."""
    (tmp_path / "x").write_bytes(json.dumps({"event": "Said", "text": '{"journal": "monitor", "format": 1}'}).encode())
    found = FINDER.open(tmp_path / "x")
    assert found is not None
    assert isinstance(found.decoder(), NativeDecoder)


def test_what_is_no_file_is_none(tmp_path, private_home):
    """A folder or a missing file is not ours, and no session has our name."""
    assert FINDER.open(tmp_path) is None
    assert FINDER.open(tmp_path / "gone") is None
    assert list(FINDER.named("x")) == []
