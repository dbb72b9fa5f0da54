"""What the harness itself notes: retries, compaction, hooks, and what it adds to a conversation."""

from __future__ import annotations

from typing import Literal

from msgspec import Raw

from monitor.agents.claude.memory import Memory
from monitor.agents.claude.notifications import notified
from monitor.agents.claude.parse import NotARecordError, loads, opens, text_of
from monitor.agents.claude.prompts import injected
from monitor.agents.claude.shape import Aside, Attachment, Compaction, Row
from monitor.agents.claude.where import REQUEST, Where, item
from monitor.events import Event, Noticed
from monitor.text import clean, shorten

_CONTEXT = {
    "environment", "model", "deferred_tools_delta", "deferred_tools_record", "agent_listing_delta", "skill_listing",
    "session_context", "date", "date_change", "remote_session_change", "prompt_snapshot", "instructions",
    "invoked_skills", "command_permissions", "total_tokens_reminder", "auto_mode", "plan_mode", "mcp_instructions_delta",
    "compact_file_reference", "file", "directory", "nested_memory", "read_truncation_notice", "structured_output",
    "hook_success", "hook_cancelled",
}  # fmt: skip
"""Attachments that say nothing of what happened: what the model knows, not what it was told to do."""
_NAGS = {"silent_turn_reminder", "task_reminder", "todo_reminder"}
_QUIET = {
    "status", "thinking_tokens", "hook_started", "hook_progress", "task_progress", "background_tasks_changed",
    "session_title_changed", "session_state_changed", "files_persisted", "bridge_status", "away_summary",
    "permission_denied",
}  # fmt: skip
"""System records that say nothing more than others do."""
_STOPS = ("Stop", "SubagentStop")
"""Hooks whose feedback is a message of its own."""
_LONGEST = 2_000


def attached(attachment: Attachment, where: Where, memory: Memory) -> list[Event]:
    """The events of an `attachment` record."""
    name = clean(attachment.type)[:60]
    match attachment.type:
        case "queued_command":
            return _queued(attachment, where, memory)
        case "hook_additional_context":
            return injected(_text(attachment.content), "hook", where, memory)
        case "hook_stopped_continuation":
            text = clean(attachment.message or "")
            notice = Noticed(kind="hook", name=_hook(attachment), text=text, **where)
            return [notice, *memory.replies.settle("limit", text or name, item(where, REQUEST))]
        case "hook_blocking_error" if attachment.blocking is not None and attachment.hook_event not in _STOPS:
            return injected(clean(attachment.blocking.why), "hook", where, memory)
        case "hook_blocking_error" | "hook_error_during_execution" | "hook_non_blocking_error" | "hook_system_message":
            blocked = attachment.blocking.why if attachment.blocking else ""
            text = _text(attachment.content) or clean(blocked or attachment.stderr or "")
            return [Noticed(kind="hook", name=_hook(attachment), text=text[:_LONGEST] or name, **where)]
        case "edited_text_file":
            return [Noticed(name="file changed outside", text=clean(attachment.filename or ""), **where)]
        case kind if kind in _NAGS:
            return injected(clean(attachment.text or "") or _text(attachment.content) or name, "harness", where, memory)
        case kind:
            if kind not in _CONTEXT:
                memory.unknown(f"attachment {name}")
            return []


def noted(row: Row, aside: Aside, where: Where, memory: Memory) -> list[Event]:
    """The events of a `system` record that begins and ends nothing."""
    match row.subtype:
        case "api_retry" | "api_error":
            return [Noticed(kind="retry", name=row.subtype, text=_retry(row, aside), **where)]
        case "compact_boundary":
            told = aside.compaction or aside.stream_compaction or Compaction()
            return [Noticed(kind="compaction", name=clean(told.trigger or ""), text=_compaction(told), **where)]
        case "microcompact_boundary":
            return [Noticed(kind="compaction", name="microcompact", text=_text(aside.content)[:_LONGEST], **where)]
        case "turn_duration":
            return memory.replies.close(where["actor"], final=True)
        case "stop_hook_summary":
            events = memory.replies.close(where["actor"], final=True)
            if aside.prevented:
                events.append(Noticed(kind="hook", name="Stop", text=clean(aside.stop_reason or ""), **where))
            return events
        case "hook_response":
            text = clean(aside.output or "").strip()
            failed = aside.outcome not in (None, "success")
            if not text and not failed:
                return []
            name = clean(aside.hook_name or "") + (" failed" if failed else "")
            return [Noticed(kind="hook", name=name, text=text[:_LONGEST], **where)]
        case "informational" | "notification" | "local_command" | "local_command_output":
            text = clean(aside.text or "") or _text(aside.content)
            return [Noticed(kind="status", name=row.subtype, text=text[:_LONGEST], **where)]
        case kind if kind in _QUIET:
            return []
        case kind:
            memory.unknown(f"system {clean(kind or '')[:60]}")
            return []


def limited(aside: Aside, where: Where) -> list[Event]:
    """The events of a `rate_limit_event`: nothing while there is room."""
    if aside.limit is None or aside.limit.status in (None, "allowed"):
        return []
    return [
        Noticed(kind="rate_limit", name=clean(aside.limit.kind or ""), text=clean(aside.limit.status or ""), **where)
    ]


def _queued(attachment: Attachment, where: Where, memory: Memory) -> list[Event]:
    text = _text(attachment.prompt)
    kind = attachment.origin.kind if attachment.origin else None
    if text.startswith("<task-notification>"):
        return notified(text, where, memory) + injected(text, "harness", where, memory)
    by: Literal["user", "harness"] = "user" if kind in (None, "human") else "harness"
    return injected(text, by, where, memory)


def _hook(attachment: Attachment) -> str:
    return clean(attachment.hook_name or attachment.hook_event or "")


def _text(content: Raw) -> str:
    """The text of a field that may be a string, or a list of strings or of blocks."""
    if opens(content) != b"[":
        return clean(text_of(content))
    try:
        told = loads(content)
    except NotARecordError:
        return ""
    texts = (one.get("text", "") if isinstance(one, dict) else one for one in told)
    return clean("\n".join(text for text in texts if isinstance(text, str)))


def _retry(row: Row, aside: Aside) -> str:
    attempt = aside.attempt if aside.attempt is not None else aside.retry_attempt
    most = aside.max_retries if aside.max_retries is not None else aside.most_retries
    why = shorten(_text(row.error), 200)
    told = f"attempt {attempt} of {most}" if attempt is not None and most is not None else "another attempt"
    return ": ".join(filter(None, (told, f"HTTP {aside.error_status}" if aside.error_status else "", why)))


def _compaction(told: Compaction) -> str:
    before = told.before if told.before is not None else told.stream_before
    after = told.after if told.after is not None else told.stream_after
    if before is None:
        return "the conversation was compacted"
    return f"from {before:,} tokens" + (f" to {after:,}" if after is not None else "")
