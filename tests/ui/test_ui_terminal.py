"""The real screen in a real terminal: what reaches it, and how it is left."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ui_hostile import ATTACK
from ui_terminal import Terminal

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")
"""The main screen, the cursor and no mouse: the terminal as it was."""
OURS = re.compile(
    rb"\x1b\]22;default(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[a-zA-Z$]+|\x1b\[[0-9;?]*\$p|\x1b[=>78]|\x1bP[^\x1b]*\x1b\\|\x1b_[^\x1b]*\x1b\\"
)


@contextmanager
def opened(scene: str, columns: int = 120, rows: int = 36, **environment: str) -> Iterator[Terminal]:
    terminal = Terminal(scene, columns, rows, **environment)
    try:
        yield terminal
    finally:
        terminal.close()


Step = tuple[str, Callable[[Terminal], bool]]
PASTED = f"\x1b[200~{ATTACK.replace(chr(0xD800), '')}\x1b[201~"
"""What a terminal sends when the attack is pasted."""
STEPS: list[Step] = [
    ("n", lambda seen: seen.shows("finding 1 of")),
    ("\r", lambda seen: seen.shows("Detail ━━━") and not seen.shows("Timeline")),
    ("\x1b", lambda seen: seen.shows("Timeline ━━━")),
    ("A", lambda seen: seen.shows("Channel closed")),
    ("m", lambda seen: seen.shows("Folder gone")),
    ("e", lambda seen: seen.shows("The summary is in")),
    ("\t\t\t", lambda seen: seen.shows("site")),
    ("\t", lambda seen: seen.shows("thinking")),
    ("\x1b", lambda seen: seen.shows("Timeline ━━━")),
    ("/", lambda seen: seen.shows("words  kind:write")),
    (PASTED, lambda seen: seen.shows(" 0 of 34 rows")),
    ("\x1b", lambda seen: seen.shows("? help")),
    ("f", lambda seen: seen.shows("Feedback")),
    (PASTED, lambda seen: seen.shows("^]0;owned")),
    ("\x1b", lambda seen: not seen.shows("Feedback")),
    ("x", lambda seen: seen.shows("Settle this finding")),
    ("\x1b", lambda seen: not seen.shows("Settle this finding")),
]
REPLAYED: list[Step] = [
    ("x", lambda seen: seen.shows("Select an open finding")),
    ("e", lambda seen: seen.shows("The summary is in")),
    ("?", lambda seen: seen.shows("Help ━━━")),
    ("\x1b", lambda seen: seen.shows("Timeline ━━━") and not seen.shows("Help ━━━")),
]


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
@pytest.mark.parametrize(("scene", "steps"), [("hostile", STEPS), ("hostile_replay", REPLAYED)])
def test_no_byte_of_an_attack_reaches_the_terminal(
    size: tuple[int, int], scene: str, steps: list[Step], private_home: Path
) -> None:
    """Whatever stands in whichever field, is pasted or configured, no control sequence of it gets to the terminal."""
    config = private_home / ".config" / "monitor"
    (config / "themes").mkdir(parents=True)
    attack = ATTACK.encode("utf-8", "replace")
    (config / "themes" / "bad.toml").write_bytes(b"name = '" + attack.replace(b"\r\n", b"") + b"'\n")
    (config / "config.toml").write_text('[keys]\n"\\u001b]0;owned\\u0007[/foo]" = "\\u001b[2J"\n')
    with opened(scene, *size) as terminal:
        terminal.until(lambda: terminal.shows("Timeline") and terminal.shows("config.toml"))
        text = ""
        for keys, done in steps:
            terminal.press(keys)
            terminal.until(lambda done=done: done(terminal))
            text += "\n".join(terminal.lines)
        terminal.press("q")
        assert terminal.wait() == 0
    assert "[/foo] [INFO] list[int] [@click=app.quit]x[/]" in text
    left = OURS.sub(b"", bytes(terminal.written)).decode()
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", left)
    assert b"\x1b]0;" not in terminal.written
    assert b"\x1b]52" not in terminal.written
    assert "␛]52;c;" in left


def left_as_it_was(terminal: Terminal, before: list[object]) -> bool:
    """Whether the terminal is set as before, and shows its own screen again."""
    return terminal.settings == before and all(sequence in terminal.written for sequence in RESTORED)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_a_signal_leaves_the_terminal_as_it_was(name: str) -> None:
    """Told to end, the screen restores the terminal and exits with 128 and the signal's number."""
    number = signal.Signals[name]
    with opened("calm") as terminal:
        before = terminal.settings
        terminal.until(lambda: terminal.shows("Nothing needs you"))
        assert terminal.settings != before, "the screen takes keys one by one"
        os.kill(terminal.pid, number)
        assert terminal.wait() == 128 + number
        assert left_as_it_was(terminal, before)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGQUIT"])
def test_a_signal_before_the_screen_hears_any(name: str) -> None:
    """Told to end while the screen is still being set up, it leaves the terminal as it was, with the same exit code."""
    number = signal.Signals[name]
    with opened("early") as terminal:
        before = terminal.settings
        terminal.until(lambda: terminal.shows("ready"))
        os.kill(terminal.pid, number)
        assert terminal.wait() == 128 + number
        assert left_as_it_was(terminal, before)


def test_a_fault_of_the_screen_leaves_the_terminal_as_it_was() -> None:
    """Where the screen itself fails, the terminal is restored and the exit code is 1."""
    with opened("faulty") as terminal:
        before = terminal.settings
        terminal.until(lambda: terminal.shows("Nothing needs you"))
        terminal.press("h")
        assert terminal.wait() == 1
        assert left_as_it_was(terminal, before)


def test_quitting_leaves_the_terminal_as_it_was() -> None:
    """`q` ends the screen with exit code 0 and a clean terminal."""
    with opened("ended") as terminal:
        terminal.until(lambda: terminal.shows("UNCHANGED"))
        terminal.press("q")
        assert terminal.wait() == 0
    assert all(sequence in terminal.written for sequence in RESTORED)


def test_few_colours_take_the_theme_of_sixteen() -> None:
    """A terminal of sixteen colours gets none but the sixteen."""
    with opened("trouble", TERM="xterm", COLORTERM="") as terminal:
        terminal.until(lambda: terminal.shows("NOT MADE"))
        terminal.press("q")
        terminal.wait()
    assert not re.search(rb"[34]8;[25];", terminal.written)
    assert b"[1;30;101m" in terminal.written or b"[1;30;101" in terminal.written, "ink on the bright red of the badge"


def test_no_color_means_none() -> None:
    """With NO_COLOR not one colour is written; marks, words and bold carry everything."""
    with opened("trouble", NO_COLOR="1") as terminal:
        terminal.until(lambda: terminal.shows("✗ NOT MADE"))
        terminal.press("n")
        terminal.until(lambda: terminal.shows("finding 1 of 5"))
        terminal.until(lambda: terminal.shows("▌ ✗ 15:07:02"))
        terminal.press("q")
        terminal.wait()
    colours = [
        one
        for one in re.findall(rb"\x1b\[([0-9;]*)m", terminal.written)
        if re.search(rb"(^|;)(3[0-8]|4[0-8]|9\d|10\d)(;|$)", one)
    ]
    assert not colours
