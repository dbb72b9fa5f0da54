"""What the panels of sites and of thinking say, and the detail of what is chosen in them."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from ui_open import drawn, opened
from ui_runs import calm
from ui_samples import NOWS, PEN, at, joined
from ui_trouble import trouble
from ui_views import CIRCLE, HOST

from monitor.detectors.sites_view import SiteEntry, SitesView
from monitor.detectors.thinking_view import ThinkingFlag, ThinkingView
from monitor.events import Coverage
from monitor.findings import Finding, Spot
from monitor.snapshot import Snapshot
from monitor.ui.present.chart import spanned
from monitor.ui.present.facts import facts
from monitor.ui.present.panel import Panel
from monitor.ui.present.panel import drawn as lines
from monitor.ui.present.parts import laid
from monitor.ui.present.short import short
from monitor.ui.present.sites import site_parts, sites, standing
from monitor.ui.present.thinking import thinking, thinking_parts

NOW = NOWS["trouble"]


def shown(view: Panel, room: int = 40, height: int = 7) -> str:
    return joined([line.content for line in lines(PEN, view, room, height)])


def of_sites(*entries: SiteEntry, **more: object) -> Snapshot:
    failing = sum(one.level is not None for one in entries)
    return replace(Snapshot(), sites=SitesView(entries, failing=failing, **more))  # type: ignore[arg-type]


def test_a_failing_site_stands_with_its_meter_its_kinds_and_who_answered() -> None:
    """How far to blocked, in what ways it failed, and the sites that answer."""
    text = shown(sites(PEN, trouble().snapshot, NOW))
    assert "1 failing" in text
    assert f"▲ {HOST}        ■■■■□ 4 of 5\n  404 ×3 · no answer ×1" in text
    assert "• tiles.example.net" in text
    assert "✓ mirror.example.com            answered" in text


def test_where_a_site_hardly_fits_its_figure_shrinks_before_its_name() -> None:
    """The meter goes first, then the words of the figure; the figure itself stays."""
    view = sites(PEN, trouble().snapshot, NOW)
    assert "■" not in shown(view, 30)
    assert f"▲ {HOST}   4/5" in shown(view, 26)


@pytest.mark.parametrize(
    ("entries", "summary", "level"),
    [
        ((), "none called", ""),
        ((SiteEntry("a.org", answered=True),), "all answer", ""),
        ((SiteEntry("a.org", failed_calls=1, towards=1),), "1 unanswered", ""),
        ((SiteEntry("a.org", failed_calls=3, towards=3, level="warn"),), "1 failing", "warn"),
        ((SiteEntry("a.org", failed_calls=6, towards=6, level="stop"), SiteEntry("b.org", answered=True)), "1 blocked", "stop"),
    ],
)  # fmt: skip
def test_the_summary_of_sites_is_two_words(entries: tuple[SiteEntry, ...], summary: str, level: str) -> None:
    """None called, all answer, unanswered, failing, blocked."""
    panel = sites(PEN, of_sites(*entries), NOW)
    assert (panel.summary, panel.level) == (summary, level)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (SiteEntry("a.org", failed_calls=4, towards=4, level="warn"), "4 different calls failed, none succeeded; at 5 it is blocked."),
        (SiteEntry("a.org", "127.0.0.1:3128", 3, 3, level="warn", cause="proxy"), "It is the proxy that fails."),
        (SiteEntry("a.org", failed_calls=3, towards=3, level="warn", cause="sandbox"), "There may be no network here."),
        (SiteEntry("a.org", failed_calls=3, level="warn", cause="login"), "It can be reached, but wants a login"),
        (SiteEntry("a.org", failed_calls=3, level="warn", cause="rate"), "It can be reached, but limits requests"),
        (SiteEntry("a.org", failed_calls=6, towards=6, level="stop"), "Blocked: 6 different calls failed"),
        (SiteEntry("a.org", failed_calls=1, answered=True), "It answered; 1 different call failed."),
        (SiteEntry("a.org", answered=True), "It answered."),
    ],
)  # fmt: skip
def test_how_a_site_stands_is_said_by_its_cause(entry: SiteEntry, words: str) -> None:
    """The site, the proxy, the sandbox, a login, a limit: each its own sentence; the proxy is named."""
    assert words in standing(entry)
    finding = Finding("sites", entry.name, entry.level or "warn", "m", "Try once.")
    text = joined(laid(PEN, site_parts(PEN, entry, finding, [], "w"), 90))
    assert ("127.0.0.1:3128" in text) == bool(entry.via)
    assert "w sends it" in text


def test_a_site_flagged_in_an_earlier_request_stays_in_sight() -> None:
    """Named with its request, below those of this one; one that never was flagged is gone."""
    earlier = (SiteEntry("old.org", failed_calls=5, towards=5, level="stop", spots=(Spot(3, 0, 3),), request=1), SiteEntry("mild.org", failed_calls=1, request=1))  # fmt: skip
    panel = sites(PEN, of_sites(SiteEntry("new.org", answered=True), earlier=earlier), NOW)
    assert [(one.text, one.right, one.seq) for one in panel.entries] == [("new.org", "answered", None), ("old.org", "request 1", 3)]  # fmt: skip
    assert panel.level == ""


def test_thinking_shows_its_density_over_the_run_against_the_limit() -> None:
    """The figure, the chart, the reply that repeats itself and when."""
    text = shown(thinking(PEN, trouble().snapshot, NOW))
    assert "17 of 20 repeat" in text
    assert "limit" in text
    assert text.endswith("▲ repeats itself                15:06:20")
    assert shown(thinking(PEN, calm().snapshot, NOW)).endswith("  moves forward")
    assert shown(thinking(PEN, trouble().snapshot, NOW), 78, 1).startswith("▲ Thinking       17 of 20 repeat")


def test_the_chart_holds_the_whole_run_however_long() -> None:
    """Where several values share a cell the highest stands for them: no peak is lost."""
    values = [10] * 500
    values[123] = 90
    assert max(spanned(values, 26)) == 90
    assert len(spanned(values, 26)) == 26
    assert spanned([1, 2, 3], 26) == (1, 2, 3)


@pytest.mark.parametrize(
    ("view", "summary", "words"),
    [
        (ThinkingView(), "none yet", "nothing yet"),
        (ThinkingView(characters=900), "too little yet", "needs 20 sentences"),
        (ThinkingView(900, last=0.2, history=(0.2,)), "4 of 20 repeat", "moves forward"),
        (
            ThinkingView(900, last=0.9, history=(0.9,), flags=(ThinkingFlag(Spot(3, 0, 3), "circles", at=at("14:00:00"), request=1),)),
            "18 of 20 repeat",
            "request 1 circled",
        ),
    ],
)  # fmt: skip
def test_what_is_not_known_of_thinking_is_no_figure(view: ThinkingView, summary: str, words: str) -> None:
    """Before there are sentences enough no count is said; the past is named as the past."""
    panel = thinking(PEN, replace(Snapshot(), thinking=view), NOW)
    assert panel.summary == summary
    assert words in shown(panel, 60)


@pytest.mark.parametrize(("name", "panel"), [("sites", sites), ("thinking", thinking)])
def test_a_blind_panel_says_why_and_shows_no_figure(name: str, panel: object) -> None:
    """The source's own reason; what is seen in part is shown with it."""
    cover = MappingProxyType({name: Coverage("none", "this stream drops it")})
    view = panel(PEN, replace(Snapshot(), coverage=cover), NOW)  # type: ignore[operator]
    assert (view.summary, view.level) == ("not seen", "blind")
    assert "This stream drops it." in shown(view, 90)
    part = MappingProxyType({name: Coverage("partial", "only the end is told")})
    seen = panel(PEN, replace(trouble().snapshot, coverage=part), NOW)  # type: ignore[operator]
    assert "– seen in part" in shown(seen, 60)
    assert seen.entries[-1].why == "Only the end is told."


