from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.report.wrap import paragraphs, quote, wrap
from monitor.text import width


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet=st.sampled_from("ab 日é\u0301\n\t-"), max_size=120), st.integers(12, 30))
def test_wrapping_loses_no_letter(text, columns):
    """Wrapped and quoted text holds every letter of the original in its order, and keeps to its columns."""
    bare = "".join(text.split())
    for lines, extra in ((list(wrap(text, columns, "> ", "  ")), "⏎"), (list(paragraphs(text, columns, "  ")), "␉")):
        kept = "".join("".join(line.split()) for line in lines).replace(extra, "")
        assert re.sub(r"\[\d+trailingspaces?\]", "", kept.removeprefix(">")) == bare
        assert all(width(line) <= columns for line in lines)


def test_quoted_lines_in_an_advice_keep_their_indent():
    """A numbered line of code keeps its spaces, and a sentence is wrapped."""
    text = "The closest lines of the file:\n15 |         rows = [\n16 |             x\ty"
    assert list(paragraphs(text, 24, "  ")) == [
        "  The closest lines of",
        "  the file:",
        "  15 |         rows = [",
        "  16 |             x␉y",
    ]


def test_a_quoted_line_keeps_its_spaces():
    """A quote keeps leading and inner spaces, shows tabs, and counts the spaces at its end."""
    assert list(quote("  a  b\t ", 80, "| ")) == ["|   a  b␉ [1 trailing space]"]
    assert list(quote("", 80, "| ")) == ["|"]
    assert list(quote("x" * 20, 10, "| ")) == ["| " + "x" * 8, "  " + "x" * 8, "  xxxx"]


def test_a_long_word_is_broken_and_a_short_one_is_not():
    """Words move to the next line whole, unless they are longer than a line."""
    assert list(wrap("one two three", 12, "- ")) == ["- one two", "  three"]
    assert list(wrap("x" * 25, 12, "- ")) == ["- " + "x" * 10, "  " + "x" * 10, "  xxxxx"]
    assert list(wrap("", 12, "-")) == ["-"]
