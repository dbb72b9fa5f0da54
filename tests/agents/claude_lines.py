"""Makes lines as Claude Code writes them, and feeds them to a decoder."""

from __future__ import annotations

import json
from itertools import count

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.streams.record import Input, Record

SESSION = "3f0c1a52-8f7e-4a44-9a55-0d6b1f6f0a01"
OTHER = "77777777-1111-4111-8111-111111111111"
_NUMBERS = count(1)


def row(kind, *, at="2026-11-30T07:36:22.000Z", agent="", **more):
    """A row of a transcript."""
    made = {"type": kind, "isSidechain": bool(agent), "uuid": f"{next(_NUMBERS):08x}-0000-4000-8000-000000000000"}
    made |= {"sessionId": SESSION, "timestamp": at, "cwd": "/home/dev/app", "version": "2.1.332"}
    return made | ({"agentId": agent} if agent else {}) | more


def prompt(text, **more):
    """What a user says."""
    return row("user", message={"role": "user", "content": text}, **more)


def assistant(*blocks, mid="m1", stop=None, usage=None, model="claude-opus-5-5", **more):
    """A part of a model message."""
    message = {"id": mid, "role": "assistant", "model": model, "content": list(blocks), "stop_reason": stop}
    message["usage"] = usage or {"input_tokens": 5, "output_tokens": 7}
    return row("assistant", message=message, **more)


def text(said):
    """A text block."""
    return {"type": "text", "text": said}


def thinking(thought):
    """A thinking block."""
    return {"type": "thinking", "thinking": thought, "signature": "c2ln"}


def use(call, name, **arguments):
    """A call block."""
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def result(call, content, *, error=None, report=None, **more):
    """A tool's result, with what the tool reports beside it."""
    block = {"type": "tool_result", "tool_use_id": call, "content": content}
    if error is not None:
        block["is_error"] = error
    more |= {} if report is None else {"toolUseResult": report}
    return row("user", message={"role": "user", "content": [block]}, **more)


def line(kind, **more):
    """A line of a stream."""
    made = {"type": kind, "session_id": SESSION, "parent_tool_use_id": None}
    return made | {"uuid": f"{next(_NUMBERS):08x}-0000-4000-8000-000000000000"} | more


def streamed(row_, *, parent=None, agent=None):
    """A transcript's row as the stream tells it."""
    kept = {name: row_[name] for name in ("message", "uuid", "timestamp") if name in row_}
    if "toolUseResult" in row_:
        kept["tool_use_result"] = row_["toolUseResult"]
    if row_["type"] == "assistant":
        kept["message"] = kept["message"] | {"stop_reason": None, "usage": {"input_tokens": 5, "output_tokens": 1}}
    made = line(row_["type"]) | kept | {"parent_tool_use_id": parent}
    return made | ({"agent_id": agent} if agent else {})


def piece(event, **more):
    """An event of the model's own stream."""
    return line("stream_event", event=event, **more)


INIT = {"subtype": "init", "cwd": "/home/dev/app", "model": "claude-opus-5-5", "claude_code_version": "2.1.332"}


def init(**more):
    """The line that begins each turn of a stream."""
    return line("system", **INIT | {"tools": ["Bash"], "mcp_servers": [], "apiKeySource": "none"} | more)


def final(reason="completed", said="Done.", *, error=False, **more):
    """The line that ends each turn of a stream."""
    more = {"subtype": "success", "is_error": error, "result": said, "terminal_reason": reason} | more
    return line("result", **more)


def encoded(one):
    """The bytes of a line."""
    if isinstance(one, bytes):
        return one
    return (one if isinstance(one, str) else json.dumps(one)).encode("utf-8", "surrogatepass")


def write(path, *lines):
    """A file of these lines, in folders made for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encoded(one) + b"\n" for one in lines))
    return path


def records(lines, *, name="log.jsonl", role="transcript", index=0, actor=""):
    """The lines as the records of one input."""
    source = Input(index, name, role, actor=actor, shape="document" if role in ("meta", "process") else "lines")
    made, offset = [], 0
    for number, one in enumerate(lines, 1):
        data = encoded(one)
        made.append(Record(source, number, offset, len(data) + 1, data, 1.0))
        offset += len(data) + 1
    return made


def decode(*lines, decoder=None, finish=True, **source):
    """All events of one log."""
    decoder = decoder or ClaudeDecoder()
    made = records(lines, **source)
    events = [event for record in made for event in decoder.feed(record)]
    return events + list(decoder.finish([made[0].input] if made else [])) if finish else events


def of(events, *kinds):
    """Those of some kinds."""
    return [event for event in events if isinstance(event, kinds)]


def only(events, kind):
    """The one of its kind."""
    found = of(events, kind)
    assert len(found) == 1, found
    return found[0]