def test_a_finding_that_a_blind_source_shows_all_the_same_is_shown() -> None:
    """Where only the guard's note is left, the panel is not blind for it."""
    flag = ThinkingFlag(Spot(4, 0, 4), "harness", text="stopped: in circles", theirs=True, at=at("15:00:00"))
    finding = Finding("thinking", "circles", "warn", "The agent's own guard dropped a reply", places=(flag.spot,))
    cover = MappingProxyType({"thinking": Coverage("none", "no thinking")})
    snapshot = replace(Snapshot(), thinking=ThinkingView(flags=(flag,), noted=1), findings=(finding,), coverage=cover)
    text = shown(thinking(PEN, snapshot, NOW), 60)
    assert "guard dropped it" in text
    assert "– not seen else" in text
    assert "stopped: in circles" in joined(laid(PEN, thinking_parts(PEN, snapshot, NOW, ""), 80))


def test_the_strip_takes_short_facts() -> None:
    """Sites, thinking and writes in a few words, never a whole sentence."""
    source = trouble()
    said = [words for _, words in facts(source.snapshot, live=True)]
    assert f"{HOST} 4 calls failed, blocked at 5" in said
    assert "thinking: 17 of 20 sentences repeat" in said
    cooled = replace(source.snapshot, thinking=replace(source.snapshot.thinking, density=0.1))
    assert short(cooled.findings[3], cooled) == "thinking went in circles"
    running = replace(source.snapshot, verdict=replace(source.snapshot.verdict, state="running", reason="Nothing"))
    assert short(running.findings[0], running) == "readings.py not written, 3 failures"
    assert "2 writes outstanding" in [words for _, words in facts(running, live=True)]
    assert all(len(words) <= 60 for words in said)


