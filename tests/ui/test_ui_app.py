"""The screen at work: what keys, clicks and new snapshots do."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import count

import pytest
from textual.app import SystemCommand
from textual.widgets import TextArea
from ui_ended import ended
from ui_open import drawn, opened, toasts
from ui_runs import calm
from ui_samples import NOWS, PEN, SampleRows, SampleSource, at
from ui_trouble import trouble

from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.app import MonitorApp
from monitor.ui.screens import box
from monitor.ui.screens.box import Question, Words
from monitor.ui.screens.help import Help
from monitor.ui.screens.run import RunScreen


async def test_n_leads_through_the_findings_and_p_back() -> None:
    """From the most pressing on; the detail names which it is."""
    async with opened(trouble()) as (screen, pilot):
        found = screen.snapshot.findings
        for key, expected in (("n", 0), ("n", 1), ("n", 2), ("n", 3), ("n", 4), ("n", 0), ("p", 4)):
            await pilot.press(key)
            await pilot.pause()
            assert screen.finding is found[expected]
        assert "finding 5 of 5" in drawn(screen)


async def test_enter_on_a_panel_leads_to_the_event_that_proves_it() -> None:
    """Tab to the panel, choose the second entry, enter: the timeline stands on its row."""
    async with opened(trouble()) as (screen, pilot):
        screen.panels["writes"].focus()
        await pilot.press("down", "enter")
        await pilot.pause()
        entry = screen.panels["writes"].panel.entries[1]
        assert screen.timeline.cursor == entry.seq
        assert screen.focused is screen.timeline


async def test_a_click_selects_a_row_an_entry_and_a_key() -> None:
    """The mouse does what the keys do."""
    async with opened(trouble()) as (screen, pilot):
        await pilot.click("#timeline", offset=(10, 1))
        await pilot.pause()
        assert screen.timeline.cursor == screen.timeline.top
        await pilot.click("#writes", offset=(4, 2))
        await pilot.pause()
        assert screen.timeline.cursor == screen.panels["writes"].panel.entries[1].seq
        begin = next(begin for begin, _, name in screen.foot._spots if name == "help")
        await pilot.click("#foot", offset=(begin + 2, 0))
        await pilot.pause()
        assert isinstance(screen.app.screen, Help)


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


async def test_enter_opens_the_whole_detail_and_escape_closes_it() -> None:
    """The detail takes the body, scrolls, and gives it back."""
    async with opened(trouble(), (80, 24)) as (screen, pilot):
        await pilot.press("n", "enter")
        await pilot.pause()
        assert screen.detail.opened
        assert not screen.timeline.display
        await pilot.press("G")
        await pilot.pause()
        assert "Do not redo other changes" in drawn(screen)
        await pilot.press("escape")
        await pilot.pause()
        assert screen.timeline.display
        assert screen.focused is screen.timeline


async def test_tab_goes_through_the_regions() -> None:
    """Timeline, detail, the four panels, and round."""
    async with opened(calm()) as (screen, pilot):
        seen = [screen.focused]
        for _ in range(6):
            await pilot.press("tab")
            seen.append(screen.focused)
        assert seen[0] is seen[6] is screen.timeline
        assert set(seen) == {screen.timeline, screen.detail, *screen.panels.values()}
        await pilot.press("shift+tab")
        assert screen.focused is seen[5]


async def test_an_empty_source_waits_and_no_key_breaks_it() -> None:
    """Before the first event every key is harmless."""
    async with opened(SampleSource(Snapshot(), SampleRows())) as (screen, pilot):
        assert "Waiting for the agent's first event." in drawn(screen)
        assert "a row for each prompt, thought, call and result" in drawn(screen)
        for key in (
            "n",
            "p",
            "enter",
            "escape",
            "up",
            "down",
            "g",
            "G",
            "pageup",
            "pagedown",
            "tab",
            "x",
            "w",
            "space",
            "t",
        ):
            await pilot.press(key)
        await pilot.pause()
        assert "Nothing has been read yet" in drawn(screen)


async def test_help_scrolls_and_closes() -> None:
    """`?` opens it, `G` shows its end, escape goes back."""
    async with opened(calm(), (80, 24)) as (screen, pilot):
        await pilot.press("question_mark", "G")
        await pilot.pause()
        assert "not by the agent" in drawn(screen.app.screen)
        await pilot.press("escape")
        assert screen.app.screen is screen


async def test_the_palette_holds_our_commands() -> None:
    """Every key that is a command, by name, and the themes."""
    async with opened(calm()) as (screen, _):
        commands = [
            command.title for command in screen.app.get_system_commands(screen) if isinstance(command, SystemCommand)
        ]
        assert {"Abort", "Measure", "Next finding", "Theme", "Choose a theme", "Quit"} <= set(commands)
        helps = {one.title: one.help for one in screen.app.get_system_commands(screen)}
        assert helps["Abort"].startswith("A: "), "by which key it goes without the palette"


async def test_a_running_call_grows_older_in_its_row() -> None:
    """Its row says for how long it has run; a held view stays as it is."""
    source, passed = calm(), [0.0]
    app = MonitorApp(source, pen=PEN, now=lambda: NOWS["calm"] + passed[0])
    async with app.run_test(size=(160, 48)) as pilot:
        screen = app.screen
        assert isinstance(screen, RunScreen)
        told = []
        for later, key in ((0.0, ""), (5.0, "space"), (9.0, "space"), (9.0, "")):
            passed[0] = later
            screen.tick()
            await pilot.pause()
            told += re.findall(r"shell .* running +(\w+)", drawn(screen))
            await pilot.press(*filter(None, [key]))
        assert told == ["47s", "52s", "52s", "56s"]


async def test_q_leaves_and_the_agent_goes_on() -> None:
    """Quitting asks nothing of the agent."""
    source = trouble()
    async with opened(source) as (screen, pilot):
        await pilot.press("q")
        await pilot.pause()
        assert screen.app.return_code == 0
    assert not source.acted


async def test_what_did_not_change_is_not_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same snapshot no region asks for a repaint; with a new verdict only what shows it does."""
    source = ended()
    async with opened(source) as (screen, pilot):
        asked: list[str] = []
        for widget in (screen.head, screen.strip, screen.timeline, screen.detail, screen.foot, *screen.panels.values()):
            monkeypatch.setattr(widget, "refresh", lambda *_a, name=widget.id, **_k: asked.append(str(name)))
        for _ in range(5):
            screen.tick()
        assert asked == []
        source.snapshot = replace(source.snapshot, verdict=replace(source.snapshot.verdict, since=at("15:06:40")))
        screen.tick()
        assert asked == ["strip"]
        await pilot.pause()
