"""Where the rows of the timeline stand, whatever is put in between them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.events import FileChanged, Noticed, Place
from monitor.timeline.columns import Columns
from monitor.timeline.places import BETWEEN, Extent, Places
from monitor.timeline.timeline import Timeline

TIMES = st.one_of(st.none(), st.integers(0, 12).map(float))
STORIES = st.lists(
    st.one_of(
        st.tuples(st.just("told"), TIMES),
        st.tuples(st.just("changed"), TIMES),
        st.tuples(st.just("reveal"), st.integers(0, 40)),
        st.tuples(st.just("take back"), st.integers(0, 40)),
    ),
    max_size=60,
)
"""Rows told at a time, files changed, and which of the changes turned out to be from outside, or not to be."""


def fed(timeline, seq, what, value):
    """One more event folded in, with what it shows of earlier ones."""
    match what:
        case "told":
            timeline.feed(Noticed(kind="hook", text="x", seq=seq, at=value, place=Place(0, seq, 0, 1)))
        case "changed":
            timeline.feed(FileChanged(file="a.py", seq=seq, at=value))
        case "reveal":
            timeline.reveal(value, seq)
        case "take back":
            timeline.take_back(value, seq)


def standing(timeline, until=None):
    """The numbers of the rows in the order in which they stand."""
    extent = timeline.extent(until)
    return [timeline.ref(index, extent) for index in range(extent.total)]


def shown(timeline, refs, until=None):
    """The seqs of the changes that stand in rows, in order, and which of them count as from outside."""
    found = [one for ref in refs for one in timeline.between.changes(ref, until)]
    return [(one.seq, one.outside(until)) for one in found]


def backwards(timeline, refs):
    """How often time runs backwards from one row to the next that has a time."""
    times = [at for ref in refs if (at := timeline[ref].at) is not None]
    return sum(one > two for one, two in itertools.pairwise(times))


@settings(deadline=None, max_examples=300)
@given(STORIES)
def test_every_row_stands_once_and_time_never_runs_backwards_because_of_a_change(story):
    """At each moment: each number leads to its row and back, what was told keeps its order, what stood keeps it too."""
    timeline, before, revealed = Timeline(), [], set()
    changes = {seq for seq, (what, _) in enumerate(story) if what == "changed"}
    for seq, (what, value) in enumerate(story):
        fed(timeline, seq, what, value)
        if what == "reveal" and value in changes and value < seq:
            revealed.add(value)
        refs, extent = standing(timeline), timeline.extent()
        told = [ref for ref in refs if ref < BETWEEN]
        assert len(timeline) == len(refs) == len(set(refs))
        assert [timeline.index(ref, extent) for ref in refs] == list(range(len(refs)))
        assert told == list(range(sum(kind == "told" for kind, _ in story[: seq + 1])))
        assert sorted(one for one, _ in shown(timeline, refs)) == sorted(revealed), "each stands in one row"
        assert all(timeline.ref_of(one) in refs for one in revealed)
        assert backwards(timeline, refs) == backwards(timeline, told)
        assert [ref for ref in refs if ref in before] == before
        before = refs


@settings(deadline=None, max_examples=150)
@given(STORIES)
def test_any_moment_of_the_past_stands_as_it_stood(story):
    """A replay that goes back shows the rows that were there, where they were, and as what they were known."""
    timeline, seen = Timeline(), []
    for seq, (what, value) in enumerate(story):
        fed(timeline, seq, what, value)
        refs = standing(timeline)
        seen.append((refs, [timeline.brief(ref).kind for ref in refs], shown(timeline, refs)))
    for until, (refs, kinds, changes) in enumerate(seen, 1):
        extent = timeline.extent(until)
        assert standing(timeline, until) == refs
        assert [timeline.brief(ref, until).kind for ref in refs] == kinds
        assert [timeline.at(ref, until).kind for ref in refs] == kinds
        assert shown(timeline, refs, until) == changes
        assert [timeline.index(ref, extent) for ref in standing(timeline)] == [
            refs.index(ref) if ref in refs else None for ref in standing(timeline)
        ]


def noticed(seq, at):
    return Noticed(kind="hook", text="x", seq=seq, at=at, place=Place(0, seq, 0, 1))


def test_a_change_stands_where_its_file_changed_however_late_that_is_known():
    """Judged four seconds later it stands between the rows of its own time; its seq stays that of its event."""
    timeline = Timeline()
    for seq, at in enumerate((40.0, 42.0)):
        timeline.feed(noticed(seq, at))
    timeline.feed(FileChanged(file="a.py", seq=2, at=43.0))
    for seq, at in ((3, 44.0), (4, 47.0)):
        timeline.feed(noticed(seq, at))
    timeline.reveal(2, 4)
    rows = [timeline[ref] for ref in standing(timeline)]
    assert [row.at for row in rows] == [40.0, 42.0, 43.0, 44.0, 47.0]
    assert (rows[2].kind, rows[2].seq, rows[2].told) == ("outside", 2, 2)
    assert timeline[timeline.ref_of(2)].kind == "outside"
    assert [timeline.ref_of(seq) for seq in (0, 1, 3, 4)] == [0, 1, 2, 3]
    assert timeline.ref_of(2, until=4) == 1, "before it is known, the row before it stands for it"


def test_a_change_that_nothing_is_later_than_stays_the_last_until_something_is():
    """Rows of the time before, told late, go above it; the first later one fixes its place."""
    timeline = Timeline()
    timeline.feed(noticed(0, 10.0))
    timeline.feed(FileChanged(file="a.py", seq=1, at=20.0))
    timeline.reveal(1, 1)
    timeline.feed(noticed(2, 15.0))
    assert standing(timeline) == [0, 1, BETWEEN]
    timeline.feed(noticed(3, 25.0))
    timeline.feed(noticed(4, 15.0))
    assert standing(timeline) == [0, 1, BETWEEN, 2, 3]


def test_changes_of_one_moment_are_one_row():
    """Whichever of them is known first: its number stays, and it stands where that one changed."""
    timeline = Timeline()
    timeline.feed(noticed(0, 1.0))
    for seq in (1, 2, 3):
        timeline.feed(FileChanged(file="a.py", seq=seq, at=5.0))
    for seq in (3, 1, 2):
        timeline.reveal(seq, 3)
    assert [timeline[ref].seq for ref in standing(timeline)] == [0, 3]
    assert [timeline.ref_of(seq) for seq in (1, 2, 3)] == [BETWEEN] * 3


def test_what_lies_apart_is_not_put_together():
    """Two seconds, a row told between them, or another hand."""
    timeline = Timeline()
    for seq, at in ((0, 5.0), (1, 7.1), (2, 20.0), (3, 21.0)):
        timeline.feed(FileChanged(file="a.py", seq=seq, at=at))
    timeline.feed(noticed(4, 20.5))
    timeline.feed(FileChanged(file="a.py", seq=5, at=21.0, by="run-2"))
    for seq in (0, 1, 2, 3, 5):
        timeline.reveal(seq, 5)
    assert [timeline[ref].seq for ref in standing(timeline)] == [0, 1, 2, 4, 3, 5]


def test_a_row_of_several_is_outside_until_the_last_of_them_is_not():
    """Each is the agent's or not for itself; a row that was put together is revised with each of them."""
    timeline = Timeline()
    for seq in (0, 1):
        timeline.feed(FileChanged(file=f"{seq}.py", seq=seq, at=5.0))
    timeline.reveal(0, 2)
    version = timeline.version
    timeline.reveal(1, 3)
    assert timeline.revised(version) == {BETWEEN}
    timeline.take_back(0, 4)
    assert [timeline[ref].kind for ref in standing(timeline)] == ["outside"]
    timeline.take_back(1, 5)
    assert [timeline[ref].kind for ref in standing(timeline)] == ["changed"]
    assert [timeline.at(BETWEEN, until).kind for until in (3, 4, 5, 6)] == ["outside"] * 3 + ["changed"]
    assert [len(timeline.between.changes(BETWEEN, until)) for until in (3, 4)] == [1, 2]
    assert set(timeline.returned(3, 3)) == {BETWEEN}, "a replay that goes over it judges the row again"


