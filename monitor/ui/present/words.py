"""Small matters of wording that several panels share."""

from __future__ import annotations


def sentence(words: str) -> str:
    """The words with a capital and a full stop; nothing for nothing."""
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".") if words else ""
