"""What the two ends of a transcript say of their session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Raw, Struct, field

from monitor.agents.claude.parse import NotARecordError, loads, read
from monitor.agents.fields import moment
from monitor.text import clean, first_line, shorten

_LONGEST = 200
_FIRST, _LAST = 60, 8
"""Records looked at from the beginning, and from the end."""
_NAMED = 4 << 10
"""Bytes of the head in which a name is looked for: an old summary begins a transcript, all others are told again at its end."""
_TAG = re.compile(r"\s*<(?!command-name|command-message)|\s*Caveat: |\[Request interrupted")
"""How a text begins that no person wrote."""
_NAMES = re.compile(rb'"(?:customTitle|aiTitle|summary|lastPrompt)"')
_COMMAND = re.compile(r"<command-name>\s*/?([^<]{1,100})</command-name>")


class _Row(Struct, frozen=True, gc=False):
    """What of a record tells of the session."""

    type: str | None = None
    cwd: str | None = None
    version: str | None = None
    timestamp: str | None = None
    sidechain: bool | None = field(default=None, name="isSidechain")
    meta: bool | None = field(default=None, name="isMeta")
    message: Raw = Raw(b"null")
    custom: str | None = field(default=None, name="customTitle")
    made: str | None = field(default=None, name="aiTitle")
    summary: str | None = None
    prompt: str | None = field(default=None, name="lastPrompt")
    session: str | None = field(default=None, name="sessionId")


@dataclass(frozen=True, slots=True)
class About:
    """One session, as far as its ends say."""

    known: bool = False
    """It is a transcript of Claude Code's."""
    folder: str = ""
    title: str = ""
    version: str = ""
    began: float | None = None


def about(head: bytes, tail: bytes) -> About:
    """What head and tail of a transcript say; the session's own title goes before its first prompt.

    Few records are decoded: those up to the first prompt, those that may name the session, and the last.
    """
    first, prompt = _beginning(head)
    last = _placed(tail)
    named = [row for data in ((head,) if tail is head else (head[:_NAMED], tail)) for row in _naming(data)]
    title = _named(named) or prompt or next((row.prompt for row in named if row.prompt), "") or ""
    every = [*first, *([last] if last is not None else [])]
    times = (moment(row.timestamp) for row in every)
    return About(
        known=any(row.session is not None or row.type == "summary" for row in (*every, *named)),
        folder=clean(next((row.cwd for row in every if row.cwd), "")),
        title=shorten(first_line(title), _LONGEST),
        version=clean(next((row.version for row in reversed(every) if row.version), "")),
        began=next((at for at in times if at is not None), None),
    )


def _beginning(head: bytes) -> tuple[list[_Row], str]:
    """The records up to the first that holds a person's prompt, and that prompt."""
    rows: list[_Row] = []
    for line in _lines(head):
        if (row := _row(line)) is None:
            continue
        rows.append(row)
        if prompt := _prompt(row):
            return rows, prompt
    return rows, ""


def _placed(tail: bytes) -> _Row | None:
    """The last record that tells a folder."""
    end = len(tail)
    for _ in range(_LAST):
        if (found := tail.rfind(b'"cwd":', 0, end)) < 0:
            break
        begin, stop = tail.rfind(b"\n", 0, found) + 1, tail.find(b"\n", found)
        if (row := _row(tail[begin : stop if stop >= 0 else len(tail)])) is not None and row.cwd:
            return row
        end = begin
    return None


def _lines(head: bytes) -> Iterator[bytes]:
    """The first lines, one by one: the first of them mostly tell all."""
    begin = 0
    for _ in range(_FIRST):
        end = head.find(b"\n", begin)
        yield head[begin : end if end >= 0 else len(head)]
        if end < 0:
            return
        begin = end + 1


def _naming(data: bytes) -> list[_Row]:
    """The records that may name the session."""
    rows = []
    for found in _NAMES.finditer(data):
        begin, end = data.rfind(b"\n", 0, found.start()) + 1, data.find(b"\n", found.end())
        if (row := _row(data[begin : end if end >= 0 else len(data)])) is not None:
            rows.append(row)
    return rows


def _row(line: bytes) -> _Row | None:
    if not line.startswith(b"{") or not line.rstrip().endswith(b"}"):
        return None
    try:
        return read(_Row, line)
    except NotARecordError:
        return None


def _named(rows: list[_Row]) -> str:
    """The title a person gave, else the one that was made, the latest of each."""
    for names in (("custom",), ("made", "summary")):
        for row in reversed(rows):
            if found := next(filter(None, (getattr(row, name) for name in names)), ""):
                return str(found)
    return ""


def _prompt(row: _Row) -> str:
    """What a person asked in this record; empty for what the harness says."""
    if row.type != "user" or row.meta or row.sidechain:
        return ""
    try:
        message = loads(row.message)
    except NotARecordError:
        return ""
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else [content]
    for block in blocks:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str) and text.strip():
            command = _COMMAND.search(text)
            return f"/{command[1].strip()}" if command else "" if _TAG.match(text) else text
    return ""
