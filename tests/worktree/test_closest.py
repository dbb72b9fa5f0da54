"""The lines of a file that resemble a text somebody looked for in vain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.worktree.characters import cut
from monitor.worktree.closest import closest, lines_of


def numbers(text: str, guess: str) -> list[int]:
    return [line.number for line in closest(lines_of(text), guess)]


def test_the_line_that_shares_the_most_words() -> None:
    """Number and exact text, the spaces at the end included."""
    text = 'one\n    <string name="settings_title">Einstellungen </string>  \nthree\n'
    (line,) = closest(lines_of(text), '<string name="settings_title">Einstellung</string>')
    assert (line.number, line.text, line.cut) == (
        2,
        '    <string name="settings_title">Einstellungen </string>  ',
        False,
    )


def test_up_to_five_lines_in_the_files_order() -> None:
    """The five that share the most words, the earlier where they share alike; no line that shares none."""
    text = "a b c d e\nnothing\na b\na b c\na\na b c d\na\n"
    assert numbers(text, "a b c d e") == [1, 3, 4, 5, 6]
    assert numbers("x\ny\n", "a b") == []


@pytest.mark.parametrize(
    ("guess", "line", "found"),
    [
        ("name", "app_name = 1", True),
        ("name", "appName = 1", True),
        ("name", "AppNAME = 1", True),
        ("server", "HTTPServer()", True),
        ("value", "value2 = x", True),
        ("2", "value2 = x", True),
        ("val", "evaluate(x)", False),
        ("val", "value", False),
        ("app_name", "appName", True),
        ("getUser", "get_user()", True),
        ("NAME", "name", True),
        ("app_name", "app_name", True),
        ("é", "e\u0301", True),
        ("設定", "設定画面を開く", True),
        ("設定を閉じる", "設定画面", True),
        ("画面", "openの画面2", True),
        ("設", "設定", True),
        ("門", "設定画面", False),
        ("설정", "설정을", True),
        ("การ", "การตั้งค่า", True),
        ("abc", "abc設定", True),
        (".*", "anything", False),
        ("a.c", "abc", False),
    ],
)
def test_whole_words_or_parts_of_an_identifier(guess: str, line: str, found: bool) -> None:
    """Parts end at `_`, camelCase, digits; in scripts without spaces a part of a phrase counts; no patterns."""
    assert bool(numbers(line, guess)) == found


def test_a_whole_word_counts_more_than_parts() -> None:
    """A line with the word itself comes before lines with its parts."""
    text = "\n".join(["app name"] * 9 + ["app_name"])
    assert 10 in numbers(text, "app_name")


def test_thirty_two_words_count() -> None:
    """The words of a guess beyond the 32nd do not."""
    guess = " ".join(f"w{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(40))
    words = guess.split()
    assert numbers(words[31], guess) == [1]
    assert numbers(words[32], guess) == []


def test_a_long_line_is_scored_whole_and_cut() -> None:
    """The word may stand anywhere in the line; 200 characters are shown, and that there is more."""
    (line,) = closest(["x" * 5000 + " needle"], "needle")
    assert (line.text, line.cut) == ("x" * 200, True)


@pytest.mark.parametrize(
    "cluster", ["e\u0301", "👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "\u1112\u1161\u11ab", "நி", "❤\ufe0f"]
)
def test_never_cut_inside_a_character(cluster: str) -> None:
    """What a reader takes for one character is shown whole or not at all."""
    for pad in range(5):
        text = "x" * pad + cluster * 10
        for most in range(len(text)):
            kept, more = cut(text, most)
            assert more
            assert len(kept) <= most
            assert (len(kept) - pad) % len(cluster) == 0 or len(kept) < pad


def test_a_character_longer_than_the_cut_is_left_out() -> None:
    """Nothing is shown of a character that does not fit at all."""
    assert cut("e" + "\u0301" * 500, 200) == ("", True)
    assert cut("abc", 3) == ("abc", False)
    assert cut("🇩🇪" * 10, 5) == ("🇩🇪" * 2, True)


def test_a_tab_is_not_a_backslash_and_a_t() -> None:
    """The text is exact: a tab stays a tab."""
    (line,) = closest(lines_of("\tname\\t\n"), "name")
    assert line.text == "\tname\\t"


def test_lines_are_counted_as_an_editor_does() -> None:
    """Only newlines end lines; a carriage return before one belongs to the end."""
    assert lines_of("a\r\nb\x0cc\u2028d\n") == ["a", "b\x0cc\u2028d"]
    assert lines_of("") == []
    assert lines_of("\n") == [""]
    assert numbers("a\r\n\r\nname\r\n", "name") == [3]


def test_a_guess_of_several_lines_finds_a_block() -> None:
    """The best matching block of as many lines, whole."""
    text = "def one():\n    return 1\n\ndef two(left):\n    if left:\n        return 2\n    return 3\n"
    guess = "\ndef two(right):\n    if right:\n        return 2\n\n"
    assert numbers(text, guess) == [4, 5, 6]


def test_equal_lines_outweigh_alike_ones() -> None:
    """Of two blocks with the same words the one with the equal lines is closer."""
    text = "foo(a, b)\nbar()\n\nfoo(b, a)\nbar()\n"
    assert numbers(text, "foo(b, a)\nbar()") == [4, 5]
    assert numbers("{\n}\n(\n)\n", "(\n)") == [3, 4]


def test_a_block_at_the_edge_of_the_file() -> None:
    """A guess that reaches beyond the file finds the part that is there."""
    assert numbers("x\nalpha\nbeta\n", "alpha\nbeta\ngamma") == [2, 3]
    assert numbers("beta\ngamma\nx\n", "alpha\nbeta\ngamma") == [1, 2]


def test_a_block_does_not_bridge_lines_that_are_not_known() -> None:
    """Lines of two reads with a gap between them are not neighbours."""
    lines = ["alpha", "beta", "alpha", "gamma"]
    assert [line.number for line in closest(lines, "alpha\nbeta", [3, 9, 20, 21])] == [20, 21]


def test_at_most_thirty_lines_of_a_block() -> None:
    """A long guess is matched by its first thirty lines."""
    text = "\n".join(f"line number{number}" for number in range(100))
    assert numbers(text, "\n".join(text.split("\n")[40:90])) == list(range(41, 71))


@pytest.mark.parametrize("guess", ["", "   \n\t\n", "}{", "()\n{}"])
def test_a_guess_without_words_finds_nothing_of_words(guess: str) -> None:
    """There is nothing to share."""
    assert numbers("foo\nbar\n", guess) == []


@given(st.lists(st.text(max_size=30), max_size=8), st.text(max_size=60))
@settings(deadline=None, max_examples=200)
def test_total_and_true(lines: list[str], guess: str) -> None:
    """Any text is taken; every line shown is a line of the file, in order."""
    lines = [line.replace("\n", " ") for line in lines]
    found = closest(lines, guess)
    assert [line.number for line in found] == sorted({line.number for line in found})
    for line in found:
        assert lines[line.number - 1].startswith(line.text)
        assert line.cut == (line.text != lines[line.number - 1])


@given(st.lists(st.sampled_from(["alpha", "beta gamma", "delta(x)", "", "}"]), min_size=2, max_size=12), st.data())
@settings(deadline=None, max_examples=100)
def test_a_block_of_the_file_finds_itself(lines: list[str], data: st.DataObject) -> None:
    """A guess copied from the file finds lines equal to it."""
    begin = data.draw(st.integers(0, len(lines) - 2))
    end = data.draw(st.integers(begin + 2, len(lines)))
    wanted = lines[begin:end]
    if not wanted[0] or not wanted[-1]:
        return
    assert [line.text for line in closest(lines, "\n".join(wanted))] == wanted
