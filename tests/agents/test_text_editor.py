"""The text editor tool that several agents share."""

from __future__ import annotations

import pytest

from monitor.agents.text_editor import changes_of, judge, kind_of
from monitor.events import Change


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("The file /p/a.py has been edited. Here's the result of running `cat -n`", ("ok", "")),
        ("File created successfully at: /p/a.py", ("ok", "")),
        ("Last edit to /p/a.py undone successfully.", ("ok", "")),
        ("No replacement was performed, old_str `x = 1` did not appear verbatim in /p/a.py.", ("failed", "not_found")),
        ("No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2].", ("failed", "ambiguous")),
        ("No replacement was performed, old_str `x` is the same as new_str `x`.", ("failed", "identical")),
        ("ERROR:\nNo replacement was performed. `new_str` and `old_str` must be different.", ("failed", "identical")),
        ("File already exists at: /p/a.py. Cannot overwrite files using command `create`.", ("failed", "exists")),
        ("ERROR:\nParameter `old_str` is required for command: str_replace.", ("failed", "arguments")),
        ("ERROR:\nInvalid `path` parameter: a.py. The path should be an absolute path", ("failed", "arguments")),
        ("The path /p/b.py does not exist. Please provide a valid path.", ("failed", "io")),
        ("ERROR:\nSomething new", ("failed", "other")),
        ("", ("unknown", "")),
        ("words nobody knows", ("unknown", "")),
    ],
)
def test_what_the_tool_says(output, expected):
    """Each sentence of the tool is a failure of its own kind; what it does not say is not known."""
    assert judge(output) == expected


def test_a_long_guess_hides_no_failure():
    """The tool repeats the text that it looked for, and says only after it what was wrong."""
    guess = "line\n" * 9_000
    output = f"ERROR:\nNo replacement was performed, old_str `{guess}` did not appear verbatim in /p/a.py."
    assert judge(output) == ("failed", "not_found")


def test_what_was_looked_for_proves_nothing():
    """A guess that holds the words of a success is still a failure."""
    output = "No replacement was performed, old_str `the file has been edited` did not appear verbatim in /p/a.py."
    assert judge(output) == ("failed", "not_found")


@pytest.mark.parametrize(
    ("arguments", "kind", "expected"),
    [
        ({"command": "view", "path": "/a"}, "read", ()),
        ({"command": "create", "path": "/a", "file_text": "x"}, "write", (Change("/a", "create", new="x"),)),
        ({"command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"}, "write", (Change("/a", old="x", new="y"),)),
        ({"command": "str_replace", "path": "/a", "old_str": "x"}, "write", (Change("/a", old="x", new=""),)),
        ({"command": "str_replace", "path": "/a", "new_str": "y"}, "write", (Change("/a", new="y"),)),
        ({"command": "insert", "path": "/a", "new_str": "y"}, "write", (Change("/a", "insert", new="y"),)),
        ({"command": "undo_edit", "path": "/a"}, "write", (Change("/a"),)),
        ({"command": "dance", "path": 3}, "other", ()),
    ],
)  # fmt: skip
def test_what_a_call_asks_for(arguments, kind, expected):
    """Each command is a change of its own kind; a text that is not given is not made up."""
    assert kind_of(arguments["command"]) == kind
    assert changes_of(arguments) == expected
