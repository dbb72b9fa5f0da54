"""What each key can do here and now; where it cannot, why not."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.ui.keys import KEYS, LAST, Key
from monitor.ui.present.facts import open_findings
from monitor.ui.present.foot import Hint
from monitor.ui.source import Source


@dataclass(frozen=True, slots=True)
class Scene:
    """What an answer depends on."""

    source: Source
    snapshot: Snapshot
    finding: Finding | None
    held: bool = False


def why_not(key: Key, scene: Scene) -> str:
    """Empty when the key does something now, else one sentence."""
    found = open_findings(scene.snapshot)
    if key.id in ("next", "previous") and not found:
        return "There is no open finding"
    if key.id in ("settle", "warn"):
        if not found:
            return "There is no open finding"
        if scene.finding is None or scene.finding.state != "open":
            return "Select an open finding first: n goes to the next one"
        if key.id == "warn" and not scene.finding.advice:
            return "This finding has no advice to send"
    if key.id in ("allow", "deny") and not scene.snapshot.waiting:
        return "Nothing waits for approval"
    if key.id == "hold" and not scene.source.live:
        return "The log is finished: the view stands still already"
    if key.verb is not None:
        return scene.source.can("continue" if key.id == "pause" and scene.source.can("pause") else key.verb)
    return ""


def hints(scene: Scene) -> tuple[Hint, ...]:
    """The footer's keys, what is not possible dimmed."""
    return tuple(
        Hint(key.id, key.shown.split(",")[0], label(key, scene), bool(why_not(key, scene)), key.id in LAST)
        for key in KEYS
        if key.foot
    )


def label(key: Key, scene: Scene) -> str:
    """What the key would do now."""
    if key.id == "hold" and scene.held:
        return "follow"
    if key.id == "pause" and scene.source.can("pause") and not scene.source.can("continue"):
        return "continue"
    return key.label
