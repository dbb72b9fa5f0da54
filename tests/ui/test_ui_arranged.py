"""The order of the runs in the overview, and how their lines read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui_fleet import fleet, listed
from ui_samples import NOWS, PEN, at

from monitor.finding.standing import FleetView, Standing
from monitor.ui.arranged import Arrangement, Gap, RunLine, Title, Wish, holds, kept, next_in_need, state_of
from monitor.ui.present.columns import columns, when
from monitor.ui.present.listed import fleet_line, header

NOW = NOWS["trouble"]


def lines(view, **wish):
    return Arrangement().lines(view, Wish(**wish), NOW)


def keys(found):
    return [line.run.key for line in found if isinstance(line, RunLine)]


def test_those_that_need_somebody_come_first():
    """Waiting, in trouble, then by the latest word; ended ones below, as they were."""
    found = lines(fleet().view)
    assert keys(found)[:4] == ["codex:c1", "lcode:l1", "dirtywork:d1", "claude:q1"]
    assert [line.name for line in found if isinstance(line, Title)] == ["Live", "Ended"]


def test_by_time_and_by_cost():
    """The latest word first, whatever it needs; the dearest first, those of unknown cost last."""
    assert keys(lines(fleet().view, sort="last"))[:4] == ["dirtywork:d1", "claude:q1", "lcode:l1", "codex:c1"]
    ended = keys(lines(fleet().view, sort="cost"))[4:]
    assert ended[:2] == ["claude:e8", "claude:e1"]


def test_by_project():
    """Each project once, its live runs before its ended ones; a folder nobody knows has a name too."""
    found = lines(fleet().view, grouped=True)
    titles = [line.name for line in found if isinstance(line, Title)]
    assert titles[0] == "/home/mara/src/ledger"
    assert len(titles) == len(set(titles))
    assert "project not known" in titles
    at_site = keys(found)[keys(found).index("dirtywork:d1") :][:3]
    assert at_site == ["dirtywork:d1", "claude:q1", "acp:e5"]


def test_sections_stand_apart_where_there_is_room():
    """One empty line between two, none before the first, none where a section is empty."""
    view = fleet().view
    assert sum(isinstance(line, Gap) for line in Arrangement().lines(view, Wish(), NOW, airy=True)) == 1
    assert not any(
        isinstance(line, Gap) for line in Arrangement().lines(replace(view, live=()), Wish(), NOW, airy=True)
    )


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["need", "last", "cost"]),
    st.booleans(),
    st.sampled_from(["", "claude", "state:blocked", "project:site"]),
)
def test_every_run_that_holds_stands_there_once(sort, grouped, words):
    """Sorting and grouping lose no run and show none twice; a filter shows those for which it holds."""
    view = fleet().view
    wanted = sorted(one.key for one in (*view.live, *view.ended) if holds(one, words))
    assert sorted(keys(lines(view, sort=sort, grouped=grouped, words=words))) == wanted


@pytest.mark.parametrize("term", ["claude", "state:blocked", "project:site", "agent:lcode"])
def test_a_minus_leaves_out_what_the_filter_would_find(term):
    """Each run is found with a word or without it; what is still to be written leaves nothing out."""
    view = fleet().view
    runs = (*view.live, *view.ended)
    assert [holds(one, f"-{term}") for one in runs] == [not holds(one, term) for one in runs]
    assert all(holds(one, words) for one in runs for words in ("-", "-state:", "state:"))
    assert not any(holds(one, "--nosuch") for one in runs)


def test_the_next_in_need_goes_round():
    """From anywhere to the most pressing, then on, and from the last to the first; nowhere when nobody needs any."""
    found = lines(fleet().view)
    assert next_in_need(found, "claude:e1", 1) == "codex:c1"
    assert next_in_need(found, "codex:c1", 1) == "lcode:l1"
    assert next_in_need(found, "lcode:l1", 1) == "codex:c1"
    assert next_in_need(found, "codex:c1", -1) == "lcode:l1"
    assert next_in_need(lines(FleetView()), "", 1) == ""


def test_what_says_the_same_is_the_same_line():
    """So that it need not be drawn again; a run that stands otherwise is another line."""
    view, arrangement = fleet().view, Arrangement()
    old = arrangement.lines(view, Wish(), NOW)
    assert all(one is two for one, two in zip(old, kept(old, arrangement.lines(view, Wish(), NOW)), strict=True))
    other = replace(view, live=(replace(view.live[0], new=5), *view.live[1:]))
    new = kept(old, arrangement.lines(other, Wish(), NOW))
    assert [one is two for one, two in zip(old, new, strict=True)].count(False) == 1


def test_the_state_is_the_verdicts_where_there_is_one():
    """What a log says goes before what the list says; idle stays idle though its log reads as running."""
    view = fleet().view
    assert state_of(view.live[1]) == "not made"
    assert state_of(Standing(listed("claude", "x", "a", "t"))) == "ended"
    assert state_of(Standing(listed("claude", "x", "a", "t", state="live"))) == "running"
    idle = replace(view.live[2], listed=replace(view.live[2].listed, state="idle"))
    assert state_of(idle) == "idle"


def test_columns_go_by_weight():
    """State, project and the last word stay longest; every line fills its width exactly, whatever it is."""
    assert [one.name for one in columns(156)][:3] == ["state", "agent", "project"]
    assert {one.name for one in columns(78)} == {"state", "project", "last"}
    assert [one.name for one in columns(36)] == [one.name for one in columns(20)] == ["state"]
    for room in (156, 116, 78, 40, 36, 16, 9):
        for line in lines(fleet().view):
            if isinstance(line, RunLine):
                assert fleet_line(PEN, line, room, NOW, here=False, lead=2).cell_length == room + 2
        assert header(PEN, room, 2).cell_length == room + 2


def test_hostile_titles_stay_text():
    """Markup and control characters of a title or a folder are shown, never obeyed."""
    bad = replace(fleet().view.ended[0], listed=listed("a[b]", "x", "[red]/\x1b]0;x\x07", "[/foo]\x1b[2J\nnext"))
    drawn = fleet_line(PEN, RunLine(bad), 156, NOW, here=True, lead=2)
    assert "[/foo]" in drawn.plain
    assert "\x1b" not in drawn.plain
    assert "\n" not in drawn.plain


def test_times_in_the_words_that_fit():
    """Seconds, minutes, the clock, yesterday, the day, and the year where it is another."""
    told = [when(PEN, NOW - passed, NOW) for passed in (0, 30, 125, 7200, 80_000, 900_000, 40_000_000)]
    assert told == ["now", "30s ago", "2m ago", "13:09", "yesterday", "18 Nov", "22 Aug 2025"]
    assert when(PEN, None, NOW) == ""
    assert when(PEN, at("15:10:00"), NOW) == "now"


def test_a_long_run_tells_its_days_alone():
    """A figure is never cut in its middle: what does not fit goes."""
    old = Standing(replace(listed("claude", "o", "src/old", "Old", last=NOW), began=NOW - 400 * 86_400))
    (took,) = [one.draw(PEN, old, NOW).plain for one in columns(156) if one.name == "took"]
    assert took == "400d"
