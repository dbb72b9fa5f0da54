"""The kinds of records, and the fields in them, that the decoders rest on and one scenario must show.

In the names of drift.py: a kind in brackets, the way to what lies in it, and then the fields that must stand there.
"""

from __future__ import annotations

from collections.abc import Mapping

Known = Mapping[str, str]
"""Kinds by their way from the record inwards, each with the fields that must stand in it, parted by spaces."""

_CLAUDE_CALLS = {
    "[assistant].message[message]": "id model stop_reason usage.input_tokens usage.output_tokens "
    "usage.cache_read_input_tokens usage.cache_creation_input_tokens",
    "[assistant].message[message].content[thinking]": "thinking",
    "[assistant].message[message].content[text]": "text",
    "[assistant].message[message].content[tool_use]": "id name input.command input.file_path input.old_string "
    "input.new_string",
    "[user].message[user].content[tool_result]": "tool_use_id content is_error",
}
_CLAUDE_STREAM = {
    **_CLAUDE_CALLS,
    "[system/init]": "session_id model cwd claude_code_version",
    "[assistant]": "timestamp",
    "[user]": "timestamp tool_use_result.structuredPatch.lines",
    "[stream_event].event[message_start].message[message]": "id usage.input_tokens",
    "[stream_event].event[content_block_start].content_block[tool_use]": "id name",
    "[stream_event].event[content_block_delta].delta[thinking_delta]": "thinking",
    "[stream_event].event[content_block_delta].delta[text_delta]": "text",
    "[stream_event].event[message_delta]": "delta.stop_reason usage.output_tokens",
    "[result/success]": "terminal_reason total_cost_usd modelUsage.*.contextWindow modelUsage.*.inputTokens "
    "modelUsage.*.outputTokens",
}
_CLAUDE_TRANSCRIPT = {
    **_CLAUDE_CALLS,
    "[assistant]": "timestamp sessionId cwd version parentUuid uuid",
    "[user]": "timestamp sessionId cwd version toolUseResult.structuredPatch.lines",
}
_CODEX_ROLLOUT = {
    "[session_meta]": "timestamp payload.id payload.cwd payload.cli_version",
    "[turn_context]": "timestamp payload.model payload.cwd",
    "[token_usage_record]": "timestamp",
    "[event_msg].payload[task_complete]": "last_agent_message",
    "[event_msg].payload[token_count]": "info.model_context_window info.last_token_usage.total_tokens "
    "info.total_token_usage.input_tokens info.total_token_usage.output_tokens",
    "[event_msg].payload[item_completed].item[UserMessage].content[text]": "text",
    "[event_msg].payload[item_completed].item[CommandExecution]": "id",
    "[event_msg].payload[item_completed].item[FileChange]": "id status",
    "[event_msg].payload[item_completed].item[FileChange].changes.*[update]": "unified_diff",
    "[response_item].payload[message].content[output_text]": "text",
    "[response_item].payload[reasoning].summary[summary_text]": "text",
    "[response_item].payload[function_call]": "call_id name arguments",
    "[response_item].payload[function_call_output]": "call_id output",
    "[response_item].payload[custom_tool_call]": "call_id name input",
    "[response_item].payload[custom_tool_call_output]": "call_id output",
}
_CODEX_WIRE = {
    "msg[thread/tokenUsage/updated]": "",
    "msg[item/started].params.item[agentMessage]": "id",
    "msg[item/started].params.item[reasoning]": "id",
    "msg[item/agentMessage/delta]": "params.itemId params.delta",
    "msg[item/reasoning/summaryTextDelta]": "params.itemId params.delta",
    "msg[item/completed].params.item[userMessage].content[text]": "text",
    "msg[item/completed].params.item[agentMessage]": "id text",
    "msg[item/completed].params.item[reasoning]": "id summary",
}


def _opencode(part: str, message: str) -> Known:
    """What OpenCode's server and its database tell of messages and their parts, each under names of its own."""
    return {
        f"{message}[assistant]": "id time.completed",
        f"{part}[reasoning]": "messageID text",
        f"{part}[text]": "messageID text",
        f"{part}[step-finish]": "id cost tokens.input tokens.output",
        f"{part}[tool]": "id messageID tool",
        f"{part}[tool].state[running]": "input.command input.filePath input.oldString input.newString",
        f"{part}[tool].state[completed]": "output input.command input.filePath input.oldString "
        "input.newString metadata.exit metadata.filediff.file metadata.filediff.additions metadata.filediff.deletions",
        f"{part}[tool].state[error]": "error input.filePath input.oldString input.newString",
    }


_OPENCODE_SERVER = {
    **_opencode("[message.part.updated].properties.part", "[message.updated].properties.info"),
    "[session.updated]": "properties.info.id properties.info.directory properties.info.version",
    "[message.part.delta]": "properties.sessionID properties.messageID properties.partID properties.delta",
    "[session.status]": "properties.sessionID",
    "[session.status].properties.status[idle]": "",
}
_OPENCODE_DATABASE = {
    **_opencode("[message.part.updated.1].data.part", "[message.updated.1].data.info"),
    "[session.created.1]": "aggregate_id data.info.id data.info.directory data.info.version data.info.time.created",
    "[message.updated.1]": "aggregate_id seq",
    "[message.part.updated.1]": "aggregate_id seq",
}
_DIRTYWORK_LIVE = {
    "[run_start]": "ts dirtywork_version model task worktree resumed_from",
    "[assistant]": "ts text finish_reason tool_calls.name tool_calls.arguments",
    "[tool_result]": "ts tool result",
    "[run_end]": "ts status changed files_changed usage.prompt_tokens usage.completion_tokens",
}
_DIRTYWORK_FOLDER = {**_DIRTYWORK_LIVE, "live_changes.json": "state captured_at patch"}
"""The preview of its changes is written now and then: a short run may be over before it is read."""
_LCODE_STREAM = {
    "[start]": "session_id model cwd lcode",
    "[assistant]": "text tool_calls.id tool_calls.name "
    "tool_calls.arguments.command tool_calls.arguments.path "
    "tool_calls.arguments.old_string tool_calls.arguments.new_string",
    "[tool_result]": "id output",
    "[result]": "status usage.prompt_tokens usage.output_tokens",
    "[result].files_changed[M]": "path",
}
_LCODE_SESSION = {
    "session": "model cwd mode checkpoints.after",
    "session.checkpoints.changes[M]": "path",
    "session.messages[user]": "content",
    "session.messages[assistant]": "content thinking tool_calls.id tool_calls.function.name "
    "tool_calls.function.arguments.command tool_calls.function.arguments.path "
    "tool_calls.function.arguments.old_string tool_calls.function.arguments.new_string",
    "session.messages[tool]": "content",
}
KNOWN: Mapping[str, tuple[Known, Known]] = {
    "Claude Code": (_CLAUDE_STREAM, _CLAUDE_TRANSCRIPT),
    "Codex": ({**_CODEX_WIRE, **_CODEX_ROLLOUT}, _CODEX_ROLLOUT),
    "OpenCode": (_OPENCODE_SERVER, _OPENCODE_DATABASE),
    "dirtywork": (_DIRTYWORK_LIVE, _DIRTYWORK_FOLDER),
    "lcode": (_LCODE_STREAM, _LCODE_SESSION),
}
"""Of each agent what its live source must show, and what its files."""
