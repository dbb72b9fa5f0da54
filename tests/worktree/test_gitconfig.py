"""Reading git's configuration as git does, without running anything."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.worktree.gitconfig import ConfigError, parse, truth


def read(text):
    return [(setting.name, setting.value) for setting in parse(text)]


def test_settings_are_read_as_git_reads_them():
    """Sections, quotes, escapes, comments and continued lines come out as git has them."""
    assert read(
        '\ufeff; comment\n[Core] excludesFile = "~/my rules" ; here\n\tbare\n[remote "Or\\"ig.in"]\n'
        'url = a\\tb \\\n c  # there\n[old.Style]X="a"  b "c "\n[core]\r\n\teol = lf\r\n'
    ) == [
        ("core.excludesfile", "~/my rules"),
        ("core.bare", None),
        ('remote.Or"ig.in.url', "a\tb  c"),
        ("old.style.x", "a  b c "),
        ("core.eol", "lf"),
    ]


@pytest.mark.parametrize(
    "text", ["[core", "key = 1", "[core]\n= 1", '[core]\nx = "a', "[core]\nx = \\q", "[core]\nx y"]
)
def test_a_damaged_file_is_told(text):
    """What git would refuse is refused, with its line where that helps."""
    with pytest.raises(ConfigError):
        read(text)


def test_words_for_yes_and_no():
    """A bare key and every word but those for no mean yes."""
    assert [truth(word) for word in (None, "true", "Yes", "1", "input")] == [True] * 5
    assert [truth(word) for word in ("false", "No", "OFF", "0", "")] == [False] * 5


PIECES = st.sampled_from(
    ["[core]", "[a.B]", '[s "T\\"u"]', "[", "]", "\n", "\n", "\r\n", "x", "key", "=", " = ", " ", "\t", '"', "\\", "\\\n",
     "\\n", '\\"', "#", ";", "é", "val ue", "1-2", "\ufeff", "\v"]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=14))
def test_our_reading_is_gits(tmp_path, pieces):
    """Whatever the file, git reads the same settings from it, or refuses it too."""
    path = tmp_path / "config"
    text = "".join(["[first]\n", *pieces])
    path.write_text(text, newline="")
    done = subprocess.run(
        ["git", "config", "-z", "-l", "-f", str(path)],
        capture_output=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
    )
    try:
        found = read(text)
    except ConfigError:
        assert done.returncode
        return
    assert not done.returncode
    records = [record.decode().partition("\n") for record in done.stdout.split(b"\0")[:-1]]
    assert found == [(name, value if line else None) for name, line, value in records]
