"""What is copied out of the box for words: the operator's own as they are, an advice without its secrets."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace

import pytest
from ui_hostile import ATTACK
from ui_open import floating, opened, toasts
from ui_samples import SampleSource
from ui_trouble import trouble

from monitor.ui.app import MonitorApp
from monitor.ui.copying import Quoted
from monitor.ui.screens.letter import Letter

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
ADVICE = f"Line 4 is the closest: token = {TOKEN}. Read /home/mara/src/app.py again."


def leaking() -> SampleSource:
    """A run out of reach whose first finding quotes a line with a secret."""
    source = trouble()
    first, *rest = source.snapshot.findings
    source.snapshot = replace(source.snapshot, findings=(replace(first, advice=ADVICE), *rest))
    source.cannot = dict.fromkeys(("feedback", "warn", "abort", "pause"), "no channel")
    return source


def test_own_words_stay_and_quoted_secrets_go() -> None:
    """A secret the operator typed is his to copy; one that an advice brought is left out, the name in a path too."""
    quoted = Quoted(ADVICE, "/home/mara")
    own = "The password is hunter2-Zx81qq, take token = abcdEFGH1234567890abcdEFGH12"
    assert quoted.bare(own) == own
    copied = quoted.bare(f"Please: {ADVICE}")
    assert TOKEN not in copied
    assert "mara" not in copied
    assert copied.startswith("Please: Line 4 is the closest")
    assert Quoted("", "/home/mara").bare(own) == own


async def test_a_proposed_advice_is_copied_without_its_secrets() -> None:
    """By ctrl+s where nothing can be sent, and it is said; by ctrl+c and ctrl+x in the box as well."""
    for key in ("ctrl+s", "ctrl+c", "ctrl+x"):
        async with opened(leaking()) as (screen, pilot):
            await pilot.press("n", "f")
            await pilot.pause()
            assert isinstance(screen.app.screen, Letter)
            assert TOKEN in screen.app.screen.area.text, "the screen shows what the file holds"
            await pilot.press(key)
            await pilot.pause()
            assert "Line 4 is the closest" in screen.app.clipboard
            assert TOKEN not in screen.app.clipboard
            if key == "ctrl+s":
                assert "Secrets in the advice were left out" in toasts(screen)[-1]
            if key == "ctrl+x":
                assert screen.app.screen.area.text == ""


async def test_a_draft_that_was_an_advice_is_no_more_the_operators_own() -> None:
    """Changed, kept, and opened again beside another finding, its secrets are still left out."""
    async with opened(leaking()) as (screen, pilot):
        await pilot.press("n", "f", "end", *" now", "escape", "n", "f")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        assert screen.app.screen.area.text.endswith(" now")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert "now" in screen.app.clipboard
        assert TOKEN not in screen.app.clipboard


async def test_without_a_selection_the_line_is_cut() -> None:
    """One's own line goes to the clipboard as it stands."""
    async with opened(leaking()) as (screen, pilot):
        await pilot.press("f", *"my key", "ctrl+x")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        assert (screen.app.clipboard, screen.app.screen.area.text) == ("my key", "")


async def test_what_a_channel_or_an_editor_says_is_clean_in_the_toast(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason for which nothing was sent, and the name of an editor that is none, bring no control sequence along."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "'none\x1b]0;owned\x07'")
    monkeypatch.setattr(MonitorApp, "suspend", lambda _app: nullcontext())
    source = leaking()
    source.cannot["feedback"] = f"no channel {ATTACK}"
    async with opened(source) as (screen, pilot):
        await pilot.press("f", *"word", "ctrl+s", "ctrl+o")
        while len(screen.app.screen.query("Toast")) < 2:
            await pilot.pause()
        await pilot.pause()
        sent, failed = toasts(screen)
        assert "Nothing was sent: no channel [/foo] [INFO]" in sent
        assert "␛]52;c;" in sent
        assert failed.startswith("none␛]0;owned␇ cannot be started: No such file or directory")
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ud800]", floating(screen.app)
        )
