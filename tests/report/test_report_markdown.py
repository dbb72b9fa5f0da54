from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_snapshots import ACCOUNTS, ANY, LOG, TROUBLE, without
from markdown_it import MarkdownIt

from monitor.detectors.repeats_view import RepeatsView
from monitor.detectors.writes_view import WritesView
from monitor.events import CloseLine, Coverage
from monitor.findings import Finding
from monitor.report import as_markdown
from monitor.report.build import build
from monitor.report.redact import finished
from monitor.snapshot import RunFacts, Snapshot
from monitor.streams.record import Account

PARSER = MarkdownIt("gfm-like")
"""Tables, strikethrough, and links made of bare addresses, as forges read Markdown."""

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=y>", "</details>", "<!-- x -->", "<https://evil.example>", "&lt;b&gt;",
    "![x](https://evil.example/a.png)", "[x](https://evil.example)", "[x]: https://evil.example", "[^1]", "https://evil.example",
    "www.evil.example", "ann@evil.example", "mailto:ann@evil.example", "@someone", "@org/team", "#12", "GH-12", "org/repo#3",
    "9fceb02d0ae598e95dc970b74767f19372d61af8", "defaced", "# head", "\n# head\n", "\n\n## head", "---", "===", "> quote", "- item", "\n```\n# x\n",
    "1. one", "```", "````", "`", "``", "`x`", "a|b", "|", "\\|", "\\", "**b**", "__b__", "~~s~~", "$x$", ":smile:", "\t", "  ",
    "\r\n", "\u2028", "\x1b[31m", "{% raw %}", "word", "two words", "日本語", "",
]  # fmt: skip
"""Pieces of text that would be more than text."""

hostile = st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=4).map("".join)


def _markdown(snapshot, *accounts):
    return as_markdown.render([build(snapshot, accounts)])


def _tokens(text):
    """Every token of the text, those within others included."""
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def _frame(text):
    """The kinds of tokens with how often each stands: what a text is made of, whatever its words are."""
    return Counter(token.type for token in _tokens(text) if token.type not in ("text", "code_inline", "softbreak"))


def _fill(value, text, path=()):
    """The report with a text in place of every free one."""
    kept = (
        "state",
        "also",
        "level",
        "failure",
        "source",
        "sees",
        "receipt",
        "detector",
        "rule",
        "where",
        "cause",
        "redacted",
    )
    if isinstance(value, dict):
        return {key: one if key in kept else _fill(one, text, (*path, key)) for key, one in value.items()}
    if isinstance(value, list):
        return [_fill(one, text, path) for one in value]
    if isinstance(value, str) and path[-1:] != ("by",):
        return text
    return value


def _dead(text):
    """What stands in a text outside of code, as the reader sees it."""
    return " ".join(token.content for token in _tokens(text) if token.type == "text")


def test_the_verdict_and_why_come_first_in_one_bold_line():
    """The first line is the state and its reason, in bold; what was claimed and what was measured follow in a table."""
    lines = _markdown(TROUBLE, LOG).splitlines()
    assert lines[0] == "**NOT MADE: 1 write outstanding: `settings.py`**"
    assert "| Claimed | done (1 claim) |" in lines
    assert "|  | at `session.jsonl:12` (not made): All done. ⏎ Tests pass. |" in lines
    measured = "| Measured | unchanged since the latest prompt or feedback; changed since the start (by the monitor) |"
    assert lines.index("| Claimed | done (1 claim) |") < lines.index(measured)


def test_outstanding_writes_stand_in_a_table_and_their_closest_lines_in_fences():
    """Each outstanding file has a row, and under the table what failed with the file's own lines, spaces and all."""
    text = _markdown(TROUBLE, LOG)
    assert "### Failed writes: 1 outstanding, 1 settled" in text
    assert "| `settings.py` | 2 | refused by a rule | `write` | `session.jsonl:11` |" in text
    assert "`settings.py` at `session.jsonl:9`: old text not found. The text to replace" in text
    assert (
        'Closest lines, read at the failure:\n\n```\n 12 |     "title": "Einstellungen", [2 trailing spaces]\n' in text
    )
    assert "No closest lines: It was kept from being made." in text
    assert "something else has put the new text into the file" in text
    assert "| `texts.py` | cleared by a later write | 1 |" in text


def test_sites_and_thinking_are_told():
    """A site that never answered and a reply in circles stand with what failed, where, and how."""
    text = _markdown(TROUBLE, LOG)
    assert "### Sites: 1 of 2 never answered" in text
    assert "5 different calls failed, none succeeded; it is the proxy that fails" in text
    assert "timed out x3, HTTP 404 x2 | `session.jsonl:4`, `session.jsonl:6`" in text
    assert "48,000 characters, 2 replies in circles; up to 85% of the last 20 sentences repeated" in text
    assert "the same sentences again and again, at character 12,345 of its thinking" in text


def test_findings_carry_their_advice_folded_away():
    """A finding shows its level, message and places; its advice waits in a fold, its lines as they stand."""
    text = _markdown(TROUBLE, LOG)
    assert (
        "**STOP** failed writes: `settings.py`: 2 writes failed, and done is claimed, seen at `session.jsonl:9`, the monitor"
        in text
    )
    assert (
        "<details><summary>Advice to the agent</summary>\n\n```\nThe change to settings.py was not made.\n\n  12 |"
        in text
    )


