"""Small logs, written as lcode 0.51 writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from monitor.agents.lcode.decode import RESULT, SESSION, STREAM, LcodeDecoder
from monitor.agents.lcode.started import About
from monitor.agents.protocol import Found
from monitor.events import Event
from monitor.streams.record import Input, Record

CWD = "/home/dev/app"
ID = "20261130-073803-167466"
STREAMED = Input(0, "out.jsonl", STREAM)
SAVED = Input(0, f"{ID}.json", SESSION, shape="document")
FINISHED = Input(0, "out.json", RESULT, shape="document")
CIRCLES = "[lcode] Your last reply went round in circles (the same thoughts over and over), so lcode stopped it. Go on."
CUT_OFF = "[lcode] Your last reply filled the rest of the context before you said anything. Go on."
EMPTY = "[lcode] Your last reply was empty. Go on."
UNREAD = "Error: You must read_file app/strings.xml before modifying it."
INTERRUPTED = "Interrupted by the user before completion."

Call = tuple[str, dict[str, Any]]


def line(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}, ensure_ascii=False).encode()


def start(**fields: Any) -> bytes:
    told = {"schema": 1, "lcode": "0.51.0", "session_id": ID, "model": "m", "cwd": CWD}
    return line("start", **{**told, **fields})


def reply(*calls: Call, text: str = "", step: int = 0) -> bytes:
    made = [{"id": f"call_{step}_{n}", "name": name, "arguments": given} for n, (name, given) in enumerate(calls)]
    return line("assistant", text=text, tool_calls=made)


def result(name: str, output: str, call: str = "call_0_0", *, error: bool | None = None) -> bytes:
    failed = output.startswith(("Error:", "The user denied", "This needs")) if error is None else error
    kept = output[:4000] + ("…" if len(output) > 4000 else "")
    return line("tool_result", id=call, name=name, error=failed, output=kept)


def ended(status: str = "success", text: str = "", **fields: Any) -> bytes:
    told = {
        "schema": 1, "lcode": "0.51.0", "status": status, "text": text, "session_id": ID, "model": "m", "tool_calls": [],
        "files_changed": [], "usage": {"requests": 1, "prompt_tokens": 100, "output_tokens": 7}, "checks": [],
        "review": None, "escalations": [], "seconds": 0.1, "error": "",
    }  # fmt: skip
    return line("result", **{**told, **fields})


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(*calls: Call, text: str = "", thinking: str = "", ids: bool = True) -> dict[str, Any]:
    made = [
        {"function": {"name": name, "arguments": given}, **({"id": f"call_0_{number}"} if ids else {})}
        for number, (name, given) in enumerate(calls)
    ]
    told: dict[str, Any] = {"role": "assistant", "content": text}
    return told | ({"thinking": thinking} if thinking else {}) | ({"tool_calls": made} if made else {})


def tool(name: str, content: str, call: str | None = "call_0_0") -> dict[str, Any]:
    return {"role": "tool", "tool_name": name, "content": content} | ({"tool_call_id": call} if call else {})


def session(*messages: dict[str, Any], checkpoints: Sequence[dict[str, Any]] = (), **fields: Any) -> bytes:
    told = {
        "cwd": CWD, "model": "m", "mode": "code", "image_model": "i", "video_model": "v",
        "media": {"results": [], "options": {}, "refs": []}, "name": "", "title": "t",
        "messages": [{"role": "system", "content": "You are lcode"}, *messages],
        "checkpoints": list(checkpoints), "todos": [], "notes": [], "changed": [],
    }  # fmt: skip
    return json.dumps({**told, **fields}).encode()


def checkpoint(index: int, *files: str, after: str = "a" * 40) -> dict[str, Any]:
    changes = [{"status": "M", "path": file} for file in files]
    return {"n": 1, "request": "x", "before": "b" * 40, "after": after, "message_index": index, "changes": changes}


def records(lines: Iterable[bytes]) -> list[Record]:
    made, offset = [], 0
    for number, data in enumerate(lines, 1):
        made.append(Record(STREAMED, number, offset, len(data) + 1, data, seen=7.0))
        offset += len(data) + 1
    return made


def document(data: bytes, source: Input = SAVED, generation: int = 0) -> Record:
    return Record(source, 1, 0, len(data), data, seen=7.0, generation=generation)


def decode(*lines: bytes) -> list[Event]:
    decoder = LcodeDecoder()
    return [event for record in records(lines) for event in decoder.feed(record)]


def states(*documents: bytes) -> list[list[Event]]:
    """What each state of a session adds to the one before."""
    decoder = LcodeDecoder(About(ID))
    return [list(decoder.feed(document(one, generation=number))) for number, one in enumerate(documents)]


def saved(*messages: dict[str, Any], **fields: Any) -> list[Event]:
    """What a session tells that is read once."""
    return states(session(*messages, **fields))[0]


def of(events: Iterable[Event], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def file_events(found: Found) -> list[Event]:
    """Everything a finished run says."""
    decoder = found.decoder()
    return [event for record in file_records(found) for event in decoder.feed(record)]


def file_records(found: Found) -> list[Record]:
    """A run's one file, plainly read."""
    (source,) = found.inputs()
    assert isinstance(source.path, Path)
    data = source.path.read_bytes()
    if source.shape == "document":
        return [Record(source, 1, 0, len(data), data, seen=7.0)]
    made, offset = [], 0
    for number, one in enumerate(data.splitlines(keepends=True), 1):
        made.append(Record(source, number, offset, len(one), one.rstrip(b"\n"), seen=7.0))
        offset += len(one)
    return made
