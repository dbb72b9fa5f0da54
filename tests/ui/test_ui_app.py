"""The screen at work: what keys, clicks and new snapshots do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.app import SystemCommand
from ui_ended import ended
from ui_open import drawn, opened
from ui_runs import calm
from ui_samples import NOWS, PEN, SampleRows, SampleSource, at
from ui_trouble import trouble

from monitor.snapshot import Snapshot
from monitor.ui.app import MonitorApp
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


async def test_what_runs_is_named_though_its_source_gives_no_times() -> None:
    """The strip counts from when the call's row was seen."""
    source = calm()
    source.snapshot = replace(source.snapshot, calls=(replace(source.snapshot.calls[0], at=None),))
    async with opened(source, (160, 48)) as (screen, _):
        assert "running for 5m 02s: python -m pytest -q --durations=5" in drawn(screen)


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
