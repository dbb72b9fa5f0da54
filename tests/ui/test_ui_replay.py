"""A replay on the screen: its bar, its keys, its mouse, and what the rest of the screen says of the moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import logs
import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from ui_open import cleared, drawn, opened, toasts
from ui_replay import replayed
from ui_runs import calm
from ui_samples import PEN, at
from waiting import until

from monitor.replay.playback import SPEEDS, Playback
from monitor.replay.replay import Replay
from monitor.targets import find
from monitor.ui.app import MonitorApp
from monitor.ui.screens.run import RunScreen


async def test_each_key_of_a_replay_does_its_thing() -> None:
    """Space plays, arrows step, brackets change the speed, g and G go to the ends."""
    source = replayed()
    async with opened(source) as (screen, pilot):
        keys = (
            "space",
            "right",
            "left",
            "shift+right",
            "shift+left",
            "right_square_bracket",
            "left_square_bracket",
            "g",
            "G",
        )
        await pilot.press(*keys)
        await pilot.pause()
        total = source.playback.total if source.playback else 0
        assert source.asked == [
            ("play", 0), ("step", 1), ("step", -1), ("turn", 1), ("turn", -1), ("faster", 1), ("faster", -1),
            ("seek", 1), ("seek", total),
        ]  # fmt: skip
        assert screen.timeline.follow


async def test_the_screen_shows_the_moment() -> None:
    """As of when, the rows until then, the state of play; later findings stand on the bar alone."""
    source = replayed(20)
    async with opened(source, (160, 48)) as (screen, pilot):
        text = drawn(screen)
        assert "▸ replay · lcode" in text
        assert "as of 15:03:56" in text
        assert "20 rows · playing" in text
        assert "6m 18s of 11m 26s" in text
        assert "turn 11 of 16" in text
        assert "NOT MADE" not in text
        assert "✗" in text.splitlines()[-4], "the claim that is still to come"
        await pilot.press("space", "G")
        screen.tick()
        await pilot.pause()
        assert "34 rows · end of the log" in drawn(screen)
        assert "‖ 4×" in drawn(screen)
        await pilot.press("space")
        screen.tick()
        await pilot.pause()
        assert "▸ 4×" in drawn(screen)


async def test_what_lasts_lasts_until_the_moment_of_the_replay() -> None:
    """Also in a log whose agent tells no times: what the playback knows of the moment counts, not today's clock."""
    source = replayed(20)
    assert source.playback is not None
    source.playback = replace(source.playback, now=at("15:02:00"))
    source.snapshot = replace(source.snapshot, run=replace(source.snapshot.run, last=None))
    async with opened(source) as (screen, _):
        assert screen.moment == at("15:02:00")


async def test_n_and_p_go_to_the_moments_of_findings() -> None:
    """The next one, and the one before; the row that proves it is chosen, and beyond the last it is said."""
    source = replayed(20)
    async with opened(source) as (screen, pilot):
        for key, expected in (("n", 22), ("n", 26), ("p", 22), ("p", 16)):
            await pilot.press(key)
            screen.tick()
            await pilot.pause()
            assert source.asked[-1] == ("seek", expected)
            assert screen.finding is not None
            assert screen.finding.raised + 1 == expected or screen.finding.opened + 1 == expected
        source.go(34)
        await pilot.press("n")
        await pilot.pause()
        assert toasts(screen) == ["There is no later finding in this log"]


async def test_the_mouse_seeks_drags_and_plays() -> None:
    """A click on the line, on a finding's sign, on the sign of play; dragged, the knob follows."""
    source = replayed(20)
    async with opened(source) as (screen, pilot):
        track = screen.scrub._track
        pad = screen.scrub.gutter.left
        await pilot.click("#scrub", offset=(pad + track.begin + track.cell(10), 1))
        assert source.asked[-1] == ("seek", track.count(track.cell(10)))
        mark = next(one for one in source.playback.marks if one.level == "stop")  # type: ignore[union-attr]
        await pilot.click("#scrub", offset=(pad + track.begin + track.cell(mark.count), 0))
        assert source.asked[-1] == ("seek", mark.count)
        await pilot.click("#scrub", offset=(pad, 1))
        assert source.asked[-1] == ("play", 0)
        begin = pad + track.begin
        await pilot._post_mouse_events([MouseDown], "#scrub", offset=(begin, 1), button=1)
        await pilot._post_mouse_events([MouseMove], "#scrub", offset=(begin + track.room - 1, 1), button=1)
        await pilot._post_mouse_events([MouseUp], "#scrub", offset=(begin + track.room - 1, 1), button=1)
        assert source.asked[-1] == ("seek", 34)
        await pilot.hover("#scrub", offset=(begin, 1))
        assert source.asked[-1] == ("seek", 34), "let go, it does not follow any more"


