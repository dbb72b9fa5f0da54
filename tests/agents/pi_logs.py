"""Small sessions and streams of pi, written anew."""

from __future__ import annotations

import json

from monitor.agents.pi.decode import PiDecoder
from monitor.streams.record import Input, Record

NOT_FOUND = (
    "Could not find the exact text in ./a.py. The old text must match exactly including all whitespace and newlines."
)
EDITED = "Successfully replaced 1 block(s) in ./a.py."


def stamp(number) -> str:
    return f"2026-01-01T00:00:{number:02d}.000Z"


def header(number=0, **more) -> dict:
    return {"type": "session", "version": 3, "id": "01a2-b3", "timestamp": stamp(number), "cwd": "/p"} | more


def user(text) -> dict:
    return {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1_767_225_600_000}


def reply(*blocks, stop="toolUse", **more) -> dict:
    usage = {"input": 9, "output": 2, "cacheRead": 4, "cacheWrite": 0, "cost": {"total": 0.5}}
    about = {"model": "m", "usage": usage, "stopReason": stop, "timestamp": 1_767_225_600_000, "durationMs": 500}
    return {"role": "assistant", "content": list(blocks)} | about | more


def said(text) -> dict:
    return {"type": "text", "text": text}


def thought(text) -> dict:
    return {"type": "thinking", "thinking": text}


def call(name, number="c1", **arguments) -> dict:
    return {"type": "toolCall", "id": number, "name": name, "arguments": arguments}


def edit(number="c1", path="./a.py") -> dict:
    return call("edit", number, path=path, edits=[{"oldText": "x", "newText": "y"}])


def result(text, name="edit", number="c1", *, error=False, **more) -> dict:
    about = {"toolCallId": number, "toolName": name, "content": [{"type": "text", "text": text}], "isError": error}
    return {"role": "toolResult"} | about | more


def session(*messages, **head) -> list[bytes]:
    """The lines of a session's file, each entry following the one before."""
    lines = [header(**head)]
    for number, message in enumerate(messages, 1):
        entry = message if "type" in message else {"type": "message", "message": message}
        about = {"id": f"e{number}", "parentId": f"e{number - 1}" if number > 1 else None, "timestamp": stamp(number)}
        lines.append(about | entry)
    return [json.dumps(line).encode() for line in lines]


def stream(*events) -> list[bytes]:
    return [json.dumps(event).encode() for event in events]


def update(kind, **fields) -> dict:
    return {"type": "message_update", "assistantMessageEvent": {"type": kind, "contentIndex": 0} | fields}


def decoded(lines, decoder=None) -> list:
    decoder, source = decoder or PiDecoder(), Input(0, "s.jsonl", "session")
    return [
        event
        for number, line in enumerate(lines, 1)
        for event in decoder.feed(Record(source, number, 0, len(line) + 1, line, 5.0))
    ]


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]
