"""Clean, shorten and measure text that nobody vouches for."""

from __future__ import annotations

import re

from rich.cells import cell_len

_HIDDEN = (
    [0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0]
    + list(range(0x200B, 0x200D)) + [0x200E, 0x200F]
    + list(range(0x2028, 0x202F)) + list(range(0x2060, 0x2070))
    + list(range(0xFFF9, 0xFFFC)) + list(range(0xE0000, 0xE0080))
)  # fmt: skip
"""Bidirectional controls, zero-width characters and tags: they hide or reorder what stands on the screen.
U+200D stays: it joins emoji."""

_TABLE: dict[int, int] = (
    {code: 0x2400 + code for code in range(32) if code not in (9, 10)}
    | {0x7F: 0x2421}
    | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
    | dict.fromkeys(_HIDDEN, 0xFFFD)
    | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
)
_DIRTY = re.compile("[" + "".join(re.escape(chr(code)) for code in sorted(_TABLE)) + "]")
_LINES = {10: " ⏎ ", 9: "    "}


def clean(text: str) -> str:
    """The text with every control character made visible; newline and tab stay, CRLF becomes a newline.

    C0 controls become control pictures, C1, bidirectional and zero-width controls and lone surrogates
    U+FFFD. Cleaning twice is cleaning once.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text.translate(_TABLE) if _DIRTY.search(text) else text


def line(text: str) -> str:
    """Clean text on one line: newlines shown as a sign, tabs as spaces."""
    text = clean(text)
    return text.translate(_LINES) if "\n" in text or "\t" in text else text


def first_line(text: str) -> str:
    """The first line that holds anything, cleaned."""
    for part in clean(text[:4000]).split("\n"):
        if part.strip():
            return line(part.strip())
    return ""


def width(text: str) -> int:
    """Terminal cells the text takes."""
    return cell_len(text)


def shorten(text: str, most: int, more: str = "…") -> str:
    """At most `most` characters, the end cut and marked; never inside an emoji sequence's joiner."""
    if len(text) <= most:
        return text
    return text[: max(most - len(more), 0)].rstrip("\u200d") + more


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 write`, `2 writes`, `no writes`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {many or noun + 's'}" if count else f"no {many or noun + 's'}"