async def test_without_a_replay_its_keys_say_so() -> None:
    """A live run has no steps; its footer does not show them, and no bar is there."""
    async with opened(calm()) as (screen, pilot):
        await pilot.press("right")
        await pilot.pause()
        assert toasts(screen) == ["Only a replay has steps and speeds: monitor replay LOG"]
        assert not screen.scrub.display
        assert "step" not in drawn(screen).splitlines()[-1]


async def test_nothing_is_played_while_the_log_is_read() -> None:
    """The strip and the timeline say what is awaited; the keys say why they wait."""
    source = replayed()
    source.go(0)
    source.playback = Playback(read=0.5)
    async with opened(source) as (screen, pilot):
        text = drawn(screen)
        assert "The log is being read: 50%" in text
        assert "its rows come when that is done" in text
        for key in ("space", "n", "right"):
            await cleared(screen, pilot)
            await pilot.press(key)
            await pilot.pause()
            assert toasts(screen) == ["The log is still being read"], key
        assert source.asked == []
        await pilot.click("#scrub", offset=(60, 1))
        assert source.asked == []


async def test_an_empty_log_is_told() -> None:
    """No events at all: said in words, and no key breaks it."""
    source = replayed()
    source.go(0)
    source.playback = Playback(read=1.0)
    async with opened(source) as (screen, pilot):
        assert "The log holds no events." in drawn(screen)
        await pilot.press("space", "left", "g", "G", "n")
        await pilot.pause()


async def test_a_real_log_is_replayed_there_and_back(tmp_path: Path) -> None:
    """From the end to before the claim and back again: verdict, rows and knob go along."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    replay = Replay(find(str(log)), speed=SPEEDS[-1])
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.count == replay.playback.total > 0)
    app = MonitorApp(replay, pen=PEN, now=lambda: 20.0)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = app.screen
        assert isinstance(screen, RunScreen)

        async def shows(words: str) -> None:
            for _ in range(200):
                screen.tick()
                await pilot.pause()
                if words in drawn(screen):
                    return
            raise AssertionError(drawn(screen))

        await shows("NOT MADE")
        await pilot.press("g")
        await shows("event 1 of")
        assert "NOT MADE" not in drawn(screen)
        await pilot.press("n")
        await shows("finding 1 of 1")
        await pilot.press("right", "right")
        await shows("RUNNING")
        await pilot.press("G")
        await shows("NOT MADE")
    replay.close()


async def test_n_and_p_pass_over_findings_that_the_filter_hides() -> None:
    """Only moments whose row is shown are gone to; where there is none it is said, and the replay stays where it is."""
    source = replayed(3)
    async with opened(source) as (screen, pilot):
        await pilot.press("slash", *"kind", "colon", *"write", "enter")
        gone = []
        for _ in range(2):
            await pilot.press("n")
            screen.tick()
            await pilot.pause()
            gone.append(source.asked[-1][1])
            assert screen.finding is not None
            assert screen.rows.row(screen.timeline.here).kind == "write"
        assert gone == sorted(set(gone)), "each a later moment"
        await pilot.press("n")
        await pilot.pause()
        assert toasts(screen)[-1] == "There is no later finding among these rows: escape shows all"
        await pilot.press("p")
        screen.tick()
        await pilot.pause()
        assert screen.rows.row(screen.timeline.here).kind == "write"


async def test_keys_that_follow_each_other_at_once_go_on_from_where_the_first_leads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A moment takes its time to be shown: meanwhile the next finding is the one after that which was asked for."""
    source = replayed(0)
    assert source.playback is not None
    counts = sorted({mark.count for mark in source.playback.marks})
    async with opened(source) as (screen, _):
        monkeypatch.setattr(source, "go", lambda _count: None)
        for key in ("next", "next", "next", "previous"):
            screen.action_go(key)
        assert [asked for asked in source.asked if asked[0] == "seek"] == [
            ("seek", counts[index]) for index in (0, 1, 2, 1)
        ]
