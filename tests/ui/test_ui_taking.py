"""Acting from the overview on runs that are only watched."""

from __future__ import annotations

from asyncio import to_thread
from dataclasses import replace
from threading import Event

from textual.pilot import Pilot
from ui_fleet import fleet
from ui_open import drawn, toasts
from ui_overview import entered, opened

from monitor.channels.hold import RESTS
from monitor.ui.screens.letter import Letter
from monitor.ui.screens.overview import Overview


async def done(screen: Overview, pilot: Pilot[None]) -> None:
    """Until what was begun beside the screen is over."""
    await screen.app.workers.wait_for_complete()
    await pilot.pause()


async def test_a_run_that_is_watched_is_taken_before_it_is_acted_on() -> None:
    """Its keys are not dim for want of a channel; the first of them takes it, and then does what it does."""
    found = fleet()
    found.resting = {"codex:c1"}
    asks = found.sources["codex:c1"]
    asks.cannot = dict.fromkeys(("allow", "deny", "feedback"), RESTS)
    async with opened(found) as (screen, pilot):
        assert [screen.why_not(name) for name in ("allow", "feedback")] == ["", ""]
        asks.cannot = {}
        await pilot.press("y")
        await done(screen, pilot)
        assert (found.taken, [one.verb for one in asks.acted]) == (["codex:c1"], ["allow"])
        await pilot.press("N")
        assert ([one.verb for one in asks.acted], found.taken) == (["allow", "deny"], ["codex:c1"])


async def test_why_it_cannot_be_reached_is_said() -> None:
    """Another monitor may hold it: the key says so, and nothing is done."""
    found = fleet()
    found.resting = {"codex:c1"}
    cannot = found.sources["codex:c1"].cannot = {"allow": RESTS, "deny": RESTS}
    found.on_take = lambda _key: cannot.update(allow="another monitor already controls this run")
    async with opened(found) as (screen, pilot):
        await pilot.press("y")
        await done(screen, pilot)
        assert toasts(screen) == ["Another monitor already controls this run"]
        found.resting = {"codex:c1"}
        await pilot.press("N")
        await done(screen, pilot)
        assert toasts(screen)[-1] == "It is not known yet whether the run can be reached: press again"
        assert found.sources["codex:c1"].acted == []


async def test_a_box_keeps_what_was_taken() -> None:
    """While words are written the run stays reached, however long that takes."""
    found = fleet()
    found.resting = {"lcode:l1"}
    found.sources["lcode:l1"].cannot = {}
    async with opened(found) as (screen, pilot):
        await pilot.press("down", "f")
        await done(screen, pilot)
        assert isinstance(screen.app.screen, Letter)
        found.kept.clear()
        screen.tick()
        assert found.kept == ["lcode:l1"]
        await pilot.press("escape")
        await pilot.pause()
        found.kept.clear()
        screen.tick()
        assert found.kept == []


async def test_a_live_run_beyond_those_followed_is_attached_when_it_is_acted_on() -> None:
    """There may be more live runs than are followed at once: a key attaches to the run first."""
    found = fleet()
    source = found.sources.pop("lcode:l1")
    source.cannot = {}
    found.view = replace(
        found.view, live=tuple(replace(one, attached=one.key != "lcode:l1") for one in found.view.live)
    )
    found.view = replace(found.view, beyond=1)
    found.on_take = lambda key: found.sources.update({key: source})
    async with opened(found) as (screen, pilot):
        assert "1 live run only listed, enter follows" in drawn(screen)
        screen.runs.choose("lcode:l1")
        await pilot.pause()
        await pilot.press("A")
        await done(screen, pilot)
        await pilot.press("enter")
        assert found.taken == ["lcode:l1"]


async def test_a_run_that_is_left_is_given_back() -> None:
    """Entered it is held, on the way back to the overview it is let go."""
    found = fleet()
    async with opened(found) as (screen, pilot):
        await pilot.press("down")
        await entered(screen, pilot)
        assert not found.rests("lcode:l1")
        await pilot.press("o")
        await pilot.pause()
        assert found.rests("lcode:l1")


async def test_a_key_after_another_acts_on_the_run_chosen_last() -> None:
    """Before anything of the choice is drawn: what is paused or allowed is the run the cursor went to, and no other."""
    found = fleet()
    first, second = found.sources["codex:c1"], found.sources["lcode:l1"]
    first.cannot = second.cannot = {}
    async with opened(found) as (screen, pilot):
        assert screen.runs.key == "codex:c1"
        for key in ("down", "pause"):
            screen.action_go(key)
        await pilot.pause()
        assert (screen.runs.key, first.acted) == ("lcode:l1", [])
        assert [one.verb for one in second.acted] == ["pause"]


async def test_a_key_while_a_run_is_being_reached_is_not_lost_in_silence() -> None:
    """One run is reached at a time: the second key says so."""
    found = fleet()
    found.resting = {"codex:c1", "lcode:l1"}
    begun, goes_on = Event(), Event()

    def reaching(_key: str) -> None:
        begun.set()
        goes_on.wait(30)

    found.on_take = reaching
    for source in found.sources.values():
        source.cannot = {}
    async with opened(found) as (screen, pilot):
        await pilot.press("y")
        await to_thread(begun.wait, 30)
        await pilot.press("down", "P")
        await pilot.pause()
        assert toasts(screen) == ["A run is being reached just now: press again"]
        goes_on.set()
        await done(screen, pilot)
        assert found.taken == ["codex:c1"]
        assert found.sources["lcode:l1"].acted == []
