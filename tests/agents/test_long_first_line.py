"""Logs whose first line is longer than what is usually looked at."""

from __future__ import annotations

import json

import acp_wire
import claude_lines
import codex_logs
import lcode_logs
import logs
import pi_logs
import pytest

from monitor.agents.sniffing import SniffingDecoder
from monitor.streams.files import WHOLE, read_lines
from monitor.streams.record import Input, Record
from monitor.targets import FINDERS, find

LONG = 3_000_000
SAYS = {
    "claude": lambda: claude_lines.prompt("go"),
    "codex": codex_logs.meta,
    "acp": lambda: acp_wire.prompt("Mend it"),
    "lcode": lambda: json.loads(lcode_logs.start()),
    "native": logs.started,
    "opencode": lambda: {"id": "evt_1", "type": "session.idle", "properties": {"sessionID": "ses_1"}},
    "pi": lambda: json.loads(pi_logs.session()[0]),
}


def first_line(agent):
    """The agent's first record as another writer may put it: spaced, and what is long before all that tells."""
    return json.dumps({"instructions": "x" * LONG} | SAYS[agent]()).encode() + b"\n"


@pytest.mark.parametrize("agent", SAYS)
def test_what_is_long_comes_first(tmp_path, agent):
    """A log is opened however long its first line is, wherever in it the fields stand that tell whose it is."""
    path = tmp_path / "x.log"
    path.write_bytes(first_line(agent))
    assert find(str(path)).agent == agent


@pytest.mark.parametrize("agent", SAYS)
def test_through_a_pipe(agent):
    """A stream is recognised by a first line that is longer than all that is held while nobody knows it."""
    known = []
    line = first_line(agent)
    SniffingDecoder(FINDERS, "the pipe", known.append).feed(
        Record(Input(0, "the pipe", "stream"), 1, 0, len(line), line.rstrip())
    )
    assert [found.agent for found in known] == [agent]


@pytest.mark.parametrize("size", [300_000, 4_000_000])
def test_a_second_line_that_is_long(tmp_path, size):
    """Where a later line tells, it may be as long as the first."""
    path = tmp_path / "x.jsonl"
    claude_lines.write(path, {"type": "of-a-later-version"}, claude_lines.prompt("x" * size))
    assert find(str(path)).agent == "claude"


@pytest.mark.parametrize(
    ("data", "most", "told"),
    [
        (b"", 4, b""),
        (b"ab\ncd\nef\n", 2, b"ab\n"),
        (b"ab\ncd\nef\n", 3, b"ab\n"),
        (b"ab\ncd\nef\n", 4, b"ab\ncd\n"),
        (b"ab\ncdef", 4, b"ab\ncdef"),
        (b"ab", 4, b"ab"),
        (b"\0b\ncd", 1, b"\0"),
        (b"x" * 600_000 + b"\nrest", 4, b"x" * 600_000 + b"\n"),
        (b"x" * (WHOLE + 1) + b"\n", 4, b"xxxx"),
    ],
)
def test_beginnings_are_whole_lines(tmp_path, data, most, told):
    """What is looked at ends with a line, but in what is binary, or where that line is out of all measure."""
    path = tmp_path / "x"
    path.write_bytes(data)
    assert read_lines(path, most) == told
