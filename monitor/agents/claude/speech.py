"""What the model says: whole messages, and the pieces of a stream."""

from __future__ import annotations

import re
from typing import Literal

from monitor.agents.claude.calls import asked, begun, called
from monitor.agents.claude.memory import Memory
from monitor.agents.claude.parse import opens
from monitor.agents.claude.replies import STOPS, Reply
from monitor.agents.claude.results import Done, returned
from monitor.agents.claude.shape import Block, Row, Streamed, Usage
from monitor.agents.claude.where import REQUEST, WAITING, Where, item
from monitor.events import Event, ReplyEnded, Said, Thought, Tokens, Used, Waiting
from monitor.text import clean

SYNTHETIC = "<synthetic>"
_FILLERS = ("No response requested.", "(no content)")
_LIMIT = re.compile(
    r"usage limit|limit reached|hit your .{0,40}limit|reached your .{0,40}limit|out of (?:extra )?usage"
    r"|Credit balance is too low",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"/login|Invalid API key|Not logged in|OAuth (?:token|authentication)|authentication_", re.IGNORECASE
)
_MOST = 1 << 53


def spoken(row: Row, where: Where, memory: Memory) -> list[Event]:
    """The events of an `assistant` record."""
    message = row.message
    if message is None:
        return []
    if message.model == SYNTHETIC or row.api_error or row.stream_api_error:
        return _synthetic(row, where, memory)
    name = clean(message.id or row.uuid or "")
    reply, events = memory.replies.opened(name, where)
    blocks = message.content if isinstance(message.content, list) else [Block(type="text", text=message.content or "")]
    part = _part(row, reply)
    for index, block in enumerate(blocks):
        events += _block(block, reply, item(where, index), memory, part=part + index, row=row)
    reply.parts = max(reply.parts, part + len(blocks))
    if message.usage is not None and (used := _used(message.usage, row, reply, where)) is not None:
        events.append(used)
    if message.stop_reason:
        reply.raw = clean(message.stop_reason)
        if STOPS.get(reply.raw) != "tools" and blocks and blocks[-1].type == "text":
            events += memory.replies.close(where["actor"])
    return events


def streamed(row: Row, event: Streamed, where: Where, memory: Memory) -> list[Event]:
    """The events of a `stream_event` record."""
    reply = memory.replies.of(where["actor"])
    match event.type:
        case "message_start" if event.message is not None:
            reply, events = memory.replies.opened(clean(event.message.id or ""), where)
            reply.index = -1
            if event.message.usage is not None:
                reply.tokens = _tokens(event.message.usage, output=0)
            return events
        case "content_block_start" if event.content_block is not None:
            if reply is not None:
                reply.index = event.index
            if event.content_block.type != "tool_use":
                return []
            return [begun(event.content_block, reply.message if reply else "", where)]
        case "content_block_delta" if event.delta is not None:
            return _piece(row, event, reply, where)
        case "message_delta" if reply is not None:
            return _message_ends(event, reply, where, memory)
        case "message_stop":
            return memory.replies.close(where["actor"])
        case _:
            return []


def is_limit(text: str) -> bool:
    """Whether the harness says that a usage limit was reached."""
    return _LIMIT.search(text[:400]) is not None


def _part(row: Row, reply: Reply) -> int:
    """The content block that a record holds or begins with; a transcript names it, a stream has just begun it."""
    if row.block_index is not None:
        return max(row.block_index, 0)
    return reply.index if reply.index is not None and reply.index >= 0 else reply.parts


def _block(block: Block, reply: Reply, where: Where, memory: Memory, *, part: int, row: Row) -> list[Event]:
    match block.type:
        case "thinking":
            text = clean(block.thinking)
            return [Thought(message=reply.message, part=part, text=text, **where)] if text else []
        case "text":
            return _text(clean(block.text), part, reply, where, memory)
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            return _call(block, reply, where, memory)
        case kind if block.tool_use_id and kind.endswith("tool_result"):
            return [returned(block, row, memory.calls.get(clean(block.tool_use_id)), Done(), where)]
        case "redacted_thinking" | "image":
            return []
        case kind:
            memory.unknown(f"content {clean(kind)[:60]}")
            return []


