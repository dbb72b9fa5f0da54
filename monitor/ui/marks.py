"""The signs, and which state, kind and level takes which."""

from __future__ import annotations

from typing import Final

MARKS: Final = {
    "ok": ("✓", "+"), "note": ("•", "-"), "warn": ("▲", "!"), "stop": ("✗", "x"),
    "live": ("●", "*"), "wait": ("◆", "?"), "ended": ("■", "#"), "same": ("=", "="),
    "outside": ("◇", "o"), "blind": ("–", "-"), "cursor": ("▌", ">"), "full": ("■", "#"),
    "empty": ("□", "."), "thumb": ("┃", "#"), "rule": ("─", "-"), "heavy": ("━", "="), "times": ("×", "x"),
    "hold": ("‖", "|"), "more": ("…", ">"), "space": ("·", "_"), "dot": ("·", "-"), "bar": ("│", "|"),
    "child": ("└", "`"), "limit": ("┄", "-"), "to": ("→", ">"), "from": ("←", "<"), "play": ("▸", ">"),
}  # fmt: skip
"""Name to mark and its ASCII twin; each one cell in the common monospace fonts."""

STATES: Final = {
    "failed": ("stop", "stop"), "aborted": ("ended", "note"), "stopped": ("ended", "warn"), "blocked": ("stop", "stop"),
    "looping": ("stop", "stop"), "not made": ("stop", "stop"), "unchanged": ("same", "warn"), "claimed": ("note", "note"),
    "changed": ("ok", "ok"), "running": ("live", ""), "waiting": ("wait", "accent"), "unknown": ("blind", "note"),
}  # fmt: skip
"""Verdict state to mark and role; a state without a role has no badge and no tint."""

TINTS: Final = {"stop": "stop-tint", "warn": "warn-tint", "note": "note-tint", "ok": "ok-tint", "accent": "wait-tint"}
"""The strip's ground by the role of its state."""

KINDS: Final = {
    "shell": "shell", "said": "agent", "thought": "agent", "outside": "outside", "you": "accent", "prompt": "accent",
    "waiting": "accent", "policy": "accent",
}  # fmt: skip
"""Row kind to the role of its word."""

QUIET: Final = frozenset(
    {"started", "read", "search", "thought", "said", "plan", "poll", "measure", "notice", "ended", "source", "changed"}
)
"""Kinds written in muted: they ask for nothing."""
BIG: Final = frozenset({"prompt", "claim", "you", "policy", "waiting"})
"""Kinds written in bold."""
LOUD: Final = frozenset({"stop", "warn", "outside"})
"""Levels that colour words, not only their mark."""
WEIGHT: Final = ("", "ok", "blind", "note", "outside", "warn", "stop")
"""Levels from the least to the most pressing."""
EIGHTHS: Final = (" ▁▂▃▄▅▆▇█", " ..::-=+#")
"""Heights of a chart's cell, and their ASCII twins."""


def weight(level: str) -> int:
    """How pressing a level is."""
    return WEIGHT.index(level) if level in WEIGHT else 0
