"""A policy that acts on the run: a lasting sign of it, and its deeds told apart from the operator's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_ended import ended
from ui_open import drawn
from ui_samples import NOWS, PEN
from ui_trouble import trouble

from monitor.commands.attach import screen as show_on_screen
from monitor.policy.deputy import Deputy
from monitor.policy.rules import Rules
from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.app import MonitorApp
from monitor.ui.present.head import head
from monitor.ui.present.receipts import growing, under_way
from monitor.ui.screens.run import RunScreen

NOW = NOWS["trouble"]


@pytest.mark.parametrize("room", [156, 116, 78, 48])
def test_the_header_says_that_a_policy_is_armed(room: int) -> None:
    """It stays when the figures go for want of room; without a policy nothing is said of one."""
    snapshot = trouble().snapshot
    assert "policy armed" in head(PEN, snapshot, NOW, room, live=True, policy="policy armed").plain
    assert "policy" not in head(PEN, snapshot, NOW, room, live=True).plain


def test_nothing_is_armed_over_a_run_that_has_ended() -> None:
    """A policy does nothing to it any more."""
    assert "policy" not in head(PEN, ended().snapshot, NOW, 156, live=True, policy="policy armed").plain


@pytest.mark.parametrize(("dry", "sign"), [(False, "policy armed"), (True, "policy dry")])
def test_a_screen_with_a_policy_is_opened_with_its_sign(dry: bool, sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign is that of the policy the screen was started with."""
    apps: list[MonitorApp] = []

    def run(app: MonitorApp) -> None:
        apps.append(app)

    monkeypatch.setattr(MonitorApp, "run", run)
    show_on_screen(trouble(), theme=None, ascii_only=False, deputy=Deputy(Rules(), dry=dry))
    show_on_screen(trouble(), theme=None, ascii_only=False)
    assert [app.policy for app in apps] == [sign, ""]
    shown = apps[0].get_default_screen()
    assert isinstance(shown, RunScreen)
    assert shown.policy == sign


async def test_the_sign_stands_on_the_screen() -> None:
    """It is drawn in the header of the run's screen, and stays when the toast has gone."""
    app = MonitorApp(trouble(), pen=PEN, now=lambda: NOW)
    app.policy = "policy armed"
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "policy armed" in drawn(app.screen).splitlines()[0]


def test_the_receipts_name_the_policy() -> None:
    """What a policy does is not told as if the operator did it."""
    warned = ActionFacts("1", "warn", "policy", "queued", at=NOW)
    assert growing(PEN, warned, NOW, 80)[0].plain.startswith("policy: warn  ✓ queued")
    assert growing(PEN, replace(warned, by="operator"), NOW, 80)[0].plain.startswith("warn  ✓ queued")


def test_a_refusal_that_only_waits_for_a_claim_is_not_under_way() -> None:
    """It is ordered at the start of a request and may never be needed; once it is delivered it is shown."""
    ordered = ActionFacts("1", "refuse", "policy", "queued", at=NOW)
    assert under_way(replace(Snapshot(), actions=(ordered,)), NOW) is None
    delivered = replace(ordered, receipt="delivered")
    assert under_way(replace(Snapshot(), actions=(delivered,)), NOW) is delivered
