"""A log of which less than half is understood says so; unknown types are never an error."""

from __future__ import annotations

import json

import pytest

from monitor.events import SourceChanged
from monitor.report.build import build
from monitor.sources import DRIFT, Sources
from monitor.streams.open import open_reader
from monitor.supervisor import Supervisor
from monitor.targets import find

KNOWN = {"event": "Said", "text": "a word"}
HEAD = {"event": "RunStarted", "agent": "tiny"}


def log(path, known, strange):
    rows = [HEAD, *[KNOWN] * known, *[{"event": "Moon"}] * strange]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path):
    sources = Sources(find(str(path)), open_reader)
    told = []
    while events := sources.take():
        told += events
    told += sources.finish()
    sources.close()
    return [event for event in told if isinstance(event, SourceChanged) and event.input == DRIFT]


@pytest.mark.parametrize(("known", "strange", "said"), [
    (10, 20, True), (20, 20, False), (1, 12, True), (0, 2, True), (0, 1, False), (30, 0, False),
])  # fmt: skip
def test_when_it_is_said(tmp_path, known, strange, said):
    """However short the log, from its third record on, when more than half of it is of no known type: once."""
    told = read(log(tmp_path / "run.jsonl", known, strange))
    assert len(told) == said
    if said:
        records = 1 + known + strange
        assert told[0].text == (
            f"less than half of this log is understood: of {records} records {strange} are of no known type"
        )


HALF = "less than half of this log is understood: of"
MINI = {"info": {"mini_version": "2.0"}, "trajectory_format": "mini-swe-agent-1.1"}
ASKED = [{"role": "system", "content": "x"}, {"role": "user", "content": "x"}]
HANDS = {"timestamp": "2026-11-30T10:00:00", "content": "x"}
ATIF = {"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "t", "version": "1"}}
FORMATS = {
    "a log of unreadable lines": (json.dumps(HEAD) + "\n" + "{]\n" * 25, f"{HALF} 26 records 25 cannot be read"),
    "both": (
        json.dumps(HEAD) + "\n" + '{]\n{"event": "Moon"}\n' * 15,
        f"{HALF} 31 records 15 are of no known type and 15 cannot be read",
    ),
    "an event stream": (
        'data: {"type":"server.connected","properties":{}}\n\n'
        + "".join(
            f'event: message\nid: {number}\ndata: {{"id":"evt_{number}","type":"moon.risen","properties":{{"sessionID":"s"}}}}\n\n'
            for number in range(25)
        ),
        f"{HALF} 26 records 25 are of no known type",
    ),
    "mini-swe-agent": (
        json.dumps({**MINI, "messages": [*ASKED, *[{"role": "moon", "content": "x"}] * 25]}),
        f"{HALF} 27 records 25 are of no known type",
    ),
    "OpenHands": (
        json.dumps([{"id": 0, "source": "user", "action": "message", "args": {"content": "x"}, **HANDS}]
        + [{"id": number, "source": "agent", "observation": "moon", **HANDS} for number in range(1, 26)]),
        f"{HALF} 26 records 25 are of no known type",
    ),
    "ATIF": (
        json.dumps({**ATIF, "steps": [{"step_id": number, "source": "moon", "message": "x"} for number in range(25)]}),
        f"{HALF} 26 records 25 are of no known type",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_it_is_said_of_every_shape(tmp_path, name):
    """Lines that cannot be read, events of a server with what stands around them, and the entries of one document."""
    text, words = FORMATS[name]
    path = tmp_path / "log"
    path.write_text(text)
    assert [one.text for one in read(path)] == [words]


def test_a_document_that_is_written_again_counts_once(tmp_path):
    """What is of no known type is that of the latest state, not of all states together."""
    path = tmp_path / "log"
    sources = None
    for count in range(1, 12):
        messages = [*ASKED, *[{"role": "assistant", "content": "x"}] * 20, *[{"role": "moon", "content": "x"}] * count]
        path.write_text(json.dumps({**MINI, "messages": messages}))
        sources = sources or Sources(find(str(path)), open_reader)
        assert not [one for one in sources.take() if isinstance(one, SourceChanged) and one.input == DRIFT]
    assert sources is not None
    assert sources.accounts()[0].unknown_types == {"role moon": 11}
    sources.close()


def test_the_screen_and_the_report_say_it(tmp_path):
    """It stands among the troubles of the source, the types with their counts in the report; nothing is unreadable."""
    supervisor = Supervisor(find(str(log(tmp_path / "run.jsonl", 5, 25))), live=False)
    supervisor.read_all()
    assert any("less than half" in one for one in supervisor.snapshot.sources)
    (told,) = build(supervisor.snapshot, supervisor.accounts())["inputs"]
    assert told["unknown_types"] == {"Moon": 25}
    supervisor.close()


def test_it_is_taken_back(tmp_path):
    """When what comes later is understood, it is no longer said."""
    path = log(tmp_path / "run.jsonl", 5, 25)
    sources = Sources(find(str(path)), open_reader)
    first = [event for _ in range(3) for event in sources.take()]
    with path.open("a") as file:
        file.write((json.dumps(KNOWN) + "\n") * 60)
    later = [event for _ in range(3) for event in sources.take()]
    sources.close()
    told = [event.what for event in (*first, *later) if isinstance(event, SourceChanged) and event.input == DRIFT]
    assert told == ["lagging", "back"]
