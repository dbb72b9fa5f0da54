"""The operator's words: how they go, what is proposed, and what is copied where nothing can be sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_open import drawn, floating, opened, toasts
from ui_samples import PEN, SampleSource, joined
from ui_scenes import reached
from ui_trouble import trouble

from monitor.snapshot import RunFacts
from monitor.ui.present.address import ROWS, Post, Way, address, ways
from monitor.ui.screens.letter import Letter

RESUME = "cd ~/src/tidepool && claude --resume 7f3a -p TEXT"


def ended(resumes: str = RESUME) -> SampleSource:
    """A run that takes no words any more."""
    source = trouble()
    source.resumes = resumes
    source.cannot = dict.fromkeys(("abort", "warn", "feedback", "pause", "continue"), "its process is gone")
    return source


def test_each_way_is_offered_once() -> None:
    """The usual way first; a channel that cannot choose the moment has one."""
    told = {"next": "after the call", "now": "at once", "later": "when it is over"}
    assert [one.when for one in ways(lambda when: told[when])] == ["next", "now", "later"]
    assert ways(lambda _: "by signals") == (Way("next", "by signals"),)
    assert ways(lambda _: "") == ()


async def test_tab_chooses_when() -> None:
    """The box says how the words go; tab takes the next moment there is, and it is sent so."""
    source = reached()
    source.ways = {"next": "after the call that runs", "now": "cuts the turn off", "later": "when it is over"}
    async with opened(source) as (screen, pilot):
        await pilot.press("f", *"now")
        await pilot.pause()
        assert "how  after the call that runs" in floating(screen.app)
        assert "when: next" in floating(screen.app)
        for words, when in (("cuts the turn off", "now"), ("when it is over", "later")):
            await pilot.press("tab")
            await pilot.pause()
            assert f"how  {words}" in floating(screen.app)
            assert f"when: {when}" in floating(screen.app)
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert [(one.text, one.when) for one in source.acted] == [("now", "later")]


async def test_the_advice_is_the_draft() -> None:
    """Of a finding that is selected the advice stands there, selected: what is typed replaces it, ctrl+s sends it."""
    source = reached()
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "f", "escape")
        assert screen.draft == "", "a proposal that was not touched is no draft"
        await pilot.press("f", "ctrl+s")
        await pilot.pause()
        await pilot.press("f", *"mine", "ctrl+s")
        await pilot.pause()
    advice = source.snapshot.findings[0].advice
    assert [one.text for one in source.acted] == [advice.strip(), "mine"]


async def test_how_a_warning_goes_is_said() -> None:
    """`w` sends at once and says in what way."""
    source = reached()
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "w")
        await pilot.pause()
        assert toasts(screen) == [f"The advice is on its way: {source.ways['next']}"]


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (80, 24)])
async def test_what_cannot_be_sent_is_copied_with_its_command(size: tuple[int, int]) -> None:
    """The reason and the command stand first; ctrl+s copies the command with the words, and the draft is kept."""
    source = ended()
    async with opened(source, size) as (screen, pilot):
        assert "resume" in drawn(screen) or not source.snapshot.run.over
        await pilot.press("f", *"go", "space", *"on")
        await pilot.pause()
        text = floating(screen.app)
        assert "not now: its process is gone" in text
        assert "claude --resume 7f3a -p 'go on'" in text
        assert "ctrl+s copy" in text
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert screen.app.clipboard == "cd ~/src/tidepool && claude --resume 7f3a -p 'go on'"
        assert isinstance(screen.app.screen, Letter)
        await pilot.press("escape")
        assert screen.draft == "go on"
    assert source.acted == []


async def test_without_a_command_the_words_are_copied() -> None:
    """Where nothing is possible and no command known, `w` shows the advice to be copied, and says why."""
    source = ended(resumes="")
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "w")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert screen.app.clipboard == source.snapshot.findings[0].advice.strip()
        assert toasts(screen)[-1] == "Your words are copied. Nothing was sent: its process is gone"


async def test_a_warning_that_feedback_can_say_instead() -> None:
    """Where only feedback is possible, `w` says so and opens nothing."""
    source = reached()
    source.cannot = {"warn": "it takes no words while it runs; feedback resumes it with yours"}
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "w")
        await pilot.pause()
        assert screen.app.screen is screen
        assert toasts(screen) == ["It takes no words while it runs; feedback resumes it with yours"]


async def test_feedback_that_resumes_the_run_is_one_action() -> None:
    """Where the channel resumes by itself, the exact command stands first, and ctrl+s runs it."""
    source = reached()
    source.snapshot = replace(source.snapshot, run=replace(source.snapshot.run, over=True))
    source.ways = dict.fromkeys(("next", "now", "later"), "resumes it as a new run:")
    source.resumes = "dirtywork resume slug --feedback=TEXT"
    async with opened(source) as (screen, pilot):
        assert "f resume" in drawn(screen)
        await pilot.press("f", *"mend")
        await pilot.pause()
        text = floating(screen.app)
        assert "dirtywork resume slug --feedback=mend" in text
        assert "ctrl+s resume" in text
        assert "tab" not in text
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert [(one.verb, one.text) for one in source.acted] == [("feedback", "mend")]


def test_a_long_command_is_cut_and_the_rest_of_the_box_stays() -> None:
    """Words of any length leave the command a few rows; a sentence too long for its place ends in a mark."""
    post = Post(RunFacts(agent="claude"), "no" + " longer" * 60, None, 0.0, (), lambda text: f"claude -p '{text}'")
    for room in (30, 70, 98):
        lines = address(PEN, post, "word " * 3000, 0, room)
        assert len(lines) == ROWS
        assert all(line.cell_length <= room for line in lines)
        assert lines[2].plain.rstrip().endswith("…")
        assert lines[-1].plain.rstrip().endswith("…")
    bare = Post(RunFacts(), "", None, 0.0)
    assert joined(address(PEN, bare, "", 0, 70)).split("\n")[1] == "how  as soon as it takes them"
