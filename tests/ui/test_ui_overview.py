"""The overview: who needs you, and what can be done from there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_fleet import fleet, nobody
from ui_open import cleared, drawn, toasts
from ui_overview import opened
from ui_samples import NOWS, PEN
from ui_trouble import trouble

from monitor.snapshot import ActionFacts
from monitor.ui.app import MonitorApp
from monitor.ui.screens.box import Question
from monitor.ui.screens.letter import Letter
from monitor.ui.screens.overview import Overview


async def test_who_needs_you_stands_first() -> None:
    """The one that waits, then the one in trouble; the summary says how many and why; every figure has its column."""
    found = fleet()
    async with opened(found) as (screen, _):
        text = drawn(screen)
        assert found.started
        assert "◆ 1 WAITS FOR YOU    codex in ~/src/ledger asks to run: git push --force" in text
        assert "1 live run with writes outstanding" in text
        assert "1 folder with more than one agent" in text
        rows = [line for line in text.split("\n") if "~/src/" in line]
        assert "WAITING" in rows[1]
        assert "waits 1m 40s" in rows[1]
        assert "+12" in next(row for row in rows if "tidepool" in row)
        assert screen.runs.key == "codex:c1"


async def test_sub_agents_are_a_tree() -> None:
    """Those that work stand below their run, and below each other; those that are done do not."""
    async with opened(fleet()) as (screen, _):
        lines = drawn(screen).split("\n")
        one = next(line for line in lines if "callers of the old exporter" in line)
        two = next(line for line in lines if "changelog of the exporter" in line)
        assert one.index("└") + 2 == two.index("└")
        assert "Already done" not in "\n".join(lines)


async def test_the_chosen_run_at_a_glance() -> None:
    """Its verdict, its panels and its latest events; of one that is not attached what the list knows."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("down")
        await pilot.pause()
        text = drawn(screen)
        assert screen.runs.key == "lcode:l1"
        assert "Failed writes" in text
        assert "live: process 48213 says so" in text
        await pilot.press("end")
        await pilot.pause()
        assert "No running process names this session; enter opens it" in drawn(screen)


async def test_tab_goes_to_the_next_that_needs_somebody() -> None:
    """Waiting, then at the level of a stop, then ended with a verdict; then from the beginning."""
    found = fleet()
    fresh = replace(found.view.ended[2], attached=True, over=True, fresh=True)
    found.view = replace(found.view, ended=(*found.view.ended[:2], fresh, *found.view.ended[3:]))
    async with opened(found) as (screen, pilot):
        met = [screen.runs.key]
        for _ in range(3):
            await pilot.press("tab")
            met.append(screen.runs.key)
        assert met == ["codex:c1", "lcode:l1", "claude:e3", "codex:c1"]
        await pilot.press("shift+tab")
        assert screen.runs.key == "claude:e3"


async def test_what_is_done_reaches_the_chosen_run() -> None:
    """Allow, deny, warn, feedback and abort act on the run that is chosen, and on no other."""
    found = fleet()
    asks, bad = found.sources["codex:c1"], found.sources["lcode:l1"]
    bad.cannot = {}
    async with opened(found) as (screen, pilot):
        await pilot.press("y")
        await pilot.press("N")
        assert [(one.verb, one.subject) for one in asks.acted] == [("allow", "c9"), ("deny", "c9")]
        await pilot.press("down", "w")
        assert bad.acted[0].verb == "warn"
        assert bad.acted[0].text == screen.finding.advice
        await pilot.press("y")
        assert toasts(screen)[-1] == "Nothing waits for approval"
        await pilot.press("f")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        await pilot.press("escape")
        await pilot.pause()
        assert len(asks.acted) == 2


async def test_a_box_acts_on_the_run_it_asked_about() -> None:
    """While it is open the list goes on; what is answered is done to the run that it named."""
    found = fleet()
    found.sources["lcode:l1"].cannot = {}
    async with opened(found) as (screen, pilot):
        await pilot.press("down", "A")
        await pilot.pause()
        assert isinstance(screen.app.screen, Question)
        found.view = replace(found.view, live=tuple(one for one in found.view.live if one.key != "lcode:l1"))
        screen.tick()
        assert screen.runs.key != "lcode:l1"
        screen.app.screen.action_answer(True)
        await pilot.pause()
        assert [one.verb for one in found.sources["lcode:l1"].acted] == ["abort"]
        assert not any(one.acted for key, one in found.sources.items() if key != "lcode:l1")


