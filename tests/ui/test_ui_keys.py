"""The one list of keys, and what is made of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from textual.keys import Keys, _character_to_key
from ui_ended import ended
from ui_replay import replayed
from ui_runs import calm
from ui_samples import PEN, joined
from ui_trouble import trouble

from monitor.ui.keys import BY_ID, KEYS, LAST, Key, bindings, table
from monitor.ui.marks import STATES
from monitor.ui.possible import Scene, hints, why_not
from monitor.ui.present.foot import Hint, foot
from monitor.ui.present.help import STATE_WORDS, parts
from monitor.ui.present.parts import laid
from monitor.ui.screens.overview import Overview
from monitor.ui.screens.run import RunScreen

NAMED = {key.value for key in Keys}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.id)
def test_each_key_is_real_and_its_action_exists(key: Key) -> None:
    """Textual takes any name and any action in silence; these are names it knows, and methods there are."""
    for name in key.keys:
        bare = name.removeprefix("ctrl+").removeprefix("shift+")
        assert bare in NAMED or len(bare) == 1 or bare in {_character_to_key(sign) for sign in "?/[]"}, name
    for where, screen in (("run", RunScreen), ("overview", Overview)):
        assert not key.on(where) or callable(getattr(screen, f"go_{key.id}"))
    assert key.help.endswith(".")


def test_no_two_keys_clash() -> None:
    """One key does one thing on a screen, one id names one key."""
    for where in ("run", "overview"):
        here = [key for key in KEYS if key.on(where)]
        assert max(Counter(name for key in here for name in key.keys).values()) == 1
        assert [binding.id for binding in bindings(where)] == [key.id for key in here]
    assert len(BY_ID) == len(KEYS)


def test_the_table_and_the_help_hold_every_key() -> None:
    """README and help are made of the same list."""
    markdown, text = table(), joined(laid(PEN, parts(KEYS), 100))
    for key in KEYS:
        assert f"| {key.help} |" in markdown
        assert key.help.split()[0] in text
    assert set(STATE_WORDS) == set(STATES)
    assert all(state.upper() in text for state in STATES)


def test_a_key_without_use_says_why() -> None:
    """The source's own reason, or ours; an empty one when the key does something."""
    source = trouble()
    scene = Scene(source, source.snapshot, None)
    assert "no channel" in why_not(BY_ID["abort"], scene)
    assert why_not(BY_ID["measure"], scene) == ""
    assert "n goes to the next one" in why_not(BY_ID["settle"], scene)
    assert why_not(BY_ID["settle"], replace(scene, finding=source.snapshot.findings[0])) == ""
    assert why_not(BY_ID["allow"], scene) == "Nothing waits for approval"
    assert why_not(BY_ID["next"], Scene(calm(), calm().snapshot, None)) == "There is no open finding"
    assert "finished" in why_not(BY_ID["hold"], Scene(ended(), ended().snapshot, None))
    source.cannot = {}
    mute = replace(source.snapshot.findings[0], advice="")
    assert why_not(BY_ID["warn"], Scene(source, source.snapshot, mute)) == "This finding has no advice to send"


def test_the_footer_says_what_the_key_would_do_now() -> None:
    """Held it follows, paused it continues."""
    source = calm()
    source.cannot = {"pause": "it is paused"}
    labels = {one.id: one for one in hints(Scene(source, source.snapshot, None, held=True))}
    assert (labels["hold"].label, labels["pause"].label, labels["pause"].off) == ("follow", "continue", False)


@pytest.mark.parametrize("room", [8, 18, 40, 78, 118, 300])
def test_the_footer_keeps_help_and_quit_and_drops_what_is_dimmed(room: int) -> None:
    """Keys possible now stay longest; the last ones always; each click hits the key drawn there."""
    source = trouble()
    shown = hints(Scene(source, source.snapshot, source.snapshot.findings[0]))
    line, spots = foot(PEN, shown, room)
    assert line.cell_length == room
    if room >= 18:
        assert line.plain.endswith("? help  q quit")
    if room == 78:
        assert "x settle" in line.plain
        assert "w warn" not in line.plain
    for begin, end, name in spots:
        if end <= room:
            assert line.plain[begin:end] == f"{BY_ID[name].shown.split(',')[0]} {BY_ID[name].label}"
    assert {name for _, _, name in spots} >= set(LAST)


def test_a_dimmed_key_is_muted_and_not_bold() -> None:
    """What cannot be done is told by weight and colour both."""
    line, _ = foot(PEN, (Hint("a", "A", "abort", off=True), Hint("q", "q", "quit", last=True)), 40)
    styles = [str(span.style) for span in line.spans]
    assert "$muted" in styles
    assert "bold $accent" in styles


def test_the_keys_that_answer_a_waiting_call_stand_first() -> None:
    """Only while something waits; a replay has nothing left to allow."""
    source = calm()
    assert not {"allow", "deny"} & {one.id for one in hints(Scene(source, source.snapshot, None))}
    asks = replace(source.snapshot, waiting="rm -rf build", waiting_call="c7")
    assert [one.id for one in hints(Scene(source, asks, None))][:2] == ["allow", "deny"]
    past = replayed()
    asks = replace(past.snapshot, waiting="rm -rf build", waiting_call="c7")
    assert not {"allow", "deny"} & {one.id for one in hints(Scene(past, asks, None))}