def test_a_change_that_was_the_agents_after_all_says_so():
    """Its row stays where it is, and is no outside edit any more; nor does it become a second row when it is one again."""
    timeline = Timeline()
    timeline.feed(FileChanged(file="a.py", seq=0, at=5.0))
    timeline.reveal(0, 1)
    version = timeline.version
    timeline.take_back(0, 2)
    assert [timeline[ref].kind for ref in standing(timeline)] == ["changed"]
    assert timeline.revised(version) == {BETWEEN}
    timeline.reveal(0, 3)
    assert [timeline[ref].kind for ref in standing(timeline)] == ["outside"]
    assert len(timeline) == 1


def test_what_is_not_known_has_no_row():
    """A seq that no change bears, and one forgotten, are passed over."""
    timeline = Timeline()
    timeline.reveal(7, 7)
    timeline.take_back(7, 7)
    assert len(timeline) == 0
    assert timeline.ref_of(7) is None


@pytest.mark.parametrize("at", [None, float("nan"), float("inf"), float("-inf")])
def test_a_change_without_a_time_stands_after_the_latest_row(at):
    """Where it was folded in, and time goes on after it."""
    timeline = Timeline()
    timeline.feed(noticed(0, 10.0))
    timeline.feed(FileChanged(file="a.py", seq=1, at=at))
    timeline.reveal(1, 1)
    timeline.feed(noticed(2, 20.0))
    assert standing(timeline) == [0, BETWEEN, 1]


@given(st.lists(TIMES, max_size=700), st.integers(-1, 13))
@settings(deadline=None, max_examples=40)
def test_the_first_later_row_is_found_in_any_number_of_rows(times, at):
    """As if each of them were looked at."""
    columns = Columns()
    for seq, time in enumerate(times):
        columns.add("notice", noticed(seq, time))
    later = [index for index, time in enumerate(times) if time is not None and time > at]
    assert columns.later(at) == (later[0] if later else None)


def test_beyond_the_last_row_stands_the_last_one_told():
    """A screen that counted more rows than there are at another moment reads one all the same."""
    places = Places()
    places.put(1.0, 0, known=0, later=None)
    assert places.ref(9, Extent(2, 0)) == 1
    assert places.ref(9, Extent(0, 0)) == 0
    assert places.index(5, Extent(2, 0)) is None
    assert places.index(BETWEEN, Extent(2, 0)) is None
