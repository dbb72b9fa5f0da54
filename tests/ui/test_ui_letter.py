"""Feedback: several lines, a draft that is kept, an editor, and what became of the last ones."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Paste
from ui_open import drawn, floating, opened
from ui_samples import PEN, SampleSource, at, joined
from ui_trouble import trouble

from monitor.errors import MonitorError
from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.editor import LARGEST, edited
from monitor.ui.present.receipts import last, receipts
from monitor.ui.screens.letter import Letter
from monitor.ui.widgets.foot import Foot

SENT = ActionFacts(
    "1", "feedback", "operator", "seen", "Read it again.",
    steps=(("queued", at("15:05:02")), ("delivered", at("15:05:03")), ("seen", at("15:05:19"))),
)  # fmt: skip


def reachable() -> SampleSource:
    source = trouble()
    source.cannot = {}
    return source


async def test_several_lines_are_written_and_sent() -> None:
    """Enter makes a new line, ctrl+s sends; without words nothing is sent."""
    source = reachable()
    async with opened(source) as (screen, pilot):
        await pilot.press("f", "ctrl+s")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        await pilot.press(*"one", "enter", *"two", "ctrl+s")
        await pilot.pause()
        assert screen.app.screen is screen
    assert [(action.verb, action.text) for action in source.acted] == [("feedback", "one\ntwo")]


async def test_a_draft_is_kept_until_it_is_sent() -> None:
    """Escape closes without sending; the words stand there again, and are gone once they were sent."""
    source = reachable()
    async with opened(source) as (screen, pilot):
        await pilot.press("f", *"draft", "escape")
        assert source.acted == []
        await pilot.press("f", *"ed", "ctrl+s")
        await pilot.pause()
        assert source.acted[0].text == "drafted"
        await pilot.press("f")
        await pilot.pause()
        assert isinstance(screen.app.screen, Letter)
        assert screen.app.screen.area.text == ""


async def test_the_box_says_to_whom_how_and_what_became_of_the_last() -> None:
    """The agent, its folder, the receipts with their times; newer receipts come while it is open."""
    source = reachable()
    source.snapshot = replace(source.snapshot, actions=(replace(SENT, steps=SENT.steps[:1], receipt="queued"),))
    async with opened(source) as (screen, pilot):
        await pilot.press("f")
        await pilot.pause()
        box = screen.app.screen
        assert isinstance(box, Letter)
        text = floating(screen.app)
        assert "lcode · qwen3-coder   ~/src/tidepool" in text
        assert "as your own words" in text
        assert "✓ queued 15:05:02" in text
        assert "seen" not in text
        source.snapshot = replace(source.snapshot, actions=(SENT,))
        box.look()
        await pilot.pause()
        assert "✓ queued 15:05:02 → ✓ delivered 15:05:03 → ✓ seen 15:05:19" in floating(screen.app)


async def test_what_can_no_longer_be_sent_is_said_and_kept() -> None:
    """The agent ends while the operator writes: the box says so, and the words are not lost."""
    source = reachable()
    async with opened(source) as (screen, pilot):
        await pilot.press("f", *"late")
        source.cannot = {"feedback": "the run is over"}
        await pilot.press("ctrl+s")
        box = screen.app.screen
        assert isinstance(box, Letter)
        box.look()
        await pilot.pause()
        assert "not now: the run is over" in floating(screen.app)
        assert source.acted == []
        await pilot.press("escape")
        assert screen.draft == "late"


def test_a_failed_receipt_comes_with_its_reason() -> None:
    """Each step with its time, the failure marked, why below it; before any nothing is claimed."""
    failed = replace(
        SENT, receipt="failed", evidence="the pipe is closed", steps=(*SENT.steps[:1], ("failed", at("15:05:04")))
    )
    text = joined(receipts(PEN, failed, at("15:06:00"), 80))
    assert text == "last sent  ✓ queued 15:05:02 → ✗ failed 15:05:04\nthe pipe is closed"
    assert joined(receipts(PEN, None, 0.0, 80)) == "nothing sent yet"
    both = replace(
        Snapshot(), actions=(SENT, replace(SENT, id="2", action="warn"), replace(SENT, id="3", text="again"))
    )
    assert last(both, "feedback") == both.actions[2]
    assert last(both, "abort") is None


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An editor that does what a script says."""
    script = tmp_path / "an editor.py"
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")
    return script


