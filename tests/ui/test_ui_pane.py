"""The agent's own terminal on the screen: the key that leads there, and an abort that begins with Escape."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from ui_open import floating, opened, toasts
from ui_samples import PEN, SampleSource, joined
from ui_scenes import ENDS
from ui_trouble import trouble

from monitor.actions import Force
from monitor.channels.pane import Pane
from monitor.channels.tmux import Server
from monitor.processes.identity import Identity
from monitor.processes.plan import Plan, Step
from monitor.ui.present.abort import abort_parts
from monitor.ui.present.parts import laid
from monitor.ui.screens import acting

PANE = Pane(Server(Path("/run/tmux/work")), "%5", "work:1.0", Identity(7, 7.0, "claude", 0), 34816)
ESCAPE = "Escape in its terminal, which is tmux work:1.0: its turn ends, the session stays open"
REOPENS = "SIGINT closes the whole session; this opens it again: claude --resume 7f3a"


@dataclass
class Seated(SampleSource):
    """A source that knows its run's terminal."""

    found: Pane | str = PANE

    def terminal(self) -> Pane | str:
        return self.found


def seated(found: Pane | str) -> Seated:
    return Seated(trouble().snapshot, trouble().rows, found=found)


async def test_without_a_pane_the_key_says_why() -> None:
    """A run whose terminal is no pane, and one of which no terminal is known, each with its reason."""
    async with opened(seated("its terminal is no tmux pane")) as (screen, pilot):
        await pilot.press("T")
        await pilot.pause()
        assert toasts(screen) == ["Its terminal is no tmux pane"]
    async with opened(trouble()) as (screen, pilot):
        await pilot.press("T")
        await pilot.pause()
        assert toasts(screen) == ["No terminal of this run is known"]


async def test_outside_tmux_the_command_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that shows the pane is said, and copied."""
    monkeypatch.delenv("TMUX", raising=False)
    async with opened(seated(PANE)) as (screen, pilot):
        await pilot.press("T")
        await pilot.pause()
        assert screen.app.clipboard == "tmux -S /run/tmux/work attach -t %5"
        assert "work:1.0" in toasts(screen)[0]


async def test_inside_tmux_it_goes_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same server the pane itself is shown, beside the screen's own work; what tmux refuses is said."""
    gone: list[Pane] = []

    def visit(pane: Pane) -> str:
        gone.append(pane)
        return "tmux said: no current client" if len(gone) > 1 else ""

    monkeypatch.setattr(acting, "near", lambda _: True)
    monkeypatch.setattr(acting, "visit", visit)
    async with opened(seated(PANE)) as (screen, pilot):
        await pilot.press("T")
        await screen.app.workers.wait_for_complete()
        await pilot.pause()
        assert gone == [PANE]
        assert toasts(screen) == []
        await pilot.press("T")
        await screen.app.workers.wait_for_complete()
        await pilot.pause()
        assert toasts(screen) == ["The terminal cannot be shown: tmux said: no current client"]


def abort(plan: Plan, force: Force = "interrupt") -> str:
    return " ".join(joined(laid(PEN, abort_parts(PEN, trouble().snapshot, plan, force), 200, opens=False)).split())


def test_escape_comes_before_any_signal() -> None:
    """The first step alone is said; signals only for when it is pressed again; what is left, with the line that reopens it."""
    steps = (Step("ask", ESCAPE), *(replace(one, asked=True) for one in ENDS.steps if one.force != "ask"))
    plan = replace(ENDS, steps=steps, remains=REOPENS)
    first = abort(plan)
    assert f"how {ESCAPE}" in first
    assert "SIGINT, then SIGTERM, then SIGKILL, only if you press A again" in first
    assert f"after {REOPENS}" in first
    assert "will end" not in first
    assert "runs in" in first
    again = abort(plan, "terminate")
    assert ESCAPE not in again
    assert "will end" in again
    assert "how SIGTERM" in again
    assert "SIGKILL, only if you press A again" in again


async def test_the_box_names_the_pane() -> None:
    """The operator sees in which pane the words are pasted, and chooses it with tab."""
    source = trouble()
    source.cannot = {}
    source.ways = {
        "next": "by its hook", "now": "Escape, then a paste in its terminal, which is tmux work:1.0", "later": "a paste",
    }  # fmt: skip
    async with opened(source) as (screen, pilot):
        await pilot.press("f")
        await pilot.pause()
        assert "by its hook" in floating(screen.app)
        await pilot.press("tab")
        await pilot.pause()
        assert "tmux work:1.0" in floating(screen.app)
        await pilot.press("x", "ctrl+s")
        await pilot.pause()
    assert [action.when for action in source.acted] == ["now"]
