"""What the user's config changes: keys and themes, and what is said where it cannot be taken."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.widgets._toast import Toast
from ui_open import drawn, floating, opened, toasts
from ui_samples import SampleSource
from ui_trouble import trouble

from monitor.errors import MonitorError
from monitor.ui import keymap, themes
from monitor.ui.app import MonitorApp
from monitor.ui.keys import BY_ID, KEYS

MINE = 'name = "mine"\nprimary = "#123456"\nforeground = "#eeeeee"\nbackground = "#101010"\n'


def config(folder: Path, keys: str) -> Path:
    (folder / "config.toml").write_text(keys, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[keys]\nfly = "k"', "config.toml: [keys] fly: there is no such action"),
        ('[keys]\nabort = "esc"', "config.toml: [keys] abort: there is no key esc (it is called escape)"),
        ('[keys]\nabort = "x, warp"', "config.toml: [keys] abort: there is no key warp"),
        ('[keys]\nabort = "shift+a"', "there is no key shift+a"),
        ('[keys]\nabort = "ctrl+q"', "[keys] abort: ctrl+q always quits"),
        ('[keys]\nabort = ""', "[keys] abort names no key"),
        ("[keys]\nabort = 3", "[keys] abort: write the keys as text"),
        ('[keys]\nabort = "q"', "config.toml: [keys] q would be both abort and quit"),
        ('[keys]\nwarn = "f5"\nnext = "f5"', "[keys] f5 would be both warn and next"),
        ('keys = "k"', "config.toml: [keys] is no table"),
        ("[keys", "config.toml: "),
        ("x = " + "[" * 20_000, "config.toml: "),
        ("#" * (1 << 20) + "more", "config.toml: too large"),
    ],
)
def test_a_wish_that_cannot_be_granted_is_told_and_the_default_stays(tmp_path: Path, text: str, words: str) -> None:
    """Unknown action, unreal key, clash, wrong type, broken file: one message that names file and key."""
    keys, problem = keymap.load(config(tmp_path, text))
    assert words in problem
    assert "\n" not in problem
    assert keys == KEYS


def test_good_wishes_are_granted_beside_bad_ones(tmp_path: Path) -> None:
    """Two keys may change places; only the bad line is left out, and all bad ones stand in the one message."""
    text = '[keys]\nnext = "p"\nprevious = "n"\nfilter = "?"\nhelp = "f1, ctrl+slash"\nfly = "z"\nquit = "é"\n'
    keys, problem = keymap.load(config(tmp_path, text))
    by_id = {key.id: key for key in keys}
    assert (by_id["next"].keys, by_id["previous"].keys, by_id["quit"].keys) == (("p",), ("n",), ("é",))
    assert by_id["filter"] is BY_ID["filter"], "it would take the help's key, which stays where it is"
    assert problem.count("[keys]") == 3
    assert "ctrl+slash" in problem
    assert "fly" in problem
    assert "? would be both filter and help" in problem


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    """Most have none."""
    assert keymap.load(tmp_path / "nowhere") == (KEYS, "")
    assert keymap.load(config(tmp_path, "[policy]\nx = 1")) == (KEYS, "")


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(st.sampled_from([*BY_ID, "fly"]), st.text(st.sampled_from("abAGq?, +/ctrlshif\x1b1"), max_size=8))
)
def test_whatever_is_wished_each_key_keeps_one_action(wishes: dict[str, str]) -> None:
    """No wish leaves an action without a key, or a key with two actions on one screen."""
    read, _ = keymap.read(wishes)
    kept, _ = keymap.without_clashes(read)
    keys = keymap.rebound(kept)
    for where in ("run", "overview"):
        names = [name for key in keys if key.on(where) for name in dict.fromkeys(key.keys)]
        assert len(names) == len(set(names))
    assert all(key.keys for key in keys)


async def test_a_rebound_key_works_everywhere(tmp_path: Path) -> None:
    """It does its thing, the old one does nothing, and footer, hints, toasts and help name the new one."""
    text = '[keys]\nnext = "v"\nquit = "f10"\nopen = "O"\nwarn = "W"\nback = "z"\n'
    source = trouble()
    source.cannot = {}
    async with opened(source, (160, 48), config(tmp_path, text)) as (screen, pilot):
        await pilot.press("n")
        assert screen.finding is None
        await pilot.press("x")
        await pilot.pause()
        assert toasts(screen) == ["Select an open finding first: v goes to the next one"]
        await pilot.press("v")
        await pilot.pause()
        text = drawn(screen)
        assert "finding 1 of 5" in text
        assert "v next finding" in text
        assert "f10 quit" in text.splitlines()[-1]
        assert "W sends it" in text
        await pilot.press("O")
        await pilot.pause()
        assert "z closes" in drawn(screen)
        await pilot.press("z", "question_mark")
        await pilot.pause()
        assert "v                Go to the next open finding" in floating(screen.app)
        await pilot.press("escape", "f10")
        await pilot.pause()
        assert screen.app.return_code == 0


async def test_bad_keys_are_told_once_when_the_screen_opens(tmp_path: Path) -> None:
    """One toast, never markup."""
    folder = config(tmp_path, '[keys]\n"[/foo]" = "k"\nabort = "[@click=app.quit]"\n')
    async with opened(trouble(), config=folder) as (screen, _):
        (told,) = toasts(screen)
        assert "[keys] [/foo]: there is no such action" in told
        assert "there is no key [@click=app.quit]" in told


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A config folder with one good theme and three bad ones."""
    folder = tmp_path / "themes"
    folder.mkdir()
    for name, text in {
        "mine": MINE,
        "bad": MINE.replace("#123456", "#12"),
        "named": MINE.replace("mine", "[/foo]"),
        "deep": "x = " + "[" * 20_000,
    }.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "folder.toml").mkdir()
    return tmp_path


