"""How OpenCode's plug-in stands is told by its own name, with what to do about it."""

from __future__ import annotations

import pytest

from monitor.doctor.agents import agents
from monitor.finding.listers import listers
from monitor.finding.survey import Survey
from monitor.hooks.installing import carry_out, plan_install
from monitor.hooks.places import place_of

INSTALL = "monitor hooks install --agent opencode"


def told():
    """What is said of it, place by place."""
    sighting = Survey(listers()).look()
    return [one for one in agents(sighting) if (one.about, one.name) == ("OpenCode", "plug-in")]


def test_not_installed():
    """A note, and the command."""
    (found,) = told()
    assert (found.health, found.advice) == ("note", f"To reach running sessions: {INSTALL}")


def test_installed(tmp_path):
    """The user's and a project's, each with its file."""
    for place in (place_of("opencode", None), place_of("opencode", tmp_path)):
        carry_out(plan_install(place))
    assert [one.health for one in told()] == ["ok", "ok"]
    assert told()[1].words == f"installed in {tmp_path}/.opencode/plugin/monitor.js"


@pytest.mark.parametrize(
    ("text", "why"), [("mine", "another file is there"), ("// Put here by monitor\n", "changed by hand")]
)
def test_a_file_that_is_left_alone(text, why):
    """A lack, why, and that the file must be moved away first."""
    place = place_of("opencode", None)
    place.path.parent.mkdir(parents=True)
    place.path.write_text(text)
    (found,) = told()
    assert found.health == "lack"
    assert why in found.words
    assert found.advice == f"Move the file away, then: {INSTALL}"
