from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.report.room import Piece, Section, fit, shares, units


def _section(*sizes, counted="row", first=False):
    return Section(tuple(Piece("x" * (size - 1) + "\n", counted) for size in sizes), first)


def test_what_fits_is_left_as_it_is():
    """A text within its room is whole, with no word of a cut."""
    assert fit([_section(10, 10), _section(5)], 25) == ("x" * 9 + "\n") * 2 + "xxxx\n"


def test_what_does_not_fit_is_counted_by_what_it_is():
    """Whole pieces go, the last of a section first, and the last line says how many of each."""
    text = fit([_section(*[100] * 30, counted="finding"), _section(*[50] * 4, counted="action")], 2_300)
    assert text.endswith("**Cut:** this text may have 2,300 characters. Left out: 19 findings.\n")
    assert text.count("x" * 49 + "\n") >= 4


def test_titles_are_not_counted():
    """What nobody misses is not listed among what was left out."""
    text = fit([_section(3_000, counted="")], 2_000)
    assert text.endswith("Left out: nothing but titles.\n")


def test_first_sections_get_their_room_first():
    """A section that comes first is whole while another is cut."""
    text = fit([_section(*[100] * 10, counted="line", first=True), _section(*[100] * 90, counted="row")], 2_200)
    assert "line" not in text.rpartition("**Cut:**")[2]


def test_signs_beyond_the_basic_plane_count_twice():
    """Length is counted as browsers do."""
    assert (units("a"), units("é"), units("😀")) == (1, 1, 2)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.integers(0, 500), max_size=8), st.integers(-10, 2_000))
def test_room_is_shared_fairly(sizes, room):
    """Nobody gets more than needed, all together no more than there is, and none goes short while another has more."""
    given_ = shares(sizes, room)
    assert all(0 <= got <= size for got, size in zip(given_, sizes, strict=True))
    assert sum(given_) <= max(room, 0)
    short = [got for got, size in zip(given_, sizes, strict=True) if got < size]
    assert not short or max(given_) <= min(short) + len(sizes)
    assert not short or sum(given_) > max(room, 0) - len(sizes) - 1


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.integers(1, 900), max_size=6), max_size=6), st.integers(1_500, 4_000))
def test_nothing_is_ever_longer_than_its_room(sections, most):
    """Whatever the sections, the text keeps to its room."""
    assert units(fit([_section(*sizes) for sizes in sections], most)) <= most
