from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from monitor.report.markdown_text import code, fenced, inline, row
from monitor.text import line

PARSER = MarkdownIt("gfm-like")
"""Tables, strikethrough, and links made of bare addresses, as forges read Markdown."""


def _tokens(text):
    """Every token of the text, those within others included."""
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


@settings(deadline=None, max_examples=120)
@given(st.text(alphabet=st.sampled_from("`` |\\a\n")) | st.text(max_size=20))
def test_code_says_exactly_what_it_was_given(text):
    """Code in a sentence and in a table holds the text on one line, backticks, pipes and backslashes included."""
    written = code(text)
    for markdown in (f"x {written} y", f"| a |\n| --- |\n{row((written,))}"):
        found = [token.content for token in _tokens(markdown) if token.type == "code_inline"]
        wanted = line(text)
        assert found == ([wanted] if wanted else [])


@settings(deadline=None, max_examples=120)
@example(["a", "```", "# b"])
@example(["````", "```"])
@given(st.lists(st.text(alphabet=st.sampled_from("`~ |#<a")) | st.text(max_size=10), max_size=5))
def test_a_fence_is_not_left_by_what_is_in_it(lines):
    """Lines of backticks within a fence are lines like others."""
    tokens = PARSER.parse(f"{fenced(lines)}\nafter\n")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]


@pytest.mark.parametrize(("text", "written"), [
    ("1 write outstanding: settings.py", "1 write outstanding: `settings.py`"),
    ("Done (mostly), see a/b.py and c.py.", "Done (mostly), see `a/b.py` and `c.py`."),
    ("costs $0.42, all in", "costs `$0.42`, all in"),
    ("ask @someone about #12", "ask `@someone` about `#12`"),
    ("it's 100% well-known", "it's 100% well-known"),
    ("a `tick`", "a `` `tick` ``"),
    ("日本語 wörter", "日本語 wörter"),
    ("", ""),
])  # fmt: skip
def test_a_sentence_stays_a_sentence(text, written):
    """Plain words stay plain, and what a forge might read is code."""
    assert inline(text) == written
