"""Rows that are put in between others while the operator looks at them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui_fleet import fleet
from ui_open import drawn, opened
from ui_put_in import START, PutIn
from ui_samples import PEN, SampleSource

from monitor.findings import Finding, Spot
from monitor.snapshot import Snapshot
from monitor.timeline.places import BETWEEN
from monitor.ui.filtered import Filtered
from monitor.ui.present.fleet import peek
from monitor.ui.query import parse
from monitor.ui.screens.run import RunScreen


@dataclass
class Watched:
    """A run whose screen is open."""

    story: PutIn
    source: SampleSource

    def tell(self, screen: RunScreen, *, findings: tuple[Finding, ...] = ()) -> None:
        """Publish what has been folded in, and let the screen look."""
        self.source.snapshot = replace(self.source.snapshot, seq=self.story.seq, findings=findings)
        screen.tick()


def watched(told: int) -> Watched:
    story = PutIn(told)
    return Watched(story, SampleSource(Snapshot(seq=story.seq), story.rows))  # type: ignore[arg-type]


def lines(screen: RunScreen) -> list[str]:
    """The rows of the timeline as they are drawn, without what stands beside them."""
    timeline = screen.timeline
    return [timeline.render_line(y).text[:60].rstrip() for y in range(1, timeline.size.height)]


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_a_row_put_in_above_moves_neither_cursor_nor_view(size: tuple[int, int]) -> None:
    """The same rows on the same lines, the same detail; only the count of the row says that it stands one lower."""
    run = watched(100)
    async with opened(run.source, size=size) as (screen, pilot):
        screen.timeline.go(60)
        await pilot.pause()
        seen, detail = lines(screen), screen.chosen
        assert "row 61 of 100" in drawn(screen)
        run.story.change(10.5)
        run.tell(screen)
        await pilot.pause()
        assert lines(screen) == seen
        assert screen.chosen == detail
        assert "row 62 of 101" in drawn(screen)
        await pilot.press("down")
        assert screen.timeline.here == 61


async def test_a_row_put_in_within_the_view_is_seen_at_once_between_its_neighbours() -> None:
    """The cursor's line stays where it is; what stood above moves up by one."""
    run = watched(100)
    async with opened(run.source) as (screen, pilot):
        screen.timeline.go(60)
        await pilot.pause()
        line = screen.timeline.cursor - screen.timeline.top
        run.story.change(58.5)
        run.tell(screen)
        await pilot.pause()
        assert screen.timeline.cursor - screen.timeline.top == line
        text = drawn(screen)
        order = [text.index(words) for words in ("words 58 ", "f100.py", "words 59 ")]
        assert order == sorted(order)


async def test_one_that_follows_the_end_goes_on_following() -> None:
    """Whether the row goes in above the last one or after it."""
    run = watched(100)
    async with opened(run.source) as (screen, pilot):
        assert screen.timeline.follow
        for second, here in ((98.5, 99), (200.0, BETWEEN + 1)):
            run.story.change(second)
            run.tell(screen)
            await pilot.pause()
            assert (screen.timeline.follow, screen.timeline.here) == (True, here)
        run.story.say(150.0)
        run.tell(screen)
        await pilot.pause()
        assert screen.timeline.here == BETWEEN + 1, "what is told later and was earlier goes in above it"


async def test_a_held_view_shows_nothing_of_it_until_it_is_let_go() -> None:
    """Held, every row stays; let go, the row stands where it belongs and the cursor on its own."""
    run = watched(100)
    async with opened(run.source) as (screen, pilot):
        screen.timeline.go(60)
        await pilot.press("space")
        seen = lines(screen)
        run.story.change(58.5)
        run.story.say(101.0)
        run.tell(screen)
        await pilot.press("up", "down")
        assert lines(screen) == seen
        assert "held · 2 new" in drawn(screen)
        await pilot.press("space")
        await pilot.pause()
        assert screen.timeline.here == 60
        assert "f100.py" in drawn(screen)
        assert "row 62 of 102" in drawn(screen)


async def test_a_filter_finds_a_row_put_in_before_rows_already_searched() -> None:
    """It stands in order among those found; a held view under a filter stays as it was."""
    run = watched(100)
    async with opened(run.source) as (screen, pilot):
        run.story.change(50.5)
        run.tell(screen)
        await pilot.press("slash", *"kind", "colon", *"outside", "enter")
        run.story.change(20.5)
        run.tell(screen)
        await pilot.pause()
        assert screen.filtered is not None
        found = [screen.filtered.ref(index) for index in range(len(screen.filtered))]
        assert found == [BETWEEN + 1, BETWEEN]
        assert "2 of 102 rows" in drawn(screen)
        await pilot.press("space")
        run.story.change(30.5)
        run.tell(screen)
        await pilot.pause()
        assert "2 of 102 rows" in drawn(screen)
        await pilot.press("space", "escape")
        await pilot.pause()
        assert screen.timeline.total == 103


async def test_a_finding_leads_to_the_row_and_marks_the_bar_where_it_stands() -> None:
    """`n` goes to the row of the change; the mark on the scroll bar is that of its index, not of its number."""
    run = watched(100)
    async with opened(run.source) as (screen, pilot):
        seq = run.story.change(20.5)
        finding = Finding("outside_edits", "f100.py", "warn", "f100.py changed", places=(Spot(seq, 0, 1),))
        run.tell(screen, findings=(finding,))
        await pilot.press("n")
        await pilot.pause()
        assert (screen.timeline.here, screen.timeline.cursor) == (BETWEEN, 21)
        assert screen.finding == finding
        assert list(screen.timeline.ticks) == [(21, "warn")]


def test_the_overview_shows_the_latest_rows_as_they_stand() -> None:
    """Below the chosen run; a row put in is one of them."""
    story = PutIn(30)
    story.change(28.5)
    shown = fleet()
    lines = [one.plain for one in peek(PEN, shown.view.live[0], story.rows, START, (100, 20))]
    latest = [words for one in lines for words in ("words 28", "f30.py", "words 29") if words in one]
    assert latest == ["words 28", "f30.py", "words 29"]


STEPS = st.lists(
    st.tuples(st.sampled_from(["say", "change", "search"]), st.integers(0, 20), st.integers(0, 4)), max_size=50
)


@settings(deadline=None, max_examples=100)
@given(STEPS, st.sampled_from(["kind:outside", "kind:said", "kind:write"]))
def test_whatever_is_put_in_between_two_slices_of_a_search_is_found_in_order(
    steps: list[tuple[str, int, int]], text: str
) -> None:
    """In the end the same rows in the same order as found at once, and each leads to where it stands."""
    story = PutIn(3)
    shown = Filtered(story.rows, parse(text))
    for what, second, slices in steps:
        if what == "search":
            left = iter(range(slices))
            shown.search({}, lambda left=left: next(left, None) is not None)
        else:
            getattr(story, what)(second)
    assert shown.search({}, lambda: True)
    wanted = [ref for ref in story.order() if shown.query.decides(story.rows.brief(ref))]
    found = [shown.ref(index) for index in range(len(shown))]
    assert found == wanted
    assert [shown.index(ref) for ref in found] == list(range(len(found)))
