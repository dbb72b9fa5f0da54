"""What the overview says agrees with its order, and its order rests while somebody reads."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ui_fleet import fleet, listed, told
from ui_open import drawn
from ui_open import opened as run_opened
from ui_overview import entered, opened
from ui_samples import NOWS, PEN, SampleRows, SampleSource, joined

from monitor.finding.standing import FleetView, Standing
from monitor.timeline.rows import Row
from monitor.ui.arranged import Arrangement, RunLine, Title, Wish, next_in_need, state_of
from monitor.ui.ordered import said
from monitor.ui.present.columns import when
from monitor.ui.present.fleet import peek, summary, title
from monitor.ui.present.listed import fleet_line
from monitor.ui.screens.overview import Overview
from monitor.ui.screens.run import RunScreen

NOW = NOWS["trouble"]
DAY = 86_400


def keys(found):
    return [line.run.key for line in found if isinstance(line, RunLine)]


def spoken(run, at):
    """The run, its last word at another time."""
    facts = replace(run.snapshot.run, last=at)
    return replace(run, snapshot=replace(run.snapshot, run=facts), listed=replace(run.listed, last=at))


def without_end(**more):
    """A run that was followed, and whose process is gone, though its log holds no end."""
    return Standing(listed("codex", "x", "src/a", "t", last=NOW), told("running", end=NOW), attached=True, **more)


def test_of_a_run_that_lives_no_more_nothing_says_that_it_runs():
    """`tab` leads to it and the summary names it: neither says that nothing needs you."""
    run = without_end(fresh=True)
    view = FleetView((), (run,), looked=True)
    assert next_in_need(Arrangement().lines(view, Wish(), NOW), "", 1) == run.key
    shown = [line.plain for line in (*summary(PEN, view, 150), *peek(PEN, run, None, NOW, (150, 20)))]
    assert "1 HAS ENDED" in shown[0]
    assert "Its log holds no end, and it runs no more: no running process names this session" in shown[0]
    assert not any("Nothing needs you" in line or "RUNNING" in line for line in shown)
    assert state_of(run) == "unknown"


def test_runs_that_work_keep_their_places():
    """However their words alternate, none of them moves; a run that was quiet for a minute goes below those that speak."""
    view, arrangement = fleet().view, Arrangement()
    for sort in ("need", "last"):
        first = keys(arrangement.lines(view, Wish(sort), NOW))
        for second in range(1, 20):
            live = [spoken(one, NOW + second - index * second % 7) for index, one in enumerate(view.live)]
            again = keys(arrangement.lines(replace(view, live=tuple(live)), Wish(sort), NOW + second))
            if second > 1:
                assert again == first, (sort, second)
            first = again
    quiet = [spoken(one, NOW + (0 if one.key == first[0] else 100)) for one in view.live]
    later = keys(arrangement.lines(replace(view, live=tuple(quiet)), Wish("last"), NOW + 100))
    assert later[:4] == [*first[1:4], first[0]]


def test_a_change_of_state_is_seen_in_the_order_at_once():
    """A run that begins to wait goes to the top, however long the order has rested."""
    view, arrangement = fleet().view, Arrangement()
    last = keys(arrangement.lines(view, Wish(), NOW))[3]
    waits = told("waiting", waiting="Asks to run: make", waiting_since=NOW, end=NOW)
    live = tuple(replace(one, snapshot=waits) if one.key == last else one for one in view.live)
    assert last in keys(arrangement.lines(replace(view, live=live), Wish(), NOW + 1))[:2]


def test_a_time_far_ahead_puts_no_run_on_top():
    """It is told as the date that it is, and sorts as a time that is not known."""
    view = fleet().view
    ahead = replace(view.live[2], snapshot=None, listed=replace(view.live[2].listed, last=NOW + 400 * DAY))
    found = replace(view, live=(ahead, *view.live[:2], view.live[3]))
    assert said(ahead, NOW) == 0
    for sort in ("need", "last"):
        assert keys(Arrangement().lines(found, Wish(sort), NOW))[3] == ahead.key
    assert when(PEN, NOW + 400 * DAY, NOW) == f"{datetime.fromtimestamp(NOW + 400 * DAY, PEN.zone):%-d %b %Y}"
    assert when(PEN, NOW + 5, NOW) == "now"


def test_what_is_not_known_is_not_said_to_have_ended():
    """It has a heading and a count of its own."""
    view = fleet().view
    lost = Standing(replace(listed("pi", "u1", "src/a", "Left open", last=NOW - DAY), state="unknown", pid=None))
    view = replace(view, ended=(*view.ended, lost))
    found = Arrangement().lines(view, Wish(), NOW)
    assert [(one.name, one.count) for one in found if isinstance(one, Title)] == [
        ("Live", 4), ("Ended", 9), ("Not known whether they run", 1),
    ]  # fmt: skip
    assert "9 ended  │  1 not known" in summary(PEN, view, 180)[1].plain


def test_the_order_and_the_filter_are_told():
    """The header names the order, as shortly as it must; the counts say how many of all the filter shows."""
    view = fleet().view
    assert "runs on this machine, the latest word first" in title(PEN, NOW, 150, wish=Wish("last")).plain
    assert "by cost" in title(PEN, NOW, 36, wish=Wish("cost")).plain
    for room in (150, 76, 48):
        assert summary(PEN, view, room, "state:wait", 1)[1].plain.startswith("• filter: state:wait  1 of 13")
    assert "filter" not in summary(PEN, view, 150)[1].plain


def test_where_nothing_needs_you_no_other_count_is_lost():
    """How many live runs are only listed, or cannot be read, stands there all the same; so does a filter for live ones."""
    works = Standing(listed("codex", "a1", "src/a", "t", last=NOW), told("running", end=NOW), attached=True)
    mute = replace(works, listed=listed("pi", "a2", "src/b", "t", last=NOW), problem="Its log cannot be read")
    view = FleetView((works, mute), (), looked=True, beyond=7)
    first, second = (line.plain for line in summary(PEN, view, 180, "state:live", 2))
    assert "2 LIVE   Nothing needs you" in first
    for words in ("filter: state:live  2 of 2", "1 live run cannot be read", "7 live runs only listed", "none ended"):
        assert words in second, words
    assert "2 live" not in second


def test_more_new_rows_than_there_is_room_for_are_told_as_more():
    """The column holds three digits: beyond them the number is a least one."""
    run = fleet().view.live[1]
    for new, shown in ((0, ""), (999, "+999"), (1_000, "999+"), (54_321, "999+")):
        line = fleet_line(PEN, RunLine(replace(run, new=new)), 160, NOW, here=False).plain
        assert [word for word in line.split() if "+" in word] == ([shown] if shown else [])


async def test_the_filter_stays_told_once_it_is_kept() -> None:
    """While it narrows the list it stands above it; escape takes both away."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("slash", *"blocked", "enter")
        await pilot.pause()
        assert "filter: blocked  1 of 13" in drawn(screen)
        await pilot.press("escape", "s")
        await pilot.pause()
        assert "filter: blocked" not in drawn(screen)
        assert "the latest word first" in drawn(screen).split("\n")[0]


