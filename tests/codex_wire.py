"""Messages of Codex's app-server, as version 0.171 sends them."""

from __future__ import annotations

import json
from typing import Any

from monitor.agents.codex.decode import BESIDE, WIRE, CodexDecoder
from monitor.events import Event
from monitor.streams.record import Input, Record

THREAD = "01a22b69-8c94-7ba1-829a-385fe1b08809"
ALONE = Input(0, "wire.jsonl", WIRE)
KEPT = Input(0, "output", BESIDE)


def told(method: str, **params: Any) -> dict[str, Any]:
    """What the server says."""
    return noted(
        "agent->client", {"method": method, "params": {"threadId": THREAD, **params}, "emittedAtMs": 1796024714500}
    )


def noted(direction: str, message: dict[str, Any]) -> dict[str, Any]:
    """A message as the keeper notes it."""
    return {"t": 1796024714.6, "dir": direction, "msg": message}


def started(**more: Any) -> dict[str, Any]:
    thread = {"id": THREAD, "cwd": "/home/dev/app", "cliVersion": "0.171.0", "model": "gpt-5.5", **more}
    return noted("agent->client", {"method": "thread/started", "params": {"thread": thread}})


def turn(method: str, status: str = "inProgress", **more: Any) -> dict[str, Any]:
    return told(method, turn={"id": "t1", "status": status, "error": None, **more})


def item(kind: str, ident: str, *, done: bool = False, **fields: Any) -> dict[str, Any]:
    method = "item/completed" if done else "item/started"
    return told(method, turnId="t1", item={"type": kind, "id": ident, **fields})


def user(text: str, client: str | None = None, ident: str = "u1") -> dict[str, Any]:
    return item("userMessage", ident, done=True, clientId=client, content=[{"type": "text", "text": text}])


def said(text: str, ident: str = "m1") -> list[dict[str, Any]]:
    return [
        item("agentMessage", ident, text=""),
        told("item/agentMessage/delta", itemId=ident, delta=text),
        item("agentMessage", ident, done=True, text=text),
    ]


def usage() -> dict[str, Any]:
    tokens = {
        "totalTokens": 12,
        "inputTokens": 10,
        "cachedInputTokens": 4,
        "outputTokens": 2,
        "reasoningOutputTokens": 1,
    }
    return told("thread/tokenUsage/updated", tokenUsage={"total": tokens, "last": tokens, "modelContextWindow": 1000})


def decode(*rows: Any, source: Input = ALONE, decoder: CodexDecoder | None = None) -> list[Event]:
    """The events of these lines."""
    decoder = decoder or CodexDecoder()
    events: list[Event] = []
    for number, one in enumerate(rows, start=1):
        data = one if isinstance(one, bytes) else json.dumps(one).encode()
        events += decoder.feed(Record(source, number, 0, len(data), data))
    return events
