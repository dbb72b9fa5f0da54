"""The operator's hand on the screen: what an abort would end, how words go, and receipts as they grow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_open import drawn, floating, opened
from ui_samples import NOWS, PEN, at, joined
from ui_scenes import ENDS, reached, stopping

from monitor.processes.plan import DEAF, Plan, ProcessRow, Step
from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.present.abort import MOST, abort_parts
from monitor.ui.present.parts import laid
from monitor.ui.present.receipts import STAYS, growing, under_way, waiting
from monitor.ui.screens import box
from monitor.ui.screens.box import GUARD, Question

NOW = at("15:09:14")
STOPPING = stopping().snapshot.actions[-1]


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of every question."""
    made = Clock()
    monkeypatch.setattr(box, "monotonic", made)
    return made


async def test_a_key_held_down_confirms_nothing(clock: Clock) -> None:
    """While the key repeats, however long, nothing is confirmed, and why is said; after a rest it is an answer."""
    source = reached()
    async with opened(source) as (screen, pilot):
        await pilot.press("A")
        await pilot.pause()
        clock.now += GUARD - 0.01
        for _ in range(40):
            await pilot.press("A")
            clock.now += 0.03
        await pilot.pause()
        assert isinstance(screen.app.screen, Question)
        assert source.acted == []
        assert "A abort now: once more, that was too soon" in floating(screen.app)
        clock.now += GUARD
        await pilot.press("A")
        await pilot.pause()
        assert [action.verb for action in source.acted] == ["abort"]


def abort(plan: Plan | None, force: str = "interrupt", room: int = 98) -> str:
    return joined(laid(PEN, abort_parts(PEN, reached().snapshot, plan, force), room))


def test_every_process_that_would_end_is_named() -> None:
    """Its command below what started it, with group, session, number and age; then the steps in their order."""
    lines = abort(ENDS).split("\n")
    head = next(index for index, line in enumerate(lines) if line.startswith("will end"))
    assert lines[head].split() == ["will", "end", "3", "processes", "group", "session", "runs", "process"]
    assert lines[head + 1].split() == ["lcode", "acp", "48213", "48213", "11m", "36s", "48213"]
    assert lines[head + 2].strip().startswith("└ bash -c cd ~/")
    assert lines[head + 2].split()[-4:] == ["48377", "48377", "47s", "48377"]
    assert lines[head + 3].index("└") == lines[head + 2].index("└") + 2
    text = " ".join(" ".join(lines).split())
    assert "closes its standard input; after 5s SIGINT to the agent, SIGTERM to what it leaves behind" in text
    assert "SIGTERM, then SIGKILL, only if you press A again" in text


def test_an_abort_asked_for_again_says_how_hard_it_is() -> None:
    """The second is SIGTERM at once, the third SIGKILL, and nothing is harder than that."""
    again = abort(ENDS, "terminate")
    assert "SIGTERM to the agent" in again
    assert "SIGINT" not in again
    assert "SIGKILL, only if you press A again" in again
    last = abort(ENDS, "kill")
    assert "SIGKILL to all of them" in last
    assert "again" not in last


def test_what_would_not_end_is_said() -> None:
    """A process that stays says why; a step that is left out too; and more processes than fit are counted."""
    rows = [ProcessRow(number, f"sleep {number}", 1.0, 1, number, number) for number in range(2, MOST + 5)]
    plan = Plan(
        (ProcessRow(1, "lcode", 60.0, 0, 1, 1, "it belongs to another user"), *rows),
        (Step("interrupt", "SIGINT to the agent", DEAF), *ENDS.steps[2:]),
    )
    text = abort(plan)
    assert "stays: it belongs to another user" in text
    assert f"{len(rows)} processes" in text
    assert "and 4 more" in text
    assert "how           nothing is sent by this alone" in text
    assert f"SIGINT: it {DEAF}" in text
    assert "the processes of this run are not known" in abort(None)
    assert "48213" in abort(ENDS, room=44), "where there is little room the process number stays"