def test_the_editor_gives_back_clean_words(editor: Path) -> None:
    """It sees the draft in a file of this user alone; what it leaves is clean, and the file is gone."""
    editor.write_text(
        "import os, pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "mode = oct(os.stat(path.parent).st_mode & 0o777)\n"
        "path.write_text(path.read_text() + f'{mode} {path}\\n\\x1b]0;owned\\x07 ok\\n\\n')\n"
    )
    text = edited("draft ")
    first, second = text.split("\n")
    assert first.startswith("draft 0o700 ")
    assert second == "␛]0;owned␇ ok"
    assert not Path(first.split(" ", 2)[2]).exists()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import sys; sys.exit(3)", "ended with 3"),
        (f"import sys; open(sys.argv[1], 'w').write('x' * {LARGEST + 1})", "larger than"),
        ("import os, sys; os.remove(sys.argv[1])", "cannot be read"),
    ],
)
def test_an_editor_that_fails_leaves_the_draft(editor: Path, script: str, words: str) -> None:
    """A bad end, too large a text, no text: an error that says so."""
    editor.write_text(script)
    with pytest.raises(MonitorError, match=words):
        edited("draft")


@pytest.mark.parametrize(
    ("command", "words"), [("", "No editor is set"), ("/no/such/editor", "cannot be started"), ("'", "cannot be read")]
)
def test_without_an_editor_it_is_said(command: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """None set, one that does not exist, a command that cannot be read."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", command)
    with pytest.raises(MonitorError, match=words):
        edited("draft")


@pytest.fixture
def adding(editor: Path) -> Path:
    """An editor that adds two words."""
    editor.write_text("import sys; open(sys.argv[1], 'a').write(' and more')")
    return editor


async def test_ctrl_o_writes_on_in_the_editor(adding: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen stands aside, the words come back into the box; where it cannot, that is said."""
    async with opened(reachable()) as (screen, pilot):
        await pilot.press("f", *"some", "ctrl+o")
        await pilot.pause()
        box = screen.app.screen
        assert isinstance(box, Letter)
        assert [note.message for note in screen.app._notifications] == ["The screen cannot stand aside here"]

        @contextmanager
        def aside() -> object:
            yield

        monkeypatch.setattr(screen.app, "suspend", aside)
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert box.area.text == "some and more"
        monkeypatch.setenv("EDITOR", "/no/such/editor")
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert box.area.text == "some and more"


async def test_what_is_pasted_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """No control character gets into a field: several lines stay lines in a letter, and become one in a line."""
    attack = "one\r\n\x1b]0;owned\x07two\u202e\tx\n"
    async with opened(reachable()) as (screen, pilot):
        await pilot.press("f")
        screen.app.post_message(Paste(attack))
        await pilot.pause()
        box = screen.app.screen
        assert isinstance(box, Letter)
        assert box.area.text == "one\n␛]0;owned␇two\ufffd\tx\n"
        await pilot.press("escape", "slash")
        screen.app.post_message(Paste(attack))
        await pilot.pause()
        assert screen.field.input.value == "one ⏎ ␛]0;owned␇two\ufffd    x"
        assert "owned" in drawn(screen)


async def test_every_key_of_a_box_can_be_clicked() -> None:
    """Send, close, yes and no: the mouse does what the keys do, in the help too."""
    source = reachable()
    async with opened(source) as (screen, pilot):

        async def click(key: str) -> None:
            foot = screen.app.screen.query_one(Foot)
            begin = next(begin for begin, _, name in foot._spots if name == key)
            await pilot.click(foot, offset=(foot.gutter.left + begin + 1, 0))
            await pilot.pause()

        await pilot.press("f", *"words")
        await pilot.pause()
        await click("action_close")
        assert screen.draft == "words"
        await pilot.press("f")
        await pilot.pause()
        await click("action_send")
        await pilot.press("A")
        await pilot.pause()
        await click("no")
        await pilot.press("A")
        await pilot.pause()
        await click("yes")
        await pilot.press("n", "x", *"why")
        await pilot.pause()
        await click("send")
        await pilot.press("x")
        await pilot.pause()
        await click("close")
        await pilot.press("question_mark")
        await pilot.pause()
        await click("scroll")
        await click("close")
        assert screen.app.screen is screen
    assert [action.verb for action in source.acted] == ["feedback", "abort", "settle"]
