"""Themes: each pair of colours in use can be read, and a bad theme is told, not a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme
from ui_runs import calm
from ui_samples import PEN

from monitor.errors import USAGE, MonitorError
from monitor.ui import themes
from monitor.ui.app import MonitorApp
from monitor.ui.marks import TINTS
from monitor.ui.theme import contrast, roles

TEXT = ("foreground", "muted", "accent", "ok", "note", "warn", "stop", "outside", "agent", "shell")
GROUNDS = ("background", "surface", "panel")
ON_TINTS = ("foreground", "muted", "accent", "ok", "note", "warn", "stop", "outside")
BADGES = ("accent", "ok", "note", "warn", "stop")
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, full severity, on linear RGB."""


def ours() -> dict[str, Theme]:
    found, problems = themes.load(themes.package_folder())
    assert not problems
    return {theme.name: theme for theme in found}


def colours(theme: Theme) -> dict[str, Color]:
    named = {name: getattr(theme, name) for name in ("foreground", "background", "surface", "panel", "accent")}
    return {name: Color.parse(value) for name, value in {**named, **theme.variables}.items()}


def test_our_four_themes_are_there() -> None:
    """Dark, light, contrast, sixteen: each with the same roles."""
    assert set(ours()) == set(themes.NAMES)
    assert len({frozenset(theme.variables) for theme in ours().values()}) == 1


@pytest.mark.parametrize("name", themes.NAMES)
def test_every_pair_in_use_can_be_read(name: str) -> None:
    """At least 4.5:1 (WCAG AA), 7:1 in the theme of high contrast: text on grounds, on tints, on badges."""
    found = colours(ours()[name])
    need = 7.0 if name == "monitor-contrast" else 4.5
    pairs = [(text, ground) for ground in GROUNDS for text in TEXT]
    pairs += [(text, tint) for tint in TINTS.values() for text in ON_TINTS]
    pairs += [("ink", badge) for badge in BADGES]
    low = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in pairs}
    assert not {pair: ratio for pair, ratio in low.items() if ratio < need}


@pytest.mark.parametrize("name", themes.NAMES)
def test_the_screen_under_a_box_can_still_be_read(name: str) -> None:
    """Under the veil every text keeps 3:1, which WCAG asks of what is not plain text."""
    found = colours(ours()[name])
    veil = found.pop("veil")

    def veiled(role: str) -> Color:
        return found[role].blend(veil.with_alpha(1), veil.a)

    pairs = [(text, ground) for ground in ("background", "surface") for text in TEXT]
    pairs += [(text, tint) for tint in TINTS.values() for text in ("foreground", "muted")]
    pairs += [("ink", badge) for badge in BADGES]
    low = {pair: contrast(veiled(pair[0]), veiled(pair[1])) for pair in pairs}
    assert not {pair: ratio for pair, ratio in low.items() if ratio < 3}


@pytest.mark.parametrize("name", themes.NAMES)
@pytest.mark.parametrize("kind", BLIND)
def test_good_and_bad_differ_in_lightness_for_every_eye(name: str, kind: str) -> None:
    """Whoever sees no red or green still tells ok from stop: their luminance is apart."""

    def seen(colour: Color) -> float:
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour.normalized]
        red, green, blue = (
            max(0.0, min(1.0, sum(m * v for m, v in zip(row, linear, strict=True)))) for row in BLIND[kind]
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    found = colours(ours()[name])
    low, high = sorted((seen(found["ok"]), seen(found["stop"])))
    assert (high + 0.05) / (low + 0.05) >= 1.3


def test_the_theme_of_sixteen_holds_only_the_sixteen() -> None:
    """Each of its colours is one of the sixteen exactly, so that no terminal has to guess."""
    levels = ("00", "55", "aa", "ff")
    for colour in colours(ours()["monitor-sixteen"]).values():
        assert all(
            part in levels for part in (colour.hex6[1:3].lower(), colour.hex6[3:5].lower(), colour.hex6[5:7].lower())
        )


def test_a_bad_theme_is_left_out_and_told(tmp_path: Path) -> None:
    """Broken TOML, an unknown key, a colour that is none, a missing name: each one sentence, and the good ones load."""
    good = 'name = "good"\nprimary = "#123456"\n'
    for name, text in {
        "good": good,
        "colour": good.replace("#123456", "#12"),
        "role": good + '[variables]\nok = "greenish"\n',
        "typed": good + "[variables]\nok = 3\n",
        "key": good + 'sparkle = "yes"\n',
        "toml": "name = ",
        "nameless": 'primary = "#123456"\n',
    }.items():
        (tmp_path / f"{name}.toml").write_text(text)
    found, problems = themes.load(tmp_path)
    assert [theme.name for theme in found] == ["good"]
    assert sorted(problem.split(":")[0] for problem in problems) == [
        f"{n}.toml" for n in ("colour", "key", "nameless", "role", "toml", "typed")
    ]


@pytest.mark.parametrize("name", [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi])
def test_roles_can_be_read_under_any_theme_of_textual(name: str) -> None:
    """Our roles are drawn from a foreign theme so that they keep 4.5:1 on its ground."""
    theme = BUILTIN_THEMES[name]
    ground = Color.parse(theme.to_color_system().generate()["background"])
    found = roles(theme)
    low = {role: contrast(Color.parse(found[role]), ground) for role in TEXT if role in found}
    assert not {role: ratio for role, ratio in low.items() if ratio < 4.5}


@pytest.mark.parametrize("name", ["textual-light", "nord", "ansi-dark", "monitor-light"])
async def test_every_theme_can_be_taken_while_it_runs(name: str) -> None:
    """Changing the theme repaints all, under ours, Textual's and the terminal's own colours."""
    app = MonitorApp(calm(), pen=PEN, now=lambda: 0.0)
    async with app.run_test(size=(120, 36)) as pilot:
        before = app.export_screenshot()
        app.theme = name
        await pilot.pause()
        assert app.export_screenshot() != before


@pytest.mark.parametrize(
    ("system", "no_color", "name"),
    [("truecolor", False, "monitor-dark"), ("256", False, "monitor-dark"), ("standard", False, "monitor-sixteen"),
     (None, False, "monitor-sixteen"), ("truecolor", True, "monitor-sixteen")],
)  # fmt: skip
def test_the_theme_suits_the_terminal(system: str | None, no_color: bool, name: str) -> None:
    """Few colours, or none wanted: the theme that needs few."""
    assert themes.suited(system, no_color=no_color) == name


def test_a_theme_that_does_not_exist_is_refused_with_the_names_there_are() -> None:
    """Before any screen opens: the wish, and what could be wished for; one that exists is taken by its short name."""
    for refused in (lambda: themes.require("nosuch[/]"), lambda: MonitorApp(calm(), theme="nosuch[/]", pen=PEN)):
        with pytest.raises(
            MonitorError, match=r"There is no theme nosuch\[/\].*dark, light, contrast, sixteen.*nord"
        ) as told:
            refused()
        assert told.value.code == USAGE
    for name in (None, "", "light", "monitor-light", "nord"):
        themes.require(name)
    assert MonitorApp(calm(), theme="light", pen=PEN).theme == "monitor-light"