async def test_the_users_themes_are_taken_and_broken_ones_told_in_one_toast(own: Path) -> None:
    """Their theme goes round with ours; what is none is named, each file once, and the screen opens all the same."""
    async with opened(trouble(), config=own) as (screen, pilot):
        (told,) = toasts(screen)
        assert [name for name in ("bad", "named", "deep", "folder", "mine") if f"{name}.toml: " in told] == [
            "bad", "named", "deep", "folder",
        ]  # fmt: skip
        seen = set()
        for _ in range(5):
            await pilot.press("t")
            await pilot.pause()
            seen.add(screen.app.theme)
        assert seen == {*themes.NAMES, "mine"}


async def test_a_users_theme_can_be_asked_for_by_name(own: Path) -> None:
    """`--theme mine`; the roles it does not name are drawn from its colours."""
    app = MonitorApp(trouble(), theme="mine", config=own)
    assert app.theme == "mine"
    assert {"ok", "stop", "muted", "veil"} <= set(app.get_css_variables())
    with pytest.raises(MonitorError, match="dark, light, contrast, sixteen, mine, "):
        MonitorApp(trouble(), theme="yours", config=own)


@dataclass
class Exporting(SampleSource):
    """A source whose export waits until it is let go."""

    go: threading.Event = field(default_factory=threading.Event)
    problem: Exception | None = None
    asked: int = 0

    def export(self) -> str:
        self.asked += 1
        assert self.go.wait(20)
        if self.problem is not None:
            raise self.problem
        return self.exported


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (None, "The summary is in ~/.local/state/monitor/reports/tidepool.md"),
        (MonitorError("No space is left", "Free some"), "No summary was written: No space is left. Free some"),
        (ValueError("[/foo] \x1b]0;x"), "No summary was written: ValueError: [/foo] ␛]0;x"),
    ],
)
async def test_export_says_where_or_why_not(problem: Exception | None, words: str) -> None:
    """Beside the screen, which goes on meanwhile; a second press does not write twice."""
    made = trouble()
    source = Exporting(made.snapshot, made.rows, problem=problem)
    async with opened(source) as (screen, pilot):
        await pilot.press("e", "e")
        await pilot.press("n")
        assert screen.finding is not None, "the screen is not held up"
        assert toasts(screen) == ["The summary is being written"]
        source.go.set()
        for _ in range(200):
            if len(toasts(screen)) > 1:
                break
            await pilot.pause(0.02)
        assert toasts(screen)[-1] == words
        assert source.asked == 1


async def test_on_a_small_screen_the_word_on_the_summary_leaves_the_screen_to_be_seen() -> None:
    """Its name without the path before it takes less than half of the rows."""
    made = trouble()
    source = Exporting(made.snapshot, made.rows)
    source.go.set()
    async with opened(source, (40, 10)) as (screen, pilot):
        await pilot.press("e")
        for _ in range(200):
            if toasts(screen) and screen.query(Toast):
                break
            await pilot.pause(0.02)
        assert toasts(screen) == ["Summary: reports/tidepool.md"]
        await pilot.pause()
        assert screen.query_one(Toast).outer_size.height <= 2
