"""How findings are gone through, and what the detail shows of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_open import opened
from ui_runs import CLI
from ui_samples import NOWS, PEN, joined
from ui_trouble import third_failure, trouble

from monitor.events import ToolCalled, ToolReturned
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Row
from monitor.ui.present.detail import detail, title
from monitor.ui.present.parts import laid
from monitor.ui.present.selected import Selected
from monitor.ui.screens.box import Words
from monitor.ui.selection import following, row_of, select, ticks

NOW = NOWS["trouble"]


def test_a_finding_stands_above_the_output_that_proves_it() -> None:
    """An output may be long: what is found and advised comes before it, whole sentences from their beginning."""
    finding = Finding("sites", "a.test", "warn", "a.test: 3 calls failed", opened=0, advice="Ask once. " * 20)
    call = ToolCalled(call="c", command="curl a.test")
    result = ToolReturned(call="c", output="\n".join(f"line {n}" for n in range(50)), exit=22, outcome="failed")
    chosen = Selected(Row(0, 0, "shell", "curl", level="warn"), call, result, finding=finding)
    parts = detail(PEN, chosen, Snapshot(), NOW)
    whole = joined(laid(PEN, parts, 70))
    assert whole.index("3 calls failed") < whole.index("Ask once") < whole.index("line 0") < whole.index("line 49")
    little = joined(laid(PEN, parts, 70, 8)).splitlines()
    assert little[2].strip().endswith("3 calls failed")
    assert little[-1].endswith("more lines · enter opens them")
    assert title(PEN, None, NOW) == ""


def test_the_title_names_finding_kind_and_time() -> None:
    """Which finding of how many, what it is and when."""
    chosen = select(trouble().snapshot, trouble().rows, third_failure())
    assert title(PEN, chosen, NOW) == "finding 1 of 5 · write · 15:07:02"


def test_the_next_finding_is_the_next_most_pressing_round_and_round() -> None:
    """In the snapshot's order, from the first; backwards from the last."""
    found = trouble().snapshot.findings
    assert following(found, "", 1) is found[0]
    assert following(found, "", -1) is found[-1]
    assert following(found, found[0].key, 1) is found[1]
    assert following(found, found[-1].key, 1) is found[0]
    assert following((), "x", 1) is None


def test_a_finding_leads_to_its_latest_proof() -> None:
    """The row of the last place; an earlier one when the last is not in the timeline."""
    source = trouble()
    first, second = source.snapshot.findings[:2]
    assert row_of(source.rows, first) == third_failure()
    assert source.rows.row(row_of(source.rows, second) or 0).text == CLI
    assert len(ticks(source.snapshot, source.rows)) == sum(len(one.places) for one in source.snapshot.findings)


def test_a_row_that_proves_two_findings_shows_the_one_gone_to() -> None:
    """The wanted finding before a more pressing one at the same row."""
    source = trouble()
    index = third_failure()
    other = replace(source.snapshot.findings[2], places=source.snapshot.findings[0].places)
    snapshot = replace(source.snapshot, findings=(*source.snapshot.findings[:2], other))
    assert select(snapshot, source.rows, index).finding is snapshot.findings[0]
    assert select(snapshot, source.rows, index, wanted=other.key).finding is other


@pytest.mark.parametrize("first", ["timeline", "sites"])
async def test_keys_that_follow_each_other_at_once_act_on_what_was_chosen_last(first: str) -> None:
    """Before anything of the first is drawn: the next finding after the next, and no other is settled or sent."""
    source = trouble()
    source.cannot = {}
    findings = source.snapshot.findings
    async with opened(source, (160, 48)) as (screen, pilot):
        (screen.timeline if first == "timeline" else screen.panels[first]).focus()
        await pilot.pause()
        start = -1 if screen.finding is None else findings.index(screen.finding)
        for key in ("next", "next", "next", "warn", "previous", "settle"):
            screen.action_go(key)
        await pilot.pause()
        here = (start + 3) % len(findings)
        assert [one.subject for one in source.acted] == [findings[here].key]
        assert isinstance(screen.app.screen, Words)
        assert screen.app.screen.parts[0].text == findings[here - 1].message
        assert screen.finding == findings[here - 1]


async def test_a_row_chosen_just_now_is_the_one_that_is_acted_on() -> None:
    """Also by the keys that move the cursor, and where a region was left."""
    source = trouble()
    async with opened(source, (160, 48)) as (screen, pilot):
        await pilot.press("n")
        found = screen.finding
        assert found is not None
        for key in ("up", "settle"):
            screen.action_go(key)
        await pilot.pause()
        assert screen.finding != found
        assert not isinstance(screen.app.screen, Words)
