"""What the two ends of a transcript say of their session."""

from __future__ import annotations

import re
from dataclasses import dataclass

from msgspec import Raw, Struct, field

from monitor.agents.claude.parse import NotARecordError, loads, read
from monitor.agents.fields import moment
from monitor.text import clean, first_line, shorten

_LONGEST = 200
_TAG = re.compile(r"\s*<(?!command-name|command-message)|\s*Caveat: |\[Request interrupted")
"""How a text begins that no person wrote."""
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
    """What head and tail of a transcript say; the session's own title goes before its first prompt."""
    rows = [row for line in head.split(b"\n") if (row := _row(line)) is not None]
    last = rows if tail is head else [row for line in tail.split(b"\n")[1:] if (row := _row(line)) is not None]
    title = _named([*rows, *last]) or next(filter(None, map(_prompt, rows)), "") or _asked(last)
    times = (moment(row.timestamp) for row in rows)
    return About(
        known=any(row.session is not None or row.type == "summary" for row in (*rows, *last)),
        folder=clean(next((row.cwd for row in (*rows, *last) if row.cwd), "")),
        title=shorten(first_line(title), _LONGEST),
        version=clean(next((row.version for row in (*reversed(last), *rows) if row.version), "")),
        began=next((at for at in times if at is not None), None),
    )


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


def _asked(rows: list[_Row]) -> str:
    return next((row.prompt for row in rows if row.prompt), "")


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
