"""Lines, paths, times: everything fits, in every script."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.content import Content

from monitor.events import FileChanged
from monitor.text import width
from monitor.timeline.rows import Row
from monitor.timeline.wording import word
from monitor.ui.pen import Pen, count, took, whole
from monitor.ui.present.chart import chart
from monitor.ui.present.lines import ends, fit, hang, heading, middle, put, spread, stacked, starts, wrap
from monitor.ui.present.quote import hits, quoted, undented, words
from monitor.ui.present.row import call_line

PENS = (Pen(zone=UTC), Pen(ascii=True, zone=UTC))
TEXTS = st.text(st.sampled_from("ab/. _-日本é👩‍👧\t\n\x1b\x9b\u202e[]$@="), max_size=40)
few = settings(deadline=None, max_examples=120)


@few
@given(TEXTS, st.integers(0, 50), st.sampled_from(PENS))
def test_a_fitted_line_takes_exactly_its_room(text: str, room: int, pen: Pen) -> None:
    """Cut or padded, wide characters or none: as many cells as asked for."""
    assert fit(pen, put(text), room).cell_length == room


@few
@given(TEXTS, TEXTS, st.integers(0, 60), st.sampled_from(PENS))
def test_two_ends_take_exactly_their_room(left: str, right: str, room: int, pen: Pen) -> None:
    """A line with a left and a right part is never wider than its room."""
    assert spread(pen, put(left), put(right), room).cell_length == room


@few
@given(TEXTS, TEXTS, st.integers(0, 60), st.booleans(), st.sampled_from(PENS))
def test_a_heading_takes_exactly_its_room(name: str, summary: str, room: int, focus: bool, pen: Pen) -> None:
    """Title, rule and summary fill the width."""
    assert heading(pen, name, summary, room, focus=focus).cell_length == room


@few
@given(TEXTS, st.integers(0, 40), st.sampled_from(PENS))
def test_a_shortened_path_fits_and_keeps_its_name_longest(path: str, room: int, pen: Pen) -> None:
    """A path never takes more than its room, and one that fits is whole."""
    short = middle(pen, path, room)
    assert width(short) <= room
    if "\n" not in path and "\t" not in path and path.isprintable() and width(path) <= room:
        assert short == path


@pytest.mark.parametrize(
    ("path", "room", "short"),
    [
        ("app/src/main/res/strings.xml", 40, "app/src/main/res/strings.xml"),
        ("app/src/main/res/strings.xml", 20, "…/res/strings.xml"),
        ("app/src/main/res/strings.xml", 11, "strings.xml"),
        ("app/SettingsFragment.kt", 11, "Setti…nt.kt"),
        ("日本/日本語.txt", 8, "日…t"),
    ],
)
def test_folders_go_before_the_name_does(path: str, room: int, short: str) -> None:
    """Folders are lost from the front; then the name loses its middle."""
    found = middle(PENS[0], path, room)
    assert width(found) <= room
    if path.isascii():
        assert found == short


def test_a_tab_in_a_name_is_not_taken_for_spaces() -> None:
    """It is shown as a sign, like other control characters, in a panel and in a row."""
    assert middle(PENS[0], "src/a\tb.py", 30) == "src/a␉b.py"
    assert word(FileChanged(file="src/a\tb  c.py")).text == "src/a␉b  c.py"


@few
@given(TEXTS, st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_nothing(text: str, room: int) -> None:
    """No wrapped line is wider than its room, and every letter is still there."""
    lines = [*wrap(put(text), max(room, 5)), *hang(put("✗ "), put(text), max(room, 5))]
    assert all(line.cell_length <= max(room, 5) for line in lines)
    shown = "".join(line.plain for line in stacked(text, room))
    assert shown.count("a") == text.count("a")


@few
@given(TEXTS, st.integers(0, 20))
def test_both_ends_of_a_text_fit(text: str, room: int) -> None:
    """The beginning and the end of a text take no more cells than allowed."""
    assert width(starts(text, room)) <= room
    assert width(ends(text, room)) <= room
    assert text.startswith(starts(text, room))
    assert text.endswith(ends(text, room))


@few
@given(st.text(max_size=40))
def test_no_text_put_on_a_line_keeps_a_control_character(text: str) -> None:
    """What is put on a line is one line, without controls, and never markup."""
    line = put(text, (text, "$stop"), Content("x"))
    assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 for sign in line.plain)
    assert put("[/foo][INFO]").plain == "[/foo][INFO]"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, ""), (-1, ""), (0.04, "0.0s"), (0.2, "0.2s"), (9.94, "9.9s"), (9.96, "10s"), (41, "41s"), (59.7, "1m 00s"),
     (64, "1m 04s"), (7500, "2h 05m"), (270_000, "3d 03h"), (float("inf"), ""), (float("nan"), "")],
)  # fmt: skip
def test_durations_read_as_people_say_them(seconds: float | None, shown: str) -> None:
    """Two units at most; nothing for what is no duration."""
    assert took(seconds) == shown


def test_running_durations_show_no_tenths() -> None:
    """A clock that runs counts whole seconds and never below none."""
    assert [whole(x) for x in (-3, 0.9, 59.9, 61)] == ["0s", "0s", "59s", "1m 01s"]


def test_counts_are_short() -> None:
    """Large counts lose digits, small ones none."""
    assert [count(n) for n in (812, 9_999, 12_400, 999_600, 1_240_000)] == ["812", "9,999", "12k", "1.0M", "1.2M"]


def test_clock_times_name_the_day_when_it_is_another() -> None:
    """A time of another day or year says so; an impossible one is left out."""
    pen = PENS[0]
    assert pen.clock(1_764_428_933, 1_764_428_999) == "15:08:53"
    assert pen.clock(1_764_428_933, 1_764_528_999) == "29 Nov 15:08:53"
    assert pen.clock(1_764_428_933, 1_864_528_999) == "29 Nov 2025 15:08:53"
    assert pen.clock(None) == ""
    assert pen.clock(1e30) == ""


def test_home_is_a_tilde_only_for_whole_folders() -> None:
    """`/home/mara` is shortened, `/home/marabel` is not."""
    pen = Pen(home="/home/mara")
    assert [pen.place(path) for path in ("/home/mara", "/home/mara/x", "/home/marabel/x")] == [
        "~",
        "~/x",
        "/home/marabel/x",
    ]


def test_a_joiner_never_hides_the_width_of_a_text() -> None:
    """Letters joined by U+200D are measured as they are shown; joined emoji stay one."""
    assert put("a\u200db\u200dc").cell_length == 3
    assert put("日\u200d日").cell_length == 4
    assert put("👩\u200d👩\u200d👧").cell_length == 2


def test_every_word_of_a_guess_is_found_again_in_identifiers() -> None:
    """`name` finds `app_name` and `appName`, and `val` never `evaluate`; neighbours are one."""
    found = words("name val settings_title")
    for text, wanted in (
        ("app_name", ["name"]),
        ("appName", ["Name"]),
        ("evaluate", []),
        ("settings_title", ["settings_title"]),
    ):
        assert [text[a:b] for a, b in hits(text, found)] == wanted


def test_spaces_at_the_end_of_a_quoted_line_are_shown() -> None:
    """Trailing spaces are dots, tabs are spaces, the number stands before a bar."""
    assert quoted(PENS[0], "\tx  ", "41").plain == "   41 │     x··"
    assert quoted(PENS[1], "x ", "").plain == "      | x_"


def test_the_indent_all_lines_share_is_dropped_and_told() -> None:
    """Blank lines do not count for it."""
    assert undented(["    a", "", "      b"]) == (["a", "", "  b"], 4)
    assert undented([]) == ([], 0)


@few
@given(st.lists(st.integers(0, 100), max_size=60), st.integers(2, 60), st.integers(1, 6), st.sampled_from(PENS))
def test_a_chart_fills_its_room(values: list[int], room: int, height: int, pen: Pen) -> None:
    """As many lines as asked for, each of the full width."""
    lines = chart(pen, values, room, height)
    assert len(lines) == height
    assert all(line.cell_length == room for line in lines)


@few
@given(st.integers(0, 90), st.booleans())
def test_a_call_among_others_of_its_site_fits_and_begins_with_what_came_of_it(room: int, timed: bool) -> None:
    """Mark, time where there is one and room for it, outcome, what: exactly as wide as its room."""
    call = Row(
        0, 0, "shell", "curl https://日本.example.org/x", "exit 7", 1_764_428_933.0 if timed else None, level="warn"
    )
    line = call_line(PENS[0], call, room)
    assert line.cell_length == room
    if room >= 48:
        assert line.plain.startswith("▲ 15:08:53  exit 7" if timed else "▲ exit 7")
