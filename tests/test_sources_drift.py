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


@pytest.mark.parametrize(("known", "strange", "said"), [(10, 20, True), (20, 20, False), (3, 9, False), (30, 0, False)])
def test_when_it_is_said(tmp_path, known, strange, said):
    """From twenty records on, when more than half of them is of no known type: once."""
    told = read(log(tmp_path / "run.jsonl", known, strange))
    assert len(told) == said
    if said:
        assert told[0].text == "less than half of this log is understood: 20 of 31 records are of no known type"


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
