"""Text that nobody vouches for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from monitor import text

NASTY = st.text(st.characters(), max_size=60) | st.text("\x00\t\n\r\x1b\x7f\x80\x9b\u202e\u200b\ud800a[]/", max_size=60)


@given(NASTY)
def test_no_control_character_survives(raw):
    """Cleaned text holds no control character but newline and tab, no bidi control and no lone surrogate."""
    for char in text.clean(raw):
        code = ord(char)
        assert char in "\n\t" or not (code < 32 or 0x7F <= code < 0xA0)
        assert not 0xD800 <= code < 0xE000
        assert char not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff"


@given(NASTY)
def test_cleaning_twice_is_cleaning_once(raw):
    """Clean text stays as it is."""
    assert text.clean(text.clean(raw)) == text.clean(raw)


def test_it_stays_readable():
    """Controls become pictures, everything printable stays; CRLF becomes a newline."""
    assert text.clean("a\x1b[31mred\x07\r\nb\tc") == "a␛[31mred␇\nb\tc"
    assert text.clean("[/foo] naïve 日本 👩\u200d👧") == "[/foo] naïve 日本 👩\u200d👧"


@given(NASTY)
def test_a_line_is_one_line(raw):
    """A line holds neither newline nor tab."""
    assert not set(text.line(raw)) & set("\n\t\r")


def test_first_line():
    """The first line that holds anything."""
    assert text.first_line("\n  \n  Exit code 7\nmore") == "Exit code 7"
    assert text.first_line("") == ""


@given(st.text(max_size=50), st.integers(1, 60))
def test_shorten(raw, most):
    """Never longer than asked for, and marked when cut."""
    short = text.shorten(raw, most)
    assert len(short) <= most
    assert short == raw or short.endswith("…")


def test_plural():
    """Counts read as words."""
    assert [text.plural(n, "write") for n in (0, 1, 2, 1204)] == ["no writes", "1 write", "2 writes", "1,204 writes"]
    assert text.plural(2, "entry", "entries") == "2 entries"
