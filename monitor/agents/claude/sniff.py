"""Recognises Claude Code's logs from what they hold."""

from __future__ import annotations

import re
from typing import Any, Literal

from monitor.agents.claude.parse import NotARecordError, loads

Kind = Literal["transcript", "stream"]

_ROWS = ("user", "assistant", "attachment", "system")
_MARKS = ("mode", "permission-mode", "queue-operation", "last-prompt", "atis-latch", "custom-title", "ai-title")
"""Types that stand before the first row of a conversation, with the session's id."""
_CUT = re.compile(rb'\{"parentUuid":(?:null|"[0-9a-f-]{36}"),"isSidechain":(?:true|false),')
"""How a row begins, to know one that is longer than the head."""
_MOST = 200
"""Lines looked at."""


def kind_of(head: bytes) -> Kind | None:
    """What a log that begins like this is; none when it is not Claude Code's."""
    for line in head.split(b"\n")[:_MOST]:
        record = _object(line)
        if record is not None and (kind := _kind(record)) is not None:
            return kind
    return "transcript" if b"\n" not in head and _CUT.match(head) else None


def session_in(head: bytes) -> str:
    """The first session id that the head names."""
    for line in head.split(b"\n")[:_MOST]:
        record = _object(line)
        for name in ("sessionId", "session_id"):
            if record is not None and isinstance(record.get(name), str) and record[name]:
                return str(record[name])
    return ""


def is_sidechain(head: bytes) -> bool:
    """Whether the head's first row is a sub-agent's."""
    records = (_object(line) for line in head.split(b"\n")[:_MOST])
    rows = (record for record in records if record is not None and record.get("type") in _ROWS)
    return next((record.get("isSidechain") is True and "agentId" in record for record in rows), False)


def _object(line: bytes) -> dict[str, Any] | None:
    if not line.lstrip(b" \t\xef\xbb\xbf").startswith(b"{"):
        return None
    try:
        value = loads(line)
    except NotARecordError:
        return None
    return value if isinstance(value, dict) else None


def _kind(record: dict[str, Any]) -> Kind | None:
    """What one record shows; other agents write streams and logs that look alike."""
    kind = record.get("type")
    if "isSidechain" in record and "sessionId" in record and kind in _ROWS:
        return "transcript"
    if "sessionId" in record and kind in _MARKS:
        return "transcript"
    if kind == "summary" and "leafUuid" in record:
        return "transcript"
    if kind == "file-history-snapshot" and "snapshot" in record:
        return "transcript"
    if kind == "system" and record.get("subtype") == "init":
        return "stream" if _is_init(record) else None
    if kind == "assistant" and "parent_tool_use_id" in record and "session_id" in record:
        message = record.get("message")
        model = message.get("model") if isinstance(message, dict) else None
        return "stream" if isinstance(model, str) and model.startswith("claude") else None
    return None


def _is_init(record: dict[str, Any]) -> bool:
    """Versions before 2 name no version of their own; the names of their tools and of their keys show them."""
    if "claude_code_version" in record:
        return True
    tools = record.get("tools")
    return "apiKeySource" in record and "mcp_servers" in record and isinstance(tools, list) and "Bash" in tools