async def test_nothing_can_be_done_to_a_run_that_is_not_attached() -> None:
    """Its keys are dim, and say that enter attaches."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("end", "A")
        assert toasts(screen) == ["This run is not attached: enter attaches to it"]


async def test_filter_sort_and_projects() -> None:
    """Words narrow the list while they are written, escape shows all; s sorts, b groups."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("slash", *"state", "colon", *"block")
        await pilot.pause()
        assert list(screen.runs._keys) == ["lcode:e2"]
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert len(screen.runs._keys) == 13
        await pilot.press("s", "s")
        assert screen.wish.sort == "cost"
        await pilot.press("b", "home")
        await pilot.pause()
        assert "~/src/site" in [line.strip().split(" ")[0] for line in drawn(screen).split("\n")]
        await pilot.press("slash", *"nothing")
        await pilot.pause()
        assert "No run holds all of this: escape shows all runs" in drawn(screen)


async def test_a_machine_without_runs() -> None:
    """It says where it looked, and offers the demo."""
    async with opened(nobody(), (100, 30)) as (screen, pilot):
        text = drawn(screen)
        assert "~/.claude/projects" in text
        assert "not there" in text
        assert "monitor demo" in text
        await pilot.press("enter", "tab")
        assert toasts(screen) == ["No run is chosen", "No run needs you"]
        await cleared(screen, pilot)
        await pilot.press("w")
        assert toasts(screen) == ["No run is chosen"]


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (100, 30), (80, 24), (60, 20), (40, 12), (20, 6)])
async def test_every_size(size: tuple[int, int]) -> None:
    """Down to 20 by 6 nothing is wider than the screen, and the chosen run is on it."""
    async with opened(fleet(), size) as (screen, pilot):
        await pilot.press("end", "up", "home", "pagedown", "tab")
        await pilot.pause()
        assert all(len(line) <= size[0] for line in drawn(screen).split("\n"))
        assert screen.runs.top <= screen.runs._keys[screen.runs.key]


async def test_the_policy_stands_in_the_header() -> None:
    """How it acts and on which run, as far as there is room; no more once that run has ended."""
    source = trouble()
    for size, sign in (((160, 48), "policy armed on lcode in ~/src/tidepool"), ((60, 20), "policy armed")):
        app = MonitorApp(source, fleet=fleet, pen=PEN, now=lambda: NOWS["trouble"])
        app.policy = "policy armed"
        async with app.run_test(size=size) as pilot:
            await pilot.press("o")
            await pilot.pause()
            assert isinstance(app.screen, Overview)
            assert sign in drawn(app.screen).split("\n")[0]
            source.snapshot, before = (
                replace(source.snapshot, run=replace(source.snapshot.run, over=True)),
                source.snapshot,
            )
            app.screen.show()
            await pilot.pause()
            assert "policy" not in drawn(app.screen).split("\n")[0]
            source.snapshot = before


async def test_what_became_of_an_action_is_seen_at_a_glance() -> None:
    """Its receipts stand with the chosen run, since its screen is not open."""
    found = fleet()
    source = found.sources["dirtywork:d1"]
    moment = NOWS["trouble"]
    acted = ActionFacts(
        "1", "feedback", "operator", "seen", text="Use tabs", evidence="the agent tells it", at=moment - 3,
        steps=(("queued", moment - 3), ("seen", moment - 1)),
    )  # fmt: skip
    told = replace(source.snapshot, actions=(acted,))
    found.view = replace(
        found.view,
        live=tuple(replace(one, snapshot=told) if one.key == "dirtywork:d1" else one for one in found.view.live),
    )
    async with opened(found) as (screen, pilot):
        screen.runs.choose("dirtywork:d1")
        await pilot.pause()
        assert "seen 15:09:13" in drawn(screen)


async def test_a_first_look_that_goes_on_says_so() -> None:
    """While the machine is being looked over, nothing is said to be none but what is known to be none."""
    found = fleet()
    found.view = replace(found.view, ended=(), looked=False)
    async with opened(found) as (screen, _):
        assert "4 live" in drawn(screen)
        assert "looking for more" in drawn(screen)
        assert "none ended" not in drawn(screen)