async def test_a_chosen_site_shows_its_failed_calls_and_enter_leads_to_the_last() -> None:
    """The detail follows the panel's entry; the advice can be sent from there; enter goes to the evidence."""
    source = trouble()
    source.cannot = {}
    async with opened(source, (160, 48)) as (screen, pilot):
        screen.panels["sites"].focus()
        await pilot.pause()
        text = drawn(screen)
        assert "finding 3 of 5 · site" in text
        assert "HTTP 404 ×3, no answer ×1" in text
        assert "curl -sI https://wheels.example.org" in text
        assert "w sends it" in text
        await pilot.press("w")
        assert source.acted[0].subject == f"sites::{HOST}"
        await pilot.press("down")
        await pilot.pause()
        assert "tiles.example.net" in drawn(screen).split("Detail", 1)[1]
        await pilot.press("up", "enter")
        await pilot.pause()
        assert screen.timeline.cursor == source.snapshot.sites.entries[0].spots[-1].seq
        assert screen.panel is None


async def test_what_is_seen_in_part_says_why_when_chosen() -> None:
    """The panel has no room for the reason; the detail has."""
    source = trouble()
    cover = MappingProxyType({"sites": Coverage("partial", "lcode's events keep the first 4,000 characters")})
    source.snapshot = replace(source.snapshot, coverage=cover)
    async with opened(source) as (screen, pilot):
        screen.panels["sites"].focus()
        await pilot.press("G")
        await pilot.pause()
        assert "lcode's events keep the first 4,000 characters." in drawn(screen)


async def test_thinking_chosen_shows_what_repeats() -> None:
    """The sentence that came again and again, where it showed, and how much was said."""
    async with opened(trouble(), (160, 48)) as (screen, pilot):
        screen.panels["thinking"].focus()
        await pilot.pause()
        text = " ".join(drawn(screen).split())
        assert "finding 4 of 5 · thinking" in text
        assert "15:06:20, character 1,120 of 1,680" in text
        assert CIRCLE.split(",", maxsplit=1)[0] in text
        await pilot.press("enter")
        await pilot.pause()
        assert "what repeats" in drawn(screen), "the thought itself says so too"
        assert screen.chosen is not None
        assert screen.chosen.row.kind == "thought"


async def test_a_chosen_write_shows_its_failure_before_anybody_goes_there() -> None:
    """In the panel of writes the detail is that of the row; the cursor stays where it is."""
    async with opened(trouble(), (160, 48)) as (screen, pilot):
        here = screen.timeline.cursor
        screen.panels["writes"].focus()
        await pilot.pause()
        assert "Old text not found. Failed 3 times" in drawn(screen)
        assert screen.timeline.cursor == here
        screen.timeline.focus()
        await pilot.pause()
        assert "Old text not found. Failed 3 times" not in drawn(screen)
