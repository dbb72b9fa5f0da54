"""Lines: put together, cut to a width, spread over it. Every text is made safe here, once more."""

from __future__ import annotations

import re
from functools import lru_cache

from textual.content import Content, Span

from monitor.text import clean, line, name, width
from monitor.ui.pen import Pen

Part = str | tuple[str, str] | Content
"""A text, a text with its style, or a line already put together."""

JOINER = "\u200d"
_EMOJI = "\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff"
LOOSE = re.compile(f"(?<![{_EMOJI}]){JOINER}|{JOINER}(?![{_EMOJI}])")
"""A joiner that joins no emoji: what follows it would count as no cell, and be shown all the same."""
_MADE, _SHORT = 4_096, 200
"""Short lines that are kept as they were put together, and the characters of such a one."""
LONGEST = 40_000
"""Characters of one text that are laid out."""


def put(*parts: Part) -> Content:
    """One line of parts; no text in it is ever read as markup, and none keeps a control character."""
    words = [part for part in parts if not isinstance(part, Content)]
    if len(words) == len(parts) and sum(len(one if isinstance(one, str) else one[0]) for one in words) <= _SHORT:
        return _made(tuple(words))
    return Content.assemble(*[_safe(part) for part in parts])


@lru_cache(_MADE)
def _made(parts: tuple[str | tuple[str, str], ...]) -> Content:
    """As `put`: what is drawn second after second is put together once."""
    return Content.assemble(*[_safe(part) for part in parts])


def _safe(part: Part) -> Part:
    if isinstance(part, Content):
        return part
    return plain(part) if isinstance(part, str) else (plain(part[0]), part[1])


def plain(text: str) -> str:
    """The text on one line, clean, and as wide as it is measured: only emoji are joined."""
    text = line(text)
    return LOOSE.sub("", text) if JOINER in text else text


def role(name: str, bold: bool = False) -> str:
    """A role as a style; no role is the plain foreground."""
    name = {"": "foreground", "blind": "muted"}.get(name, name)
    return f"bold ${name}" if bold else f"${name}"


def fit(pen: Pen, text: Content, room: int) -> Content:
    """Exactly `room` cells; what is cut ends in a mark."""
    more, spans = pen.mark("more"), tuple(text.spans)
    return (_fitted if len(text) <= _SHORT else fitted)(text.plain, spans, max(room, 0), more)


def fitted(plain: str, spans: tuple[Span, ...], room: int, more: str) -> Content:
    """As `fit`, of a text and its styles."""
    text = Content(plain, list(spans))
    if text.cell_length > room:
        text = text.truncate(max(room - 1, 0))
        text = text[: len(text.plain.rstrip(JOINER))]
        style = next((span.style for span in reversed(text.spans) if span.end >= len(text)), "")
        text = text + Content.assemble((more, style)) if room else Content("")
    return text.truncate(room, pad=True)


_fitted = lru_cache(_MADE)(fitted)


def spread(pen: Pen, left: Content, right: Content, room: int, gap: int = 2) -> Content:
    """Left and right at the two edges; the left one gives way, and the right one goes where it would fill the line."""
    if not right.cell_length or right.cell_length + gap + 4 > room:
        return fit(pen, left, room)
    return fit(pen, left, room - right.cell_length - gap) + Content(" " * gap) + right


def middle(pen: Pen, path: str, room: int) -> str:
    """A path that fits: folders go first, from the front; then the name loses its middle."""
    path = plain(name(path))
    if width(path) <= room:
        return path
    *folders, last = path.split("/")
    for dropped in range(1, len(folders) + 1):
        short = "/".join([pen.mark("more"), *folders[dropped:], last])
        if width(short) <= room:
            return short
    if width(last) <= room:
        return last
    keep = max(room - 1, 0)
    return starts(last, keep - keep // 2) + pen.mark("more") + ends(last, keep // 2) if room > 0 else ""


def both_ends(pen: Pen, text: str, room: int) -> str:
    """A command that fits: what it is stands first, and what it is really told often last."""
    text = plain(text)
    if width(text) <= room:
        return text
    keep = max(room - 1, 0)
    return starts(text, keep // 3) + pen.mark("more") + ends(text, keep - keep // 3) if room > 0 else ""


def starts(text: str, room: int) -> str:
    """As much of the beginning as fits."""
    end = min(len(text), max(room, 0))
    while end and width(text[:end]) > room:
        end -= 1
    return text[:end]


def ends(text: str, room: int) -> str:
    """As much of the end as fits."""
    begin = max(len(text) - max(room, 0), 0)
    while begin < len(text) and width(text[begin:]) > room:
        begin += 1
    return text[begin:]


def wrap(text: Content, room: int) -> list[Content]:
    """The text over as many lines as it takes, none wider than `room`."""
    return text.wrap(max(room, 2)) if text.plain else [text]


def hang(sign: Content, text: Content, room: int) -> list[Content]:
    """The text wrapped beside its sign, every further line set in as far."""
    by = sign.cell_length
    first, *rest = wrap(text, room - by)
    return [sign + first, *[Content(" " * by) + line for line in rest]]


def stacked(text: str, room: int, style: str = "$foreground") -> list[Content]:
    """A text of several lines, each wrapped; what is beyond `LONGEST` is said, not shown."""
    text = clean(text)
    lines = [each for one in text[:LONGEST].split("\n") for each in wrap(put((one, style)), room)]
    if len(text) > LONGEST:
        lines.append(put((f"{len(text) - LONGEST:,} more characters", "$muted")))
    return lines


def heading(
    pen: Pen, name: str, summary: str, room: int, *, level: str = "", focus: bool = False, brief: str = ""
) -> Content:
    """Title, hairline, summary: the only border there is; a summary too long for it gives way to a `brief` one."""
    summary = summary if width(name) + width(summary) + 4 <= room else brief or first_word(summary)
    if width(name) + width(summary) + 3 > room:
        summary = ""
    rule = room - width(name) - width(summary) - (2 if summary else 1)
    parts: list[Part] = [
        (name, role("accent" if focus else "", bold=True)),
        (" " + pen.mark("heavy" if focus else "rule") * max(rule, 0), role("accent" if focus else "rule")),
    ]
    if summary:
        parts.append((" " + summary, role(level or "muted", bold=level not in ("", "ok", "blind"))))
    return fit(pen, put(*parts), room)


def first_word(text: str) -> str:
    """What is kept of a summary that does not fit."""
    return re.split(r"[ ,]", text, maxsplit=1)[0]
