"""Small logs, written as Codex 0.171 writes them."""

from __future__ import annotations

import json
from typing import Any

from monitor.agents.codex.decode import ROLLOUT, STREAM, CodexDecoder
from monitor.events import Event
from monitor.streams.record import Input, Record

THREAD = "01a22b69-8c94-7ba1-829a-385fe1b08809"
CWD = "/home/dev/app"
WRITTEN = Input(0, f"rollout-2026-11-30T07-44-27-{THREAD}.jsonl", ROLLOUT)
PIPED = Input(0, "the pipe", STREAM)
REFUSED = f"apply_patch verification failed: Failed to find expected lines in {CWD}/a.py:\nold"
APPLIED = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a.py\n"


def patch(file: str = "a.py", old: str = "old", new: str = "new") -> str:
    return f"*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch\n"


def row(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "2026-11-30T07:44:27.318Z", "ordinal": 0, "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    told = {"id": THREAD, "cwd": CWD, "originator": "codex_exec", "cli_version": "0.171.0", "source": "exec"}
    return row("session_meta", told | more)


def context(model: str = "gpt-5.5") -> dict[str, Any]:
    return row("turn_context", {"turn_id": "t", "cwd": CWD, "model": model})


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return row("response_item", {"type": kind, **fields})


def told(kind: str, **fields: Any) -> dict[str, Any]:
    return row("event_msg", {"type": kind, **fields})


def done(kind: str, **fields: Any) -> dict[str, Any]:
    return told("item_completed", thread_id=THREAD, turn_id="t", item={"type": kind, **fields})


def user(words: str) -> dict[str, Any]:
    return done("UserMessage", id="u", content=[{"type": "text", "text": words}])


def said(words: str) -> dict[str, Any]:
    return item("message", role="assistant", id="m", content=[{"type": "output_text", "text": words}])


def thought(words: str) -> dict[str, Any]:
    return item("reasoning", id="rs", summary=[{"type": "summary_text", "text": words}], content=None)


def shell(call: str, command: str) -> dict[str, Any]:
    return item("function_call", name="exec_command", call_id=call, arguments=json.dumps({"cmd": command}))


def patched(call: str, text: str | None = None) -> dict[str, Any]:
    return item("custom_tool_call", name="apply_patch", call_id=call, input=patch() if text is None else text)


def script(call: str, source: str) -> dict[str, Any]:
    return item("custom_tool_call", name="exec", call_id=call, input=source)


def output(call: str, text: Any) -> dict[str, Any]:
    return item("custom_tool_call_output", call_id=call, output=text)


def changed(ident: str, file: str = f"{CWD}/a.py", status: str = "completed") -> dict[str, Any]:
    diff = {"type": "update", "unified_diff": "@@ -1 +1 @@\n-old\n+new\n", "move_path": None}
    return done("FileChange", id=ident, changes={file: diff}, status=status, stdout="", stderr="")


def usage() -> dict[str, Any]:
    return row("token_usage_record", {"usage": {"input_tokens": 1}})


def completed(words: str | None = "Done.") -> dict[str, Any]:
    return told("task_complete", turn_id="t", last_agent_message=words)


def records(rows: list[Any], source: Input = WRITTEN) -> list[Record]:
    found, offset = [], 0
    for number, one in enumerate(rows, 1):
        data = one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode()
        found.append(Record(source, number, offset, len(data) + 1, data, seen=5.0))
        offset += len(data) + 1
    return found


def decode(*rows: Any, source: Input = WRITTEN) -> list[Event]:
    decoder = CodexDecoder()
    return [event for record in records(list(rows), source) for event in decoder.feed(record)]


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
