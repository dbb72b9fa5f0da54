"""The events that pi streams: pieces of replies, and tools as they begin and end."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.agents.fields import Object, part, raw, text, truth, whole
from monitor.agents.pi.calls import called
from monitor.agents.pi.messages import Item, Talk
from monitor.events import Event, Noticed, Said, Thought, ToolCalled

SILENT = frozenset((
    "session_start", "session_shutdown", "agent_start", "turn_start", "turn_end", "tool_execution_update", "queue_update",
    "auto_retry_end", "entry_appended", "response", "extension_ui_request", "extension_ui_response", "extension_error",
    "prompt", "steer", "follow_up", "get_state", "get_entries", "get_tree", "get_session_stats", "get_fork_messages",
    "get_messages", "get_commands", "set_model", "cycle_model", "set_thinking_level", "fork", "clear_queue", "bash",
    "compact", "new_session", "switch_session", "export_html", "set_auto_retry", "set_auto_compaction", "abort_retry",
))  # fmt: skip
"""Events, and the messages of the client beside them, that tell nothing of their own."""
TYPES = frozenset((
    "message_start", "message_update", "message_end", "tool_execution_start", "tool_execution_end", "agent_end",
    "agent_settled", "auto_retry_start", "compaction_start", "compaction_end", "auto_compaction_start",
    "auto_compaction_end", "abort",
))  # fmt: skip


class Stream:
    """The reply that is being streamed."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._message = ""

    def copy(self, talk: Talk) -> Stream:
        """Another that goes on from here."""
        other = Stream(talk)
        other._message = self._message
        return other

    def feed(self, kind: str, found: Object, line: int) -> Iterator[Item]:
        """What an event tells, each with its item."""
        match kind:
            case "message_start" if raw(part(found, "message"), "role") == "assistant":
                self._message = f"s{line}"
            case "message_update":
                yield from self._piece(part(found, "assistantMessageEvent"))
            case "message_end":
                told = part(found, "message")
                message = self._message or f"s{line}"
                yield from self.talk.told(told, message, stream=True)
            case "tool_execution_start":
                yield from self._began(found, line)
            case "tool_execution_end":
                yield from self.talk.returned(found)
            case "agent_end" if truth(found, "willRetry") is not True:
                yield from self.talk.ended()
            case "auto_retry_start":
                yield 0, Noticed(kind="retry", name=kind, text=text(found, "errorMessage"))
            case "compaction_start" | "auto_compaction_start":
                yield 0, Noticed(kind="compaction", name=kind, text=text(found, "reason"))
            case "abort":
                yield 0, Noticed(kind="status", name="abort", text="the client asked the agent to stop")
            case _:
                pass

    def _piece(self, found: Object) -> Iterator[Item]:
        """A piece of the reply; a call is named as soon as the model begins to write it."""
        number = whole(found, "contentIndex") or 0
        number = number if 0 <= number < 900 else 899
        words = text(found, "delta")
        event: Event | None = None
        match raw(found, "type"):
            case "thinking_delta" if words:
                event = Thought(message=self._message, part=number, text=words, delta=True)
            case "text_delta" if words:
                event = Said(message=self._message, part=number, text=words, delta=True)
            case "toolcall_start" if raw(found, "id"):
                call = called(raw(found, "toolName"), {}, raw(found, "id"), self._message)
                event = ToolCalled(call=call.call, message=call.message, tool=call.tool, kind=call.kind, partial=True)
            case _:
                pass
        if event is not None:
            yield number, event

    def _began(self, found: Object, line: int) -> Iterator[Item]:
        """A call that no message told: a client may pass on the tools alone."""
        name = raw(found, "toolCallId")
        if not self.talk.calls.told(name):
            call = called(raw(found, "toolName"), found.get("args"), name, self._message or f"s{line}")
            self.talk.calls.keep(call)
            yield 0, call