def _text(text: str, part: int, reply: Reply, where: Where, memory: Memory) -> list[Event]:
    if not text:
        return []
    filler = text in _FILLERS
    if text.strip() and not filler:
        reply.text, reply.answer, reply.answered = True, text, where
        if not where["actor"]:
            memory.replies.ended = memory.replies.ended and reply.told
    kind: Literal["", "filler"] = "filler" if filler else ""
    return [Said(message=reply.message, part=part, text=text, synthetic=kind, **where)]


def _call(block: Block, reply: Reply, where: Where, memory: Memory) -> list[Event]:
    event = called(block, reply.message, where)
    memory.calls.keep(event)
    reply.call, reply.told = True, False
    events: list[Event] = [event, *memory.children.placed(event.call, where["actor"], where)]
    if about := asked(block):
        on: Literal["approval", "user"] = "approval" if event.kind == "plan" else "user"
        events.append(Waiting(on=on, about=about, call=event.call, **item(where, WAITING)))
    if not where["actor"]:
        memory.replies.ended = False
    return events


def _piece(row: Row, event: Streamed, reply: Reply | None, where: Where) -> list[Event]:
    delta = event.delta
    assert delta is not None
    message = clean(row.api_message or "") or (reply.message if reply else "")
    if delta.type == "thinking_delta" and delta.thinking:
        return [Thought(message=message, part=event.index, text=clean(delta.thinking), delta=True, **where)]
    if delta.type == "text_delta" and delta.text:
        text = clean(delta.text)
        if reply is not None and text.strip():
            reply.text = True
        return [Said(message=message, part=event.index, text=text, delta=True, **where)]
    return []


def _message_ends(event: Streamed, reply: Reply, where: Where, memory: Memory) -> list[Event]:
    events: list[Event] = []
    if event.usage is not None:
        told = _tokens(event.usage, output=event.usage.output_tokens)
        base = reply.tokens
        tokens = Tokens(
            told.input or base.input,
            told.output,
            told.cache_read or base.cache_read,
            told.cache_write or base.cache_write,
            told.reasoning,
        )
        reply.tokens = tokens
        events.append(_uses(tokens, reply, where))
    if event.delta is not None and event.delta.stop_reason:
        reply.raw = clean(event.delta.stop_reason)
        events += memory.replies.close(where["actor"])
    return events


def _used(usage: Usage, row: Row, reply: Reply, where: Where) -> Used | None:
    """The message's tokens, once; a stream's whole messages hold a placeholder for the output."""
    tokens = _tokens(usage, output=0 if row.live else usage.output_tokens)
    if tokens == reply.tokens or (row.live and reply.index is not None):
        return None
    reply.tokens = tokens
    return _uses(tokens, reply, where)


def _uses(tokens: Tokens, reply: Reply, where: Where) -> Used:
    context = tokens.input + tokens.cache_read + tokens.cache_write
    return Used(
        scope="message", key=reply.message, tokens=tokens, context_used=context if not where["actor"] else None, **where
    )


def _tokens(usage: Usage, output: int) -> Tokens:
    details = usage.output_tokens_details
    thinking = (details.thinking_tokens if details else None) or 0
    read, write = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    counts = (usage.input_tokens, output, read, write, thinking)
    if min(counts) < 0 or max(counts) > _MOST:
        return Tokens()
    return Tokens(*counts)


def _synthetic(row: Row, where: Where, memory: Memory) -> list[Event]:
    """A message that the harness put into the model's mouth."""
    message = row.message
    assert message is not None
    content = message.content
    text = clean(
        content if isinstance(content, str) else "\n".join(one.text for one in content or () if one.type == "text")
    )
    name = clean(message.id or row.uuid or "")
    kind = _kind(row, text)
    events = memory.replies.close(where["actor"])
    events.append(Said(message=name, text=text, synthetic=kind, **where))
    if kind == "filler":
        return events
    events.append(ReplyEnded(message=name, stop="error", raw=clean(message.stop_reason or ""), **where))
    how: Literal["limit", "error"] = "limit" if kind == "limit" else "error"
    return events + memory.replies.settle(how, text, item(where, REQUEST))


def _kind(row: Row, text: str) -> Literal["api_error", "limit", "login", "filler"]:
    if text.strip() in ("", *_FILLERS):
        return "filler"
    code = bytes(row.error)[:60].decode("utf-8", "replace") if opens(row.error) == b'"' else ""
    if _LIMIT.search(text[:400]):
        return "limit"
    return "login" if _LOGIN.search(text[:400]) or _LOGIN.search(code) else "api_error"
