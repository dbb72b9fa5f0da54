"""The turns of a thread: what the user says, and how Codex ends a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from monitor.agents.fields import Object, raw, text
from monitor.events import Event, Noticed, Prompted, RequestEnded

NoticeKind = Literal["retry", "compaction", "guard", "status", "other"]

_QUIET = frozenset(
    {
        "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
        "agent_message_delta", "agent_reasoning_delta", "exec_command_begin", "exec_command_end",
        "exec_command_output_delta", "patch_apply_begin", "patch_apply_end", "patch_apply_updated", "turn_diff",
        "thread_settings_applied", "thread_name_updated", "session_configured", "mcp_tool_call_begin",
        "mcp_tool_call_end", "web_search_begin", "web_search_end", "view_image_tool_call", "plan_update",
        "item_started", "raw_response_item", "terminal_interaction", "background_event", "hook_started",
        "hook_completed", "undo_started", "undo_completed", "shutdown_complete", "entered_review_mode",
        "exited_review_mode", "thread_goal_updated", "sub_agent_activity",
    }
)  # fmt: skip
"""Told by other records too, or of no weight."""
_NOTICES: Mapping[str, NoticeKind] = {
    "stream_error": "retry", "warning": "other", "guardian_warning": "guard", "model_reroute": "status",
    "deprecation_notice": "other", "context_compacted": "compaction", "thread_rolled_back": "status",
    "model_verification": "status",
}  # fmt: skip
_LIMITS = ("budget_limited",)
"""Reasons of an end that are no interruption."""
_PROMPTS = 20
"""Prompts of a turn that are remembered."""


class Turns:
    """What is known of the turn that runs."""

    def __init__(self) -> None:
        self._prompts: tuple[str, ...] = ()
        """What was said in this turn; the first begins it."""
        self._failed = False
        """An error has ended it."""

    def prompted(self, words: str) -> Sequence[Event]:
        """The user said something: at the beginning of a turn, or into it. Told twice, it counts once."""
        if words in self._prompts:
            return ()
        said, self._prompts = self._prompts, (*self._prompts, words)[-_PROMPTS:]
        return (Prompted(text=words, into="running" if said else "new"),)

    def feed(self, kind: str, payload: Object) -> Sequence[Event] | None:
        """The events of a message about the turn; none where its kind is not known."""
        match kind:
            case "task_started" | "turn_started":
                self._prompts, self._failed = (), False
                return ()
            case "user_message":
                return self.prompted(text(payload, "message"))
            case "error":
                self._failed = True
                return (RequestEnded(how="error", text=text(payload, "message")),)
        if (notice := _NOTICES.get(kind)) is not None:
            return (Noticed(kind=notice, name=kind, text=text(payload, "message")),)
        return () if kind in _QUIET else None

    def ended(self, kind: str, payload: Object) -> Sequence[Event]:
        """The turn is over: with an answer, with an error, or because it was aborted."""
        words, said, failed = text(payload, "last_agent_message"), bool(self._prompts), self._failed
        self._prompts, self._failed = (), False
        if kind == "turn_aborted":
            limited = raw(payload, "reason") in _LIMITS
            return (RequestEnded(how="limit" if limited else "interrupted", text=text(payload, "reason")),)
        if words:
            return (RequestEnded(how="answered", text=words),)
        return (RequestEnded(how="error"),) if said and not failed else ()

    def copy(self) -> Turns:
        """Another that goes on from here."""
        other = Turns()
        other._prompts, other._failed = self._prompts, self._failed
        return other
