"""The records of a conversation: what was said, called, returned and told."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from monitor.agents.claude.beside import settled
from monitor.agents.claude.calls import Call
from monitor.agents.claude.memory import Memory
from monitor.agents.claude.notices import attached, noted
from monitor.agents.claude.parse import read
from monitor.agents.claude.prompts import told
from monitor.agents.claude.results import Done, reported, returned
from monitor.agents.claude.shape import NOTHING, Aside, Block, Row
from monitor.agents.claude.speech import spoken
from monitor.agents.claude.stream import unseen
from monitor.agents.claude.where import Where, item
from monitor.events import Event, Outcome, ToolReturned
from monitor.text import clean

TYPES = ("user", "assistant", "attachment", "system")
_STATUS: Mapping[Outcome, str] = {"ok": "completed", "cancelled": "stopped"}
"""How a sub-agent ended, by what became of the call that waited for it; all others failed."""


def conversed(row: Row, data: bytes, where: Where, memory: Memory) -> list[Event]:
    """The events of one record."""
    match row.type:
        case "assistant":
            memory.notified = memory.notified and bool(where["actor"])
            memory.stops = memory.stops or row.live or _ends(row)
            prompt = unseen(where, memory) if row.live else []
            return [*prompt, *spoken(row, where, memory), *settled(where, memory)]
        case "user":
            return _user(row, where, memory)
        case "attachment" if row.attachment is not None:
            return attached(row.attachment, where, memory)
        case "system":
            return noted(row, read(Aside, data), where, memory)
        case _:
            return []


def _ends(row: Row) -> bool:
    """Whether a message says that it ends its turn; older transcripts name no stop but `tool_use`."""
    return row.message is not None and row.message.stop_reason not in (None, "", "tool_use")


def _user(row: Row, where: Where, memory: Memory) -> list[Event]:
    """Tool results and, beside or without them, what the agent is told."""
    content = row.message.content if row.message else None
    blocks = content if isinstance(content, list) else []
    results = sum(block.type == "tool_result" for block in blocks)
    memory.replays = memory.replays or bool(row.replay)
    if not results:
        text = clean(content if isinstance(content, str) else "\n".join(map(_text, blocks)))
        return told(row, text, where, memory) if text.strip() else []
    events = memory.replies.close(where["actor"])
    report = row if results == 1 else replace(row, result=NOTHING, stream_result=NOTHING)
    for index, block in enumerate(blocks):
        if block.type == "tool_result":
            events += _result(block, report, item(where, index), memory)
        elif text := clean(_text(block)).strip():
            events += told(row, text, item(where, index), memory)
    return events


def _result(block: Block, row: Row, where: Where, memory: Memory) -> list[Event]:
    """A call's result; of a sub-agent that was waited for, its end as well."""
    name = clean(block.tool_use_id)
    call = memory.calls.get(name)
    done = reported(row, call)
    result = returned(block, row, call, done, where)
    agent = clean(done.agent or "")
    if not agent:
        return [result, *_over(result, call, done, where, memory)]
    task = clean(done.description or "")
    events = [*memory.children.started(agent, where, parent=where["actor"], call=name, task=task), result]
    if done.status == "completed":
        events += memory.replies.close(agent, final=True) + memory.children.end(agent, "completed", "", where)
    return events


def _over(result: ToolReturned, call: Call | None, done: Done, where: Where, memory: Memory) -> list[Event]:
    """The end of a sub-agent that was waited for and of which its call tells no more: it failed, or the version is old."""
    if call is None or call.tool not in ("Agent", "Task") or done.status is not None or result.background:
        return []
    actor, status = memory.children.named(result.call), _STATUS.get(result.outcome, "failed")
    ended = memory.children.end(actor, status, "", where)
    return memory.replies.close(actor, final=result.outcome == "ok") + ended if ended else []


def _text(block: Block) -> str:
    return block.text if block.type == "text" else f"[{block.type or 'something'}]"
