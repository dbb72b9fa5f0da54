"""Which shell commands show a file and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.shell.shown import shown_by


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cat hello.py", "hello.py"),
        ("cat -n src/a.py", "src/a.py"),
        ("cd src && cat a.py", "src/a.py"),
        ("bash -lc 'cat hello.py'", "hello.py"),
        ("cat '/p/a b.py'", "/p/a b.py"),
        ("nl -ba a.py", "a.py"),
        ("head -50 a.py", "a.py"),
        ("head -n 50 a.py", "a.py"),
        ("head a.py", "a.py"),
        ("sed -n '1,200p' a.py", "a.py"),
        ("cat -", ""),
        ("cat", ""),
        ("cat *.py", ""),
        ("cat $UNKNOWN", ""),
        ("cat a.py b.py", ""),
        ("cat -A a.py", ""),
        ("cat a.py | head", ""),
        ("cat a.py > b.py", ""),
        ("cat a.py && ls", ""),
        ("cat < a.py", ""),
        ("cat <<E\nhello\nE", ""),
        ("sed -n '20,40p' a.py", ""),
        ("sed -i s/a/b/ a.py", ""),
        ("head -c 20 a.py", ""),
        ("tail a.py", ""),
        ("ssh host cat a.py", ""),
        ("docker exec box cat a.py", ""),
        ("find . -exec cat a.py {} +", ""),
        ("cat 'a.py", ""),
        ("", ""),
    ],
)
def test_what_is_shown(command, file):
    """One file from its first line, or with its lines' numbers; whatever else is printed with it, none."""
    assert shown_by(command) == file


@settings(max_examples=100)
@given(st.text(alphabet="cat -n1,p' \"$<>|&;a\n(){}\\", max_size=30))
def test_any_text(command):
    """No command is too odd."""
    assert isinstance(shown_by(command), str)
