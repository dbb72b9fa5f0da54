"""Small transcripts, written as dirtywork 0.14 writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from monitor.agents.dirtywork.decode import LIVE, RUN, TRANSCRIPT, DirtyworkDecoder
from monitor.agents.dirtywork.started import About
from monitor.agents.protocol import Found
from monitor.events import Event
from monitor.streams.record import Input, Record

WORKTREE = "/home/dev/app/.worktrees/dw-rename"
TS = "2026-11-30T07:34:20.500000+00:00"
INPUTS = {
    TRANSCRIPT: Input(0, "transcript.jsonl", TRANSCRIPT),
    RUN: Input(1, RUN, RUN, shape="document"),
    LIVE: Input(2, LIVE, LIVE, shape="document"),
}


def line(event: str, **fields: Any) -> bytes:
    return json.dumps({"ts": TS, "event": event, **fields}, ensure_ascii=False).encode()


def start(**fields: Any) -> bytes:
    told = {
        "task": "Rename the app",
        "model": "fake/model-1",
        "repo": "/home/dev/app",
        "worktree": WORKTREE,
        "branch": "dirtywork/rename",
        "dirtywork_version": "0.14.0",
        "sandbox": "none",
        "resumed_from": None,
        "feedback": None,
    }
    return line("run_start", **{**told, **fields})


def reply(*calls: tuple[str, Any], text: str = "", stop: str | None = None, **fields: Any) -> bytes:
    """A reply with calls; arguments are an object, or the text the model wrote."""
    made = [{"name": name, "arguments": written(told)[:2000]} for name, told in calls]
    return line(
        "assistant", text=text, tool_calls=made, finish_reason=stop or ("tool_calls" if calls else "stop"), **fields
    )


def result(tool: str, arguments: Any, said: str, **fields: Any) -> bytes:
    kept = said if tool == "finish" else said[:2000]
    return line("tool_result", tool=tool, args=(written(arguments) or "{}")[:500], result=kept, **fields)


def written(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def run_json(**fields: Any) -> bytes:
    told = {
        "slug": "rename",
        "repo": "/home/dev/app",
        "worktree": WORKTREE,
        "branch": "dirtywork/rename",
        "base_commit": "c" * 40,
        "status": "running",
        "task": "Rename the app",
        "model": "fake/model-1",
        "sandbox": "none",
        "resumed_from": None,
        "feedback": None,
        "host_pid": 0,
        "started": "2026-11-30T07:34:20.000000+00:00",
    }
    return json.dumps({**told, **fields}, indent=2, sort_keys=True).encode() + b"\n"


def preview(patch: str = "", **fields: Any) -> bytes:
    told = {"version": 1, "state": "ready", "patch": patch, "captured_at": TS, "message": "Live file changes"}
    return json.dumps({**told, **fields}).encode() + b"\n"


def patch_of(file: str, new: str = "x") -> str:
    head = f"diff --git a/{file} b/{file}\nnew file mode 100644\n--- /dev/null\n+++ b/{file}\n"
    return f"{head}@@ -0,0 +1 @@\n+{new}\n"


def records(lines: Iterable[bytes], role: str = TRANSCRIPT, first: int = 1) -> list[Record]:
    made, offset = [], 0
    for number, data in enumerate(lines, first):
        made.append(Record(INPUTS[role], number, offset, len(data) + 1, data, seen=7.0))
        offset += len(data) + 1
    return made


def document(data: bytes, role: str) -> Record:
    return Record(INPUTS[role], 1, 0, len(data), data, seen=7.0)


def decode(*lines: bytes, about: About | None = None) -> list[Event]:
    decoder = DirtyworkDecoder(about)
    return [event for record in records(lines) for event in decoder.feed(record)]


def of(events: Iterable[Event], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def file_records(source: Input) -> list[Record]:
    """A whole file, plainly read."""
    assert source.path is not None
    data = source.path.read_bytes()
    if source.shape == "document":
        return [Record(source, 1, 0, len(data), data, seen=7.0)]
    made, offset = [], 0
    for number, one in enumerate(data.splitlines(keepends=True), 1):
        made.append(Record(source, number, offset, len(one), one.rstrip(b"\n"), seen=7.0))
        offset += len(one)
    return made


def all_events(found: Found) -> list[Event]:
    """Everything a finished run says, input after input."""
    decoder = found.decoder()
    events = [event for source in found.inputs() for one in file_records(source) for event in decoder.feed(one)]
    return [*events, *decoder.finish(found.inputs())]


def run_folder(folder: Path, *lines: bytes, run: bytes | None = None) -> Path:
    folder.mkdir(parents=True)
    (folder / "transcript.jsonl").write_bytes(b"".join(one + b"\n" for one in lines))
    if run is not None:
        (folder / "run.json").write_bytes(run)
    return folder
