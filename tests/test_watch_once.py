"""What `monitor watch` prints of a run is printed once, however often it looks."""

from __future__ import annotations

import json

import msgspec
import pytest

from monitor.commands.watch import _Teller
from monitor.events import Place, Prompted, RequestEnded, RunStarted, ToolCalled, ToolReturned
from monitor.report.redact import Redactor
from monitor.run.run import Run


class Spied(Redactor):
    """Counts what it is given."""

    def __init__(self):
        super().__init__()
        self.given = 0

    def value(self, value):
        self.given += 1
        return super().value(value)


def requests(count):
    """Requests in each of which the same command is made three times."""
    yield RunStarted(agent="demo", cwd="/p")
    for number in range(count):
        yield Prompted(text=f"{number}")
        for call in range(3):
            key = f"{number}.{call}"
            yield ToolCalled(call=key, message=key, tool="bash", kind="shell", command="ls", arguments="ls")
            yield ToolReturned(call=key, message=key, outcome="ok", exit=0, output="a")
        yield RequestEnded(text="Done.")


@pytest.fixture
def lines(capsys):
    def read():
        return [json.loads(one) for one in capsys.readouterr().out.splitlines()]

    return read


def test_each_opening_of_a_finding_is_told_once(lines):
    """What is found anew in each of four requests is told as open and as closed once each, and never again."""
    run, teller = Run(), _Teller(None)
    for number, event in enumerate(requests(4)):
        run.feed(msgspec.structs.replace(event, place=Place(0, number)))
        for _ in range(2):
            teller.tell(run.snapshot())
    found = [(one["finding"]["state"], one["finding"]["places"][0]["line"]) for one in lines() if "finding" in one]
    assert [state for state, _ in found] == ["open", "closed"] * 3 + ["open"]
    assert len(set(found)) == len(found)


def test_a_look_at_the_same_moment_costs_nothing(lines):
    """Where nothing happened nothing is read again for secrets; where something did, only what is another."""
    run, redactor = Run(), Spied()
    teller = _Teller(redactor)
    for event in requests(30):
        run.feed(event)
    teller.tell(run.snapshot())
    told = redactor.given
    for _ in range(5):
        teller.tell(run.snapshot())
    assert redactor.given == told
    run.feed(Prompted(text="more"))
    teller.tell(run.snapshot())
    lines()
    assert redactor.given - told < told / 3
