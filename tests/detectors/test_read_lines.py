"""What the run read is kept with the file's own line numbers, and in bounds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.detectors.read_lines import ReadLines, block_of


@pytest.mark.parametrize(
    "output",
    [
        "     7\tone\n     8\t\n     9\t\tthree",
        "     7→one\n     8→\n     9→\tthree",
        "7\tone\n8\t\n9\t\tthree",
        "<path>/p/a</path>\n<type>file</type>\n<content>\n7: one\n8: \n9: \tthree\n\n(End of file)\n</content>",
        "<file>\n00007| one\n00008| \n00009| \tthree\n</file>",
        "Here's the result of running `cat -n` on /p/a:\n     7\tone\n     8\t\n     9\t\tthree\n",
        "     7→one\n     8→\n     9→\tthree\n\n<system-reminder>\nMind this.\n</system-reminder>\n",
    ],
)
def test_line_numbers_are_taken_off(output: str) -> None:
    """Every agent's way to number lines gives the same lines."""
    block = block_of(output, from_top=False)
    assert block is not None
    assert (block.first, block.text) == (7, "one\n\n\tthree")


def test_plain_text_is_numbered_only_from_the_top() -> None:
    """A read without numbers counts from 1 when it begins at the file's top, and is not used elsewhere."""
    assert block_of("one\ntwo\n", from_top=False) is None
    block = block_of("one\ntwo\n", from_top=True)
    assert block is not None
    assert (block.first, block.text, block.count) == (1, "one\ntwo", 2)
    assert block_of("", from_top=True) is None


def test_numbers_within_a_text_are_text() -> None:
    """A list that happens to hold numbers is not numbered lines, nor are numbers that jump."""
    text = "title\n\n1\tone\nprose\nprose\nprose\nprose\nprose\nprose\nprose\nprose\nprose\nprose\nprose"
    block = block_of(text, from_top=True)
    assert block is not None
    assert block.text == text
    assert block_of("3: a\n4: b", from_top=False) is None


def test_reads_of_other_places_are_kept_together() -> None:
    """Two parts of a file stand side by side; a part read again replaces the old."""
    texts = ReadLines()
    texts.keep("/a", "     1\tone\n     2\ttwo", from_top=False)
    texts.keep("/a", "     8\teight", from_top=False)
    texts.keep("/a", "     2\tTWO\n     3\tthree", from_top=False)
    assert texts.lines("/a") == (["TWO", "three", "eight"], [2, 3, 8])
    texts.keep("/a", "whole", from_top=True)
    assert texts.lines("/a") == (["whole"], [1])
    texts.drop("/a")
    assert texts.lines("/a") is None


def test_a_file_and_all_files_are_bounded() -> None:
    """200,000 characters a file, 2 million in all, the oldest file forgotten first."""
    texts = ReadLines()
    for number in range(15):
        texts.keep(f"/{number}", "x" * 150_000 + "\n" + "y" * 100_000, from_top=True)
    sizes = [len("\n".join(read[0])) for number in range(15) if (read := texts.lines(f"/{number}"))]
    assert max(sizes) <= 200_000
    assert sum(sizes) <= 2_000_000
    assert texts.lines("/0") is None
    assert texts.lines("/14") is not None


def test_a_copy_goes_its_own_way() -> None:
    """What is forgotten in one is kept in the other."""
    texts = ReadLines()
    texts.keep("/a", "one", from_top=True)
    other = texts.copy()
    other.drop("/a")
    assert texts.lines("/a") == (["one"], [1])


@given(st.text(" 123\t→|:<>a\n\r", max_size=60), st.booleans())
@settings(deadline=None, max_examples=200)
def test_total(output: str, top: bool) -> None:
    """Any output can be kept; numbers rise and fit the lines."""
    texts = ReadLines()
    texts.keep("/a", output, from_top=top)
    read = texts.lines("/a")
    if read is not None:
        lines, numbers = read
        assert len(lines) == len(numbers)
        assert numbers == sorted(set(numbers))


def test_a_line_that_was_not_read_to_its_end_is_not_kept() -> None:
    """Where a file is too long to keep, its last line is whole or not there."""
    block = block_of("a" * 150_000 + "\n" + "b" * 100_000, from_top=True)
    assert block is not None
    assert (block.text, block.count) == ("a" * 150_000, 1)
