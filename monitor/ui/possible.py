"""What each key can do here and now; where it cannot, why not."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.ui.keys import LAST, Key
from monitor.ui.pen import Pen
from monitor.ui.present.facts import open_findings
from monitor.ui.present.foot import Hint
from monitor.ui.source import Source, terminal


@dataclass(frozen=True, slots=True)
class Scene:
    """What an answer depends on."""

    source: Source
    snapshot: Snapshot
    finding: Finding | None
    held: bool = False
    pen: Pen = Pen()


def why_not(key: Key, scene: Scene) -> str:
    """Empty when the key does something now, else one sentence."""
    if key.id in ("next", "previous"):
        return _no_finding(scene)
    if key.id in ("settle", "warn") and (reason := _not_chosen(key, scene)):
        return reason
    if key.id in ("allow", "deny") and scene.held and _waits(scene.source.snapshot) != _waits(scene.snapshot):
        return f"What this held view shows is not what waits now: {scene.pen.key('hold')} follows again"
    if key.id in ("allow", "deny") and not scene.snapshot.waiting and not (key.id == "deny" and _denies_next(scene)):
        return "Nothing waits for approval"
    if key.group == "Replay" or key.id == "hold":
        return _not_played(key, scene)
    if key.id == "terminal":
        found = terminal(scene.source)
        return found if isinstance(found, str) else ""
    if key.id == "diff":
        return scene.source.no_diff
    if key.id in ("warn", "feedback"):
        return _not_written(key, scene)
    if key.verb is not None:
        return scene.source.can("continue" if key.id == "pause" and scene.source.can("pause") else key.verb)
    return ""


def _waits(snapshot: Snapshot) -> tuple[str, str]:
    """What the agent waits for, and which call that is."""
    return snapshot.waiting, snapshot.waiting_call


def _denies_next(scene: Scene) -> bool:
    """Whether the next call can be denied before it is made, though nothing waits."""
    return scene.source.live and not scene.source.can("deny")


def _no_finding(scene: Scene) -> str:
    """Why there is no finding to go to."""
    playback = scene.source.playback
    if playback is None:
        return "" if open_findings(scene.snapshot) else "There is no open finding"
    if playback.read < 1:
        return "The log is still being read"
    return "" if playback.marks else "There is no finding in this log"


def _not_chosen(key: Key, scene: Scene) -> str:
    """Why there is no finding to act on."""
    if not open_findings(scene.snapshot):
        return "There is no open finding"
    if scene.finding is None or scene.finding.state != "open":
        return f"Select an open finding first: {scene.pen.key('next')} goes to the next one"
    if key.id == "warn" and not scene.finding.advice:
        return "This finding has no advice to send"
    return ""


def _not_written(key: Key, scene: Scene) -> str:
    """Why no words can be written; what cannot be sent now can still be copied, unless it can be said otherwise."""
    reason = scene.source.can("warn" if key.id == "warn" else "feedback")
    instead = key.id == "warn" and not scene.source.can("feedback")
    return reason if scene.source.playback is not None or instead else ""


def _not_played(key: Key, scene: Scene) -> str:
    """Why nothing can be played, or held."""
    playback = scene.source.playback
    if playback is not None:
        return "The log is still being read" if playback.read < 1 else ""
    if key.id == "hold":
        return "" if scene.source.live else "The log is finished: the view stands still already"
    return "Only a replay has steps and speeds: monitor replay LOG"


def hints(scene: Scene) -> tuple[Hint, ...]:
    """The footer's keys, what is not possible dimmed; in a replay its own come first, and what waits before all."""
    mode = "live" if scene.source.playback is None else "replay"
    asked = ("allow", "deny") if scene.snapshot.waiting and mode == "live" else ()
    shown = [key for key in scene.pen.keys if key.on("run") and (key.foot in ("both", mode) or key.id in asked)]
    shown.sort(key=lambda key: key.id not in asked)
    if mode == "replay":
        shown.sort(key=lambda key: (key.id != "hold", key.group != "Replay", key.id == "abort"))
    return tuple(_hint(key, scene) for key in shown)


def _hint(key: Key, scene: Scene) -> Hint:
    sign = scene.pen.own(key.sign) or key.first
    return Hint(key.id, sign, label(key, scene), bool(why_not(key, scene)) or _unsent(key, scene), key.id in LAST)


def _unsent(key: Key, scene: Scene) -> bool:
    """Whether words would be shown to be copied, and no command is known that takes them."""
    if key.id not in ("warn", "feedback") or key.verb is None:
        return False
    return bool(scene.source.can(key.verb)) and not scene.source.offer("words")


def label(key: Key, scene: Scene) -> str:
    """What the key would do now."""
    playback = scene.source.playback
    if key.id == "hold":
        if playback is not None:
            return "pause" if playback.playing else "play"
        return "follow" if scene.held else key.label
    if key.id == "last" and playback is not None:
        return "last"
    if key.id == "pause" and scene.source.can("pause") and not scene.source.can("continue"):
        return "continue"
    if key.id == "feedback" and scene.snapshot.run.over and scene.source.offer("words"):
        return "resume"
    return key.label
