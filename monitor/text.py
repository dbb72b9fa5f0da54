"""Clean, shorten and measure text that nobody vouches for."""

from __future__ import annotations

import re

from rich.cells import cell_len

_CONTROLS = "\\x00-\\x08\\x0b-\\x1f\\x7f"
_C1 = "\\x80-\\x9f"
_HIDDEN = (
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e"
    "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\U00013430-\\U0001d17a\\U000e0000-\\U000e0fff"
)
"""Bidirectional controls, zero-width characters, variation selectors and tags: they hide or reorder what stands on the
screen. U+200D stays: it joins emoji. Beyond U+FFFF each range costs, so that one spans more than is meant."""
_FORMS, _MORE_FORMS = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f", "\\U000e0100-\\U000e01ef"
_IDEOGRAPHS = "\\u3400-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003ffff"
_STAYS = re.compile(
    f"(?<![{_FORMS}{_MORE_FORMS}])[{_FORMS}]|(?<=[{_IDEOGRAPHS}])[{_MORE_FORMS}]"
    "|[\\U00013440-\\U0001bc9f\\U0001bca4-\\U0001d172]"
)
"""Of the hidden a selector that chooses a form of the sign before it, where others would be a text that nobody sees;
and what is only within their range."""
_ASCII = re.compile(f"[{_CONTROLS}]")
_ANY = re.compile(f"[{_CONTROLS}{_C1}{_HIDDEN}\\ud800-\\udfff]")
_UNSHOWN = bytes((*range(9), *range(11, 32), 127))
"""The ASCII controls, as bytes: a text without them is told four times faster than by the pattern."""
_LINES = {10: " ⏎ ", 9: "    "}


def clean(text: str) -> str:
    """The text with every control character made visible; newline and tab stay, CRLF becomes a newline.

    C0 controls become control pictures; C1, bidirectional and zero-width controls, variation selectors that choose
    no form, and lone surrogates U+FFFD. Cleaning twice is cleaning once.
    """
    if text.isascii():
        if len(text) < 100 and text.isprintable():
            return text
        if len(text.encode().translate(None, _UNSHOWN)) == len(text):
            return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return (_ASCII if text.isascii() else _ANY).sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code > 0x180A and _STAYS.match(found.string, found.start()):
        return found.group()
    return chr(0x2400 + code) if code < 32 else "\u2421" if code == 0x7F else "\ufffd"


def line(text: str) -> str:
    """Clean text on one line: newlines shown as a sign, tabs as spaces."""
    text = clean(text)
    return text.translate(_LINES) if "\n" in text or "\t" in text else text


def name(path: str) -> str:
    """A file's name on one line; a tab in it is shown as a sign, where spaces would be another name."""
    return line(path.replace("\t", "\u2409"))


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