def test_the_time_of_a_step_is_counted_down() -> None:
    """What comes next and in how many seconds; where nothing comes by itself, what would be harder."""
    assert waiting(PEN, STOPPING, NOW) == "SIGINT in 4s"
    assert waiting(PEN, STOPPING, NOW + 3.5) == "SIGINT in 1s"
    alone = replace(STOPPING, then="")
    assert waiting(PEN, alone, NOW) == "given 4s more"
    assert waiting(PEN, alone, NOW + 5) == "not ended: press A again to force it"
    assert waiting(PEN, replace(STOPPING, receipt="done"), NOW) == ""
    assert waiting(PEN, replace(STOPPING, action="warn", until=None), NOW) == ""


def test_receipts_stand_with_their_evidence() -> None:
    """Two lines: every step with its time and the wait, then the evidence; in a narrow place the times go."""
    first, second = growing(PEN, STOPPING, NOW, 118)
    assert first.plain.startswith("abort  ✓ queued 15:09:13 → ✓ delivered 15:09:13")
    assert first.plain.rstrip().endswith("SIGINT in 4s")
    assert second.plain.startswith("asked to cancel; 3 processes left")
    assert growing(PEN, STOPPING, NOW, 60)[0].plain.startswith("abort  ✓ queued → ✓ delivered  ")
    silent = ActionFacts("1", "warn", "operator", "queued", at=NOW)
    assert growing(PEN, silent, NOW, 80)[1].plain.strip() == "no news of it yet"
    assert growing(PEN, replace(silent, receipt="done"), NOW, 80)[1].plain.strip() == "", "what is done has its news"
    unknown = replace(STOPPING, steps=(("queued", NOW - 60), ("seen", None)), until=None, receipt="seen")
    assert growing(PEN, unknown, NOW, 118)[0].plain.strip() == "abort  ✓ queued 15:08:14 → ✓ seen"


def test_which_action_is_shown() -> None:
    """An abort that has not ended before all; else the latest for a while, and as long as it waits for news."""
    seen = ActionFacts("2", "feedback", "operator", "seen", steps=(("queued", NOW - 30), ("seen", NOW)))
    both = replace(Snapshot(), actions=(STOPPING, seen))
    assert under_way(both, NOW) is STOPPING
    alone = replace(Snapshot(), actions=(replace(STOPPING, receipt="done"), seen))
    assert under_way(alone, NOW + STAYS - 1) is seen
    assert under_way(alone, NOW + STAYS) is None
    waits = replace(seen, receipt="delivered")
    assert under_way(replace(Snapshot(), actions=(waits,)), NOW + 999) is waits
    own = ActionFacts("3", "settle", "operator", "done", at=NOW)
    assert under_way(replace(Snapshot(), actions=(own,)), NOW) is None
    assert under_way(replace(Snapshot(), actions=(waits, own)), NOW) is waits
    assert under_way(Snapshot(), NOW) is None


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (80, 24), (20, 6)])
async def test_the_screen_shows_a_receipt_growing(size: tuple[int, int]) -> None:
    """A row above the keys while an action is under way; it follows the newest snapshot, and goes."""
    source = reached()
    source.snapshot = replace(source.snapshot, actions=())
    now = NOWS["reached"]
    async with opened(source, size) as (screen, pilot):
        assert not screen.hand.display
        for receipt in ("queued", "delivered", "seen"):
            told = ActionFacts("9", "feedback", "operator", receipt, at=now, steps=((receipt, now),))
            source.snapshot = replace(source.snapshot, actions=(told,))
            screen.tick()
            await pilot.pause()
            assert screen.hand.display
            assert size[0] < 60 or f"✓ {receipt}" in drawn(screen)
        source.live = False
        screen.tick()
        await pilot.pause()
        assert not screen.hand.display
