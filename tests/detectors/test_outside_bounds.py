"""However much changes from outside: memories have bounds, and nothing is looked at that an event says nothing of."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from monitor.detectors import outside_edits, outside_spans, outside_stories, outside_story
from monitor.detectors.outside_edits import OutsideEdits
from monitor.events import Change, Coverage, FileChanged, RunStarted, ToolCalled, ToolReturned


@pytest.mark.parametrize("limit", [3, 10])
def test_the_state_is_bounded(monkeypatch, limit):
    """Whatever comes, no memory grows beyond its bound."""
    monkeypatch.setattr(outside_edits, "_RECENT", limit)
    monkeypatch.setattr(outside_spans, "_OPEN", limit)
    monkeypatch.setattr(outside_spans, "_CLOSED", limit)
    monkeypatch.setattr(outside_stories, "_STORIES", limit)
    monkeypatch.setattr(outside_stories, "_ROWS", limit)
    monkeypatch.setattr(outside_story, "_ITEMS", limit)
    detector, chance = OutsideEdits(), random.Random(1)
    for seq in range(3_000):
        file, call = f"f{chance.randrange(40)}", f"c{seq // 2}"
        event = chance.choice(
            (
                FileChanged(file=file, after=f"{seq:064}", folder="/p"),
                ToolCalled(
                    call=call, kind=chance.choice(("write", "shell", "read")), changes=(Change(file),), paths=(file,)
                ),
                ToolReturned(call=call),
            )
        )
        detector.feed(replace(event, seq=seq, at=float(seq)))
    assert len(detector._recent) <= limit
    assert len(detector._pending) <= limit
    assert len(detector._stories._stories) <= limit
    assert max(len(story.items) for story in detector._stories._stories.values()) <= limit
    assert len(detector._calls.spans.ids()) <= 2 * limit
    assert len(detector._calls._early) <= 100
    assert len(detector.view().edits) <= limit


def test_a_thousand_changes_beside_a_command():
    """A command that changes thousands of files is judged in moments, as it runs and when it has ended."""
    detector = OutsideEdits()
    detector.feed(RunStarted(cwd="/p", lag="event", seq=0, at=0.0))
    detector.feed(ToolCalled(call="c", kind="shell", command="make", seq=1, at=1.0))
    for seq in range(2, 3_002):
        detector.feed(FileChanged(file=f"f{seq}", after=f"{seq:064}", folder="/p", seq=seq, at=2.0))
    detector.feed(ToolReturned(call="c", seq=3_002, at=3.0))
    assert {author.by for author in detector.view().authors.values()} == {"shell"}
    assert detector.view().pending == 0


def test_a_thousand_sub_agents_beside_a_thousand_changes():
    """A sub-agent that starts, and a run that says more of itself, cost no look at changes that this says nothing of."""
    detector = OutsideEdits()
    detector.feed(RunStarted(cwd="/p", lag="event", seq=0, at=0.0))
    for seq in range(1, 1_001, 2):
        detector.feed(ToolCalled(call=f"c{seq}", kind="shell", command="make", seq=seq, at=1.0))
        detector.feed(ToolReturned(call=f"c{seq}", seq=seq + 1, at=1.5))
    for seq in range(1_001, 3_001):
        detector.feed(FileChanged(file=f"f{seq}", after=f"{seq:064}", folder="/p", seq=seq, at=9.0))
    for seq in range(3_001, 5_001, 2):
        detector.feed(RunStarted(actor=f"kid{seq}", parent="", parent_call=f"p{seq}", seq=seq, at=20.0))
        detector.feed(RunStarted(model="m", seq=seq + 1, at=20.0))
    assert {author.by for author in detector.view().authors.values()} == {"outside"}
    detector.feed(RunStarted(coverage={"outside_edits": Coverage("none", "why")}, seq=5_001, at=21.0))
    assert detector.view().blind == "why"
