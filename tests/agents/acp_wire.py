"""Small wires of the Agent Client Protocol, as a client may log them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from monitor.agents.acp.decode import AcpDecoder
from monitor.agents.acp.started import About
from monitor.events import Event
from monitor.streams.record import Input, Record

SOURCE = Input(0, "wire.jsonl", "wire")
SESSION = "s1"
EPOCH = 1_796_025_056.5


def sent(method: str, params: dict[str, Any] | None = None, number: Any = None) -> dict[str, Any]:
    """A request, or without a number a notification."""
    told = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return told if number is None else {**told, "id": number}


def answer(number: Any, result: Any = None, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, **({"result": result} if "error" not in fields else {}), **fields}


def opened(agent: str = "lcode", session: str = SESSION) -> list[dict[str, Any]]:
    """The beginning of a wire, with a session in a folder."""
    about = {"protocolVersion": 1, "agentCapabilities": {}, "agentInfo": {"name": agent, "version": "1.0"}}
    return [
        sent("initialize", {"protocolVersion": 1}, 1),
        answer(1, about),
        sent("session/new", {"cwd": "/p", "mcpServers": []}, 2),
        answer(2, {"sessionId": session, "models": {"currentModelId": "m"}}),
    ]


def prompt(text: str = "Mend it", number: int = 3, session: str = SESSION) -> dict[str, Any]:
    return sent("session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]}, number)


def stopped(reason: str = "end_turn", number: int = 3, **fields: Any) -> dict[str, Any]:
    return answer(number, {"stopReason": reason, **fields})


def update(name: str, /, session: str = SESSION, **fields: Any) -> dict[str, Any]:
    return sent("session/update", {"sessionId": session, "update": {"sessionUpdate": name, **fields}})


def chunk(text: str, kind: str = "agent_message_chunk", **fields: Any) -> dict[str, Any]:
    return update(kind, content={"type": "text", "text": text}, **fields)


def thought(text: str, **fields: Any) -> dict[str, Any]:
    return chunk(text, "agent_thought_chunk", **fields)


def call(name: str = "c1", kind: str = "edit", status: str = "pending", **fields: Any) -> dict[str, Any]:
    return update("tool_call", toolCallId=name, kind=kind, status=status, **fields)


def news(name: str = "c1", status: str = "completed", text: str = "", **fields: Any) -> dict[str, Any]:
    blocks = [{"type": "content", "content": {"type": "text", "text": text}}] if text else []
    more = {"content": [*blocks, *fields.pop("content", [])]} if blocks or "content" in fields else {}
    return update("tool_call_update", toolCallId=name, status=status, **more, **fields)


def asked(name: str = "c1", number: int = 1, **fields: Any) -> dict[str, Any]:
    options = [
        {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
        {"optionId": "no", "name": "Reject", "kind": "reject_once"},
    ]
    told = {"sessionId": SESSION, "toolCall": {"toolCallId": name, **fields}, "options": options}
    return sent("session/request_permission", told, number)


def chosen(option: str | None, number: int = 1) -> dict[str, Any]:
    outcome = {"outcome": "cancelled"} if option is None else {"outcome": "selected", "optionId": option}
    return answer(number, {"outcome": outcome})


def logged(message: dict[str, Any], side: str, at: float = EPOCH) -> dict[str, Any]:
    return {"t": at, "dir": side, "msg": message}


def records(messages: Iterable[Any]) -> list[Record]:
    made, offset = [], 0
    for number, message in enumerate(messages, 1):
        data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
        made.append(Record(SOURCE, number, offset, len(data) + 1, data, seen=7.0))
        offset += len(data) + 1
    return made


def decode(*messages: Any, agent: str = "") -> list[Event]:
    decoder = AcpDecoder(About(agent))
    return [event for record in records(messages) for event in decoder.feed(record)]


def of(events: Iterable[Event], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]
