"""Wording that several panels share."""

from __future__ import annotations

from monitor.events import Coverage
from monitor.ui.present.panel import Entry


def sentence(words: str) -> str:
    """The words with a full stop, and a capital where they begin with a plain word; nothing for nothing."""
    words = words.strip()
    if not words:
        return ""
    begin = words[:1].upper() if words.split(maxsplit=1)[0].isalpha() else words[:1]
    return begin + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def in_part(cover: Coverage | None) -> tuple[Entry, ...]:
    """A last entry for what is seen in part only; why stands in the detail."""
    if cover is None or cover.sees == "full" or not cover.why:
        return ()
    return (Entry("blind", "seen in part" if cover.sees == "partial" else "not seen else", why=sentence(cover.why)),)