async def test_escape_goes_back_to_the_run_that_was_left() -> None:
    """Also where the overview lies below it, as it does for the one agent of the folder; without one it stays."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("escape")
        assert screen.app.screen is screen
        await entered(screen, pilot)
        assert isinstance(screen.app.screen, RunScreen)
        source = screen.app.screen.source
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(screen.app.screen, Overview)
        assert "back" in drawn(screen).split("\n")[-1]
        await entered(screen, pilot, "escape")
        assert isinstance(screen.app.screen, RunScreen)
        assert screen.app.screen.source is source


def test_the_state_is_the_last_to_go():
    """At 40 columns it still stands there; how long a run waits is told whole, if need be without its seconds."""
    view = fleet().view
    for room in (36, 20):
        assert "WAITING" in fleet_line(PEN, RunLine(view.live[0]), room, NOW, here=False).plain
    for passed, words in ((19 * 60 + 12, "waits 19m"), (100, "waits 1m 40s"), (3 * 3600 + 720, "waits 3h 12m")):
        waits = replace(view.live[0].snapshot, waiting_since=NOW - passed)
        shown = fleet_line(PEN, RunLine(replace(view.live[0], snapshot=waits)), 116, NOW, here=False).plain
        assert shown.rstrip().endswith(words)


async def test_a_sub_agent_has_the_same_name_in_the_timeline_as_in_the_overview() -> None:
    """That is what it does, where its log says so; one of which nothing is told keeps its id."""
    rows = (Row(0, 0, "shell", "ls", actor="a1"), Row(1, 1, "shell", "pwd", actor="a7"))
    source = SampleSource(fleet().view.live[2].snapshot, SampleRows([(row, None, None) for row in rows]))
    async with run_opened(source) as (screen, _):
        shown = drawn(screen)
    assert "Look for callers of… ls" in shown
    assert "a7 pwd" in shown
    assert "a1 " not in shown
    run = fleet().view.live[2]
    assert "Look for callers of… ls" in joined(peek(PEN, run, source.rows, NOW, (100, 20))), "and at a glance"
