"""Text that nobody vouches for."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from monitor import text

SIGNS = "\x00\t\n\r\x1b\x7f\x80\x9b\u202e\u200b\ud800\ufe0f\ufe01\U000e0120a❤葛[]/"
NASTY = st.text(st.characters(), max_size=60) | st.text(SIGNS, max_size=60)


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


def test_no_sign_without_a_width_hides_in_a_text():
    """Of all that Unicode has for formatting only the joiner of emoji stays unseen; letters, digits and signs all stay."""
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000)):
        sign = chr(code)
        formats = unicodedata.category(sign) == "Cf" or code >= 0xE0000
        if formats and text.width(sign) == 0 and sign != "\u200d":
            assert text.clean(f"a{sign}b") == "a\ufffdb", hex(code)
        elif unicodedata.category(sign)[0] in "LNPS" and "FILLER" not in unicodedata.name(sign, ""):
            assert text.clean(sign) == sign, hex(code)


def test_a_selector_chooses_one_form_and_a_row_of_them_is_seen():
    """One after its sign stays, those of the supplement after ideographs alone; a text made of them shows."""
    for kept in ("❤\ufe0f", "1\ufe0f\u20e3", "\ufe0f", "葛\U000e0100城", "👁\ufe0f\u200d🗨\ufe0f", "ᠠ\u180b"):
        assert text.clean(kept) == kept
    hidden = "".join(chr(0xE0100 + ord(sign) - 16) for sign in "rm -rf ~")
    assert text.clean(f"😀{hidden}!") == "😀" + "\ufffd" * 8 + "!"
    assert text.clean(f"葛{hidden}") == f"葛{hidden[0]}" + "\ufffd" * 7
    assert text.clean("a\ufe0f\ufe01\ufe02") == "a\ufe0f\ufffd\ufffd"


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
