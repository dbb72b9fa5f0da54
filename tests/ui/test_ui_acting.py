"""What the operator's keys do to the run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count

import pytest
from textual.widgets import TextArea
from ui_open import cleared, opened, toasts
from ui_runs import calm
from ui_trouble import trouble

from monitor.snapshot import ActionFacts
from monitor.ui.screens import box
from monitor.ui.screens.box import Question, Words


async def test_what_cannot_be_done_says_why() -> None:
    """The key stays, dimmed, and its press gives the source's reason, never as markup."""
    source = calm()
    source.cannot = {**source.cannot, "abort": "no channel [/foo] [@click=app.quit]x[/] leads back"}
    async with opened(source) as (screen, pilot):
        await pilot.press("A")
        await pilot.pause()
        assert toasts(screen) == ["No channel [/foo] [@click=app.quit]x[/] leads back"]
        assert not source.acted
        assert screen.app.screen is screen


async def test_a_reason_that_stands_there_is_not_said_a_second_time() -> None:
    """Two keys that cannot be used for the same reason leave one toast; once that is gone, it is said anew."""
    async with opened(calm()) as (screen, pilot):
        for key, shown in (("n", 1), ("x", 1), ("n", 1), ("y", 2)):
            await pilot.press(key)
            while len(screen.query("Toast")) < shown:
                await pilot.pause()
            assert [str(toast.render()) for toast in screen.query("Toast")][:1] == ["There is no open finding"], key
            assert len(toasts(screen)) == shown, key
        await cleared(screen, pilot)
        await pilot.press("x")
        await pilot.pause()
        assert toasts(screen) == ["There is no open finding"]


async def test_settling_asks_for_a_reason_and_hands_it_on() -> None:
    """`x` on a finding; without words nothing happens, with words the action is queued."""
    source = trouble()
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "x")
        await pilot.pause()
        assert isinstance(screen.app.screen, Words)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(screen.app.screen, Words), "an empty reason is none"
        await pilot.press(*"done by q", "enter")
        await pilot.pause()
        (action,) = source.acted
        assert (action.verb, action.text, action.subject) == ("settle", "done by q", source.snapshot.findings[0].key)
        await pilot.press("x", *"no", "escape")
        await pilot.pause()
        assert len(source.acted) == 1


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each press of a question's key comes a while after the one before."""
    monkeypatch.setattr(box, "monotonic", partial(next, count(0.0, 10.0)))


@pytest.mark.usefixtures("patient")
async def test_aborting_asks_first_and_names_the_run() -> None:
    """Only its own key says yes; escape keeps it running."""
    source = trouble()
    source.cannot = {}
    async with opened(source) as (screen, pilot):
        await pilot.press("A", "escape")
        await pilot.pause()
        assert not source.acted
        await pilot.press("A")
        await pilot.pause()
        assert isinstance(screen.app.screen, Question)
        await pilot.press("A")
        await pilot.pause()
        assert [action.verb for action in source.acted] == ["abort"]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("receipt", ["delivered", "failed"])
@pytest.mark.parametrize(("before", "force"), [(0, "interrupt"), (1, "terminate"), (2, "kill"), (5, "kill")])
async def test_an_abort_that_did_not_help_is_followed_by_a_harder_one(before: int, force: str, receipt: str) -> None:
    """Each abort asked for before, and not done, makes the next one harder; the box says how hard."""
    source = trouble()
    source.cannot = {}
    asked = tuple(ActionFacts(str(number), "abort", "operator", receipt) for number in range(before))
    source.snapshot = replace(source.snapshot, actions=asked)
    async with opened(source) as (_, pilot):
        await pilot.press("A")
        await pilot.pause()
        await pilot.press("A")
        await pilot.pause()
        assert [action.force for action in source.acted] == [force]


async def test_every_other_action_reaches_the_source() -> None:
    """Warn with the advice, feedback with the words, pause, continue, measure, allow and deny."""
    source = trouble()
    source.snapshot = replace(source.snapshot, waiting="rm -rf build", waiting_call="c7")
    source.cannot = {"continue": "it is not paused"}
    async with opened(source) as (screen, pilot):
        await pilot.press("n", "w", "f")
        await pilot.pause()
        assert isinstance(screen.app.screen.focused, TextArea)
        await pilot.press(*"stop", "ctrl+s")
        await pilot.press("P", "m", "y", "N")
        source.cannot = {"pause": "it is paused"}
        await pilot.press("P")
        await pilot.pause()
    verbs = [action.verb for action in source.acted]
    assert verbs == ["warn", "feedback", "pause", "measure", "allow", "deny", "continue"]
    assert source.acted[0].text == source.snapshot.findings[0].advice
    assert source.acted[1].text == "stop"
    assert [action.subject for action in source.acted if action.verb in ("allow", "deny")] == ["c7", "c7"]
    assert len({action.id for action in source.acted}) == len(verbs)
