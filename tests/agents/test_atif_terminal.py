"""What a terminal shows of several commands that were typed into it."""

from __future__ import annotations

import pytest
from atif_logs import ASKS, PROMPT
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.atif.terminal import read_screen


def outcomes(screen, *commands) -> list:
    return [one.outcome for one in read_screen(screen, commands)]


def test_each_command_has_its_own_part():
    """What a command printed stands between its echo and the next one's, with the prompt that came back."""
    screen = f"{PROMPT}ls\na.py\n{PROMPT}cat a.py\nx = 1\n{PROMPT}"
    first, second = read_screen(screen, ["ls", "cat a.py"])
    assert (first.output, first.outcome, first.folder) == (f"{PROMPT}ls\na.py\n{PROMPT.rstrip()}", "ok", "/app")
    assert (second.output, second.outcome) == (f"{PROMPT}cat a.py\nx = 1\n{PROMPT.rstrip()}", "ok")


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        (f"{PROMPT}make\nbuilt\n{PROMPT}", "ok"),
        (f"(env) {PROMPT}make\nbuilt\n(env) {PROMPT}", "ok"),
        (f"{PROMPT}make\nno newline{PROMPT}", "ok"),
        (f"{PROMPT}make\nstill at it", "unknown"),
        (f"{PROMPT}make\n> ", "unknown"),
        ("> make\n> ", "not_executed"),
        ("> EOFmake\n>", "not_executed"),
        (f"{PROMPT}make\nbash: make: command not found\n{PROMPT}", "failed"),
        (f"the end of a long output\n{PROMPT}", "ok"),
        ("the end of a long output", "unknown"),
        ("", "unknown"),
        (f"{PROMPT}make\nbuilt\n{PROMPT}{ASKS}", "ok"),
    ],
)  # fmt: skip
def test_what_became_of_a_command(screen, expected):
    """Only a prompt that came back makes a success; what was typed at `>` was never run."""
    assert outcomes(screen, "make") == [expected]


def test_a_heredoc_that_never_ended():
    """The heredoc is not known to be written, and all that is typed into it was not run."""
    screen = f"{PROMPT}cat > a.sh << 'EOF'\n> echo\n> EOFmake\n> ls\n>"
    assert outcomes(screen, "cat > a.sh << 'EOF'\necho\nEOF", "make", "ls") == [
        "unknown",
        "not_executed",
        "not_executed",
    ]


def test_a_heredoc_that_ended():
    """Lines of its text that look like the next command are not taken for it."""
    screen = f"{PROMPT}cat > a.sh << 'EOF'\n> ls\n> EOF\n{PROMPT}ls\na.sh\n{PROMPT}"
    first, second = read_screen(screen, ["cat > a.sh << 'EOF'\nls\nEOF", "ls"])
    assert (first.outcome, second.outcome) == ("ok", "ok")
    assert second.output.startswith(f"{PROMPT}ls\na.sh")


def test_a_command_whose_name_stands_in_the_one_before():
    """`chmod +x run.sh` and then `run.sh`: each is found at its own prompt."""
    screen = f"{PROMPT}chmod +x /run.sh\n{PROMPT}/run.sh\nran\n{PROMPT}"
    assert [one.output.split("\n")[0] for one in read_screen(screen, ["chmod +x /run.sh", "/run.sh"])] == [
        f"{PROMPT}chmod +x /run.sh",
        f"{PROMPT}/run.sh",
    ]


def test_a_screen_that_left_something_out():
    """Where the harness cut the output that is told."""
    cut = "[... output limited to 10000 bytes; 5 interior bytes omitted ...]"
    assert read_screen(f"{PROMPT}make\na\n{cut}\nb\n{PROMPT}", ["make"])[0].cut


def test_a_long_line_without_a_prompt():
    """However long a line is that a command has printed, it is read at once, and no prompt is seen in it."""
    assert outcomes(f"{PROMPT}cat a.min.js\n{'a' * 150_000}", "cat a.min.js") == ["unknown"]


pieces = st.sampled_from(
    [PROMPT, "> ", ">", "\n", "ls", "make", "EOF", "cat > a << 'EOF'", "bash: ls: command not found", ASKS, "é"]
)


@given(st.lists(pieces, max_size=20).map("".join), st.lists(pieces, max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_screen_is_read(screen, commands):
    """Whatever is shown and typed, each command gets one answer, made of what is shown."""
    told = read_screen(screen, commands)
    assert len(told) == len(commands)
    assert all(line in screen for one in told for line in one.output.split("\n"))
