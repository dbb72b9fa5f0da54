"""The rules of other agents do what their descriptions say."""

from __future__ import annotations

import pytest
from other_rules import Chanting, InARow, Stuck, speaks

from monitor.events import Noticed, Prompted, ReplyEnded, Said, ToolCalled, ToolReturned


def call(number, command="ls", output="a b", outcome="ok"):
    """A call with its result."""
    return (
        ToolCalled(call=f"c{number}", message=f"m{number}", tool="bash", kind="shell", command=command),
        ToolReturned(call=f"c{number}", outcome=outcome, output=output),
    )


def calls(*commands, **more):
    return tuple(event for number, one in enumerate(commands) for event in call(number, one, **more))


def said(*numbers):
    """Messages without a call."""
    return tuple(one for n in numbers for one in (Said(message=str(n), text="Hm."), ReplyEnded(message=str(n))))


@pytest.mark.parametrize("most", [3, 5])
def test_in_a_row(most):
    """The same call so many times in a row; another one between, or new words of the user, begin anew."""
    assert speaks(InARow(most), calls(*["ls"] * most))
    assert not speaks(InARow(most), calls(*["ls"] * (most - 1), "pwd", "ls"))
    assert not speaks(InARow(most), (*calls(*["ls"] * (most - 1)), Prompted(text="go on"), *call(99)))
    told_twice = [one for one in calls(*["ls"] * (most - 1)) for _ in range(2)]
    assert not speaks(InARow(most), tuple(told_twice))


def test_chanting():
    """A sentence of some length over and over, in pieces or whole; five identical calls."""
    sentence = "I will now look at the file that holds the settings once more. "
    assert speaks(Chanting(), (Said(text=sentence * 14),))
    assert speaks(Chanting(), tuple(Said(text=sentence) for _ in range(14)))
    assert not speaks(Chanting(), (Said(text=sentence * 9),))
    assert speaks(Chanting(), calls(*["ls"] * 5))


@pytest.mark.parametrize(
    "text",
    [
        "```\n" + "import a_module_with_a_rather_long_name_for_a_module\n" * 40 + "```\n",
        "-" * 900,
        "".join(
            f"projects/my-cloud-project-with-a-long-name-12345/locations/west/{n * 7919 % 997}/x " for n in range(40)
        ),
    ],
)
def test_what_is_no_chant(text):
    """Code, dividers, and lists whose lines begin alike."""
    assert not speaks(Chanting(), (Said(text=text),))


def test_a_call_forgets_the_chant():
    """What was said before a call is not counted on."""
    half = Said(text="I will now look at the file that holds the settings once more. " * 7)
    assert not speaks(Chanting(), (half, *call(1), half))


@pytest.mark.parametrize(
    ("events", "stuck"),
    [
        (calls(*["ls"] * 4), True),
        (calls(*["ls"] * 3), False),
        (tuple(one for n in range(4) for one in call(n, output=str(n))), False),
        (calls(*["ls"] * 3, outcome="failed"), True),
        (calls(*["ls", "pwd"] * 3), True),
        (calls(*["ls", "pwd", "id"] * 3), False),
        (said(1, 2, 3), True),
        ((*said(1), *call(1), *said(2, 3)), False),
        ((*said(1), Prompted(text="go on", by="harness"), *said(2, 3)), False),
        ((*said(1, 2), Said(message="m3", text="Hm."), *call(3), ReplyEnded(message="m3")), False),
        ((*calls("ls", "ls"), Prompted(text="go on"), *call(8), *call(9)), False),
        ((Noticed(kind="compaction"),) * 2, True),
        ((Noticed(kind="compaction"), *call(1), Noticed(kind="compaction")), False),
    ],
)
def test_stuck(events, stuck):
    """Each of the five patterns, and what is just short of it."""
    assert speaks(Stuck(), events) == stuck