def test_bytes_actions_gaps_and_what_was_taken_out_stand_at_the_end():
    """The account of the bytes, what was done, what was not judged and what was redacted are all there."""
    text = as_markdown.render([finished(build(TROUBLE, [LOG]))])
    assert "1,300 bytes = 1,200 decoded + 60 unreadable + 40 unfinished; 14 records, 1 unreadable" in text
    assert "| `warn` | operator | delivered | Read it again. | The pipe took it. |" in text
    assert "Not judged" in text
    assert text.endswith("Redacted: user name x1.\n")


def test_nothing_to_say_is_said():
    """A report of nothing gives reasons where nothing was measured, and none where nothing was found."""
    text = _markdown(Snapshot())
    assert text.startswith("**UNKNOWN: Nothing has been read yet**\n")
    assert "### Failed writes: not measured\n\nReason: nothing has been read" in text
    assert "### Sites: not measured\n" in text
    assert "### Findings: none\n" in text
    assert "### Bytes: none, nothing was read\n" in text
    assert as_markdown.render([]) == ""


def test_what_was_partly_seen_says_so():
    """A gap is named under the title of the section it may have hidden something from."""
    text = _markdown(without(unreadable=1), LOG)
    assert "outstanding, 1 settled\n\nOnly partly seen: 1 record could not be read\n" in text


def test_several_reports_are_numbered():
    """Several logs give one comment with a heading for each."""
    text = as_markdown.render([build(TROUBLE, [LOG]), build(Snapshot(), [])])
    assert "## 1 of 2: `session.jsonl`\n\n**NOT MADE" in text
    assert "## 2 of 2: no input\n\n**UNKNOWN" in text


@settings(deadline=None, max_examples=40)
@example("\n```\n# x")
@given(hostile)
def test_no_text_is_more_than_text(text):
    """Whatever stands in every field, the comment is made of the same parts: no link, image, heading or HTML of its own."""
    report = build(TROUBLE, [LOG])
    plain, filled = (as_markdown.render([_fill(report, one)]) for one in ("x/y", f"x/y{text}"))
    assert _frame(filled) == _frame(plain)
    html = [token.content for token in _tokens(filled) if token.type.startswith("html")]
    assert html == [token.content for token in _tokens(plain) if token.type.startswith("html")]


@settings(deadline=None, max_examples=40)
@given(hostile)
def test_nothing_outside_of_code_becomes_a_link_later(text):
    """Mentions, issues, commits, addresses, formulas and emoji stand in code alone, where a forge leaves them."""
    seen = _dead(as_markdown.render([_fill(build(TROUBLE, [LOG]), f"so {text} on")]))
    for sign in ("@", "#12", "GH-12", "://", "www.", "$", ":smile:", "9fceb02", "<", "`", "|", "*", "~~", "["):
        assert sign not in seen
    assert "defaced" not in re.findall(r"\w+", seen)


@settings(deadline=None, max_examples=25)
@given(ANY, ACCOUNTS)
def test_any_report_has_its_place_in_a_comment(snapshot, accounts):
    """Whatever a snapshot holds, its Markdown is clean and within the limit."""
    text = as_markdown.render([finished(build(snapshot, accounts))])
    text.encode()
    assert len(text.encode("utf-16-le")) // 2 <= as_markdown.MOST
    assert not [sign for sign in text if sign not in "\n\t" and (ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0)]


def _huge():
    entry = TROUBLE.writes.entries[0]
    closest = tuple(CloseLine(n, "x" * 190) for n in range(5))
    failed = tuple(replace(entry.failures[0], closest=closest) for _ in range(20))
    return without(
        writes=WritesView(entries=tuple(replace(entry, file=f"f{n}.py", failures=failed) for n in range(90))),
        findings=tuple(Finding("sites", f"s{n}", "stop", f"message {n}", advice="y" * 1_100) for n in range(90)),
        coverage={"sites": Coverage("full")},
    )


def test_a_comment_too_long_is_cut_and_says_what_was_left_out():
    """Of a huge run as much is told as a comment takes, every section a share, and the last line counts the rest."""
    text = as_markdown.render([build(_huge(), [LOG])])
    assert 60_000 < len(text) <= as_markdown.MOST
    last = text.rstrip("\n").splitlines()[-1]
    assert last.startswith("**Cut:** this text may have 65,536 characters. Left out: ")
    shown = text.count("message ")
    assert f"{90 - shown} findings" in last
    assert "quoted failures" in last
    assert shown > 10
    assert "1,300 bytes = 1,200 decoded" in text
    assert text.startswith("**NOT MADE")
    assert text.count("<details>") == text.count("</details>")
    assert sum(line.startswith("```") for line in text.splitlines()) % 2 == 0


def test_a_section_that_is_cut_hides_none_behind_it():
    """However much one detector counted, each of the others keeps its title, with what it counted."""
    many = (replace(TROUBLE.repeats.entries[0], call="call " * 200),) * 200
    text = _markdown(without(repeats=RepeatsView(many), findings=()), LOG)
    for title in ("Repeats: 200 or more", "Replies without an answer: 1 empty, 2 cut off", "Outside edits: 1"):
        assert f"### {title}" in text
    assert "rows" in text.rpartition("**Cut:**")[2]


def test_very_many_reports_keep_their_verdicts():
    """Of more reports than a comment takes, the verdicts come before everything else."""
    report = build(_huge(), [LOG])
    report["failed_writes"] = report["failed_writes"][:3]
    text = as_markdown.render([report] * 30)
    assert len(text) <= as_markdown.MOST
    assert text.count("**NOT MADE: ") == 30


def test_names_that_are_too_long_are_cut():
    """One endless path or message does not take the whole comment."""
    report = build(Snapshot(run=RunFacts(task="t" * 10**6, project="p" * 10**6)), [Account("n" * 10**6)])
    assert len(as_markdown.render([report])) < 6_000
