"""The filter on the screen: typed, searched in slices, kept, cleared."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import pytest
from textual.widgets import Input
from ui_fleet import fleet
from ui_many import MILLION, Many
from ui_open import drawn, opened, toasts
from ui_replay import replayed
from ui_runs import calm
from ui_samples import SampleRows, SampleSource
from ui_trouble import trouble

from monitor.snapshot import Snapshot
from monitor.timeline.rows import Brief, Row
from monitor.ui.screens import filtering


async def asked(pilot: object, words: str) -> None:
    """Type a filter."""
    names = {" ": "space", ":": "colon", "/": "slash", '"': "quotation_mark"}
    await pilot.press("slash", *[names.get(sign, sign) for sign in words])  # type: ignore[attr-defined]
    await pilot.pause()  # type: ignore[attr-defined]


async def test_each_letter_narrows_the_rows_and_escape_shows_all() -> None:
    """How many of how many stands in the heading; the cursor stays on its row when the filter goes."""
    source = trouble()
    async with opened(source) as (screen, pilot):
        await asked(pilot, "kind:wr")
        text = drawn(screen)
        assert "7 of 34 rows · kind:wr" in text
        assert text.splitlines()[-1].lstrip().startswith("/ kind:wr")
        assert "shell" not in text.split("Timeline", 1)[1].split("Detail", 1)[0]
        await pilot.press("enter", "k")
        await pilot.pause()
        assert "7 of 34 rows" in drawn(screen), "enter keeps it"
        assert "? help  q quit" in drawn(screen).splitlines()[-1]
        base = screen.filtered.ref(screen.timeline.cursor) if screen.filtered else -1
        await pilot.press("escape")
        await pilot.pause()
        assert screen.filtered is None
        assert screen.timeline.cursor == base
        assert "row 29 of 34" in drawn(screen)


async def test_the_row_at_the_cursor_stays_when_the_filter_lets_it_through() -> None:
    """Looked at before, it is looked at after; a filter that hides it takes the next one."""
    async with opened(trouble()) as (screen, pilot):
        await pilot.press("n")
        here = screen.timeline.cursor
        await asked(pilot, "kind:write")
        assert screen.chosen is not None
        assert screen.chosen.row.ref == here
        await pilot.press("escape")
        await pilot.pause()
        assert screen.timeline.cursor == here


async def test_findings_are_gone_through_within_the_filter() -> None:
    """N and p stay among the rows found; where there is none it is said; an event filtered out is named so."""
    async with opened(trouble()) as (screen, pilot):
        await asked(pilot, "kind:fetch")
        await pilot.press("enter")
        for key in ("n", "n", "p"):
            await pilot.press(key)
            assert screen.finding is not None
            assert screen.finding.detector == "sites"
        screen.panels["writes"].focus()
        await pilot.press("enter")
        await pilot.pause()
        assert toasts(screen)[-1] == "The event that proves it is filtered out: escape shows all rows"
        await pilot.press("escape")
        await asked(pilot, "kind:search")
        await pilot.press("enter", "n")
        await pilot.pause()
        assert toasts(screen)[-1] == "No open finding is among these rows: escape shows all"


async def test_a_filter_that_finds_nothing_says_so() -> None:
    """And what would show all rows again; a kind there is none of is told at once, and kept open."""
    async with opened(trouble()) as (screen, pilot):
        await asked(pilot, "nosuchword")
        assert "No row holds all of this: escape shows all rows." in drawn(screen)
        assert "0 of 34 rows" in drawn(screen)
        await pilot.press("escape")
        await asked(pilot, "kind:sprout")
        assert "There is no kind sprout" in drawn(screen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(screen.focused, Input)


async def test_new_rows_pass_the_filter_as_they_come() -> None:
    """Following, the cursor stays on the last row that was found."""
    source = calm()
    async with opened(source) as (screen, pilot):
        await asked(pilot, "kind:said")
        await pilot.press("enter")
        before = len(screen.rows)
        source.rows.add("said", "15:05:10", "one more")
        source.rows.add("read", "15:05:11", "src/x.py")
        screen.tick()
        await pilot.pause()
        assert len(screen.rows) == before + 1
        assert screen.timeline.cursor == before


async def test_a_replay_goes_back_and_forth_under_a_filter() -> None:
    """At each moment only the rows found until then."""
    source = replayed(34)
    async with opened(source) as (screen, pilot):
        await asked(pilot, "kind:write")
        await pilot.press("enter")
        counts = {}
        for count in (34, 16, 20, 34):
            source.go(count)
            screen.tick()
            await pilot.pause()
            counts[count] = len(screen.rows)
        assert counts == {34: 7, 16: 3, 20: 3}


async def test_a_sub_agent_is_found_by_the_name_that_is_shown_and_by_its_id() -> None:
    """Also when its name is told after the filter was written; and left out by it."""
    base = fleet().view.live[2].snapshot
    rows = (Row(0, 0, "shell", "ls", actor="a1"), Row(1, 1, "shell", "pwd", actor="a7"), Row(2, 2, "shell", "id"))
    nameless = replace(base, actors=())
    source = SampleSource(nameless, SampleRows([(row, None, None) for row in rows]))
    async with opened(source) as (screen, pilot):
        await asked(pilot, "callers")
        assert len(screen.rows) == 0
        source.snapshot = base
        screen.tick()
        await pilot.pause()
        assert "1 of 3 rows" in drawn(screen)
        assert "Look for callers of… ls" in drawn(screen)
        screen.filter("a1")
        assert [screen.rows.ref(index) for index in range(len(screen.rows))] == [0]
        screen.filter("-callers")
        assert [screen.rows.ref(index) for index in range(len(screen.rows))] == [1, 2]


@dataclass
class Half(Many):
    """A million rows, every other one a write; none is ever read back but those on the screen."""

    def brief(self, ref: int) -> Brief:
        return Brief("write" if ref % 2 else "said")

    def row(self, ref: int) -> Row:
        return replace(super().row(ref), kind="write" if ref % 2 else "said")

    def events(self, ref: int) -> tuple[None, None]:
        return None, None


class Clock:
    """A time that goes on by one at each look, so many times; then it stands beyond the end of every slice."""

    def __init__(self) -> None:
        self.now, self.left = 0, 0.0

    def __call__(self) -> float:
        self.left -= 1
        self.now += 1
        return self.now if self.left >= 0 else math.inf


async def test_a_million_rows_are_searched_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen goes on between slices: the heading says how far the search is, and a key still does its thing."""
    rows = Half()
    source = SampleSource(Snapshot(seq=1_000_000), rows)  # type: ignore[arg-type]
    async with opened(source) as (screen, pilot):
        clock, shows, show = Clock(), list[int](), screen.show_rows
        monkeypatch.setattr(screen, "show_rows", lambda: (shows.append(screen.timeline.room), show()))
        monkeypatch.setattr(filtering, "SLICE", 1_000)
        monkeypatch.setattr(filtering, "perf_counter", clock)
        await pilot.press("slash", *"kind", "colon")
        clock.left = 20_000
        await pilot.press("w")
        rows.read.clear()
        shows.clear()
        assert screen.filtered is not None
        assert screen.filtered.looked(0)
        assert not screen.filtered.looked(MILLION - 1)
        assert "% searched" in drawn(screen)
        await pilot.press("r")
        assert screen.filtered.query.text == "kind:wr", "a key pressed meanwhile is heard"
        monkeypatch.setattr(filtering, "SLICE", 200_000)
        clock.left = math.inf
        end = time.monotonic() + 60
        while not screen.filtered.looked(MILLION - 1):
            assert time.monotonic() < end
            await pilot.pause(0.05)
        screen.tick()
        await pilot.pause()
        assert "500,000 of 1,000,000 rows · kind:wr" in drawn(screen)
        assert "row 999999 " in drawn(screen)
        assert len(set(rows.read)) <= sum(shows) + screen.timeline.room, "only what was on the screen is read back"
