"""Small logs, written as OpenCode 1.18 writes them."""

from __future__ import annotations

import json
from typing import Any

from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.events import Event, ToolReturned
from monitor.streams.record import Input, Record

SESSION = "ses_dd49f8b33ffeqq8GPmNuFhhWhe"
CHILD = "ses_dd49d35e7ffeUEYG2cpGIOLabV"
OTHER = "ses_dd49aaaa0ffeUEYG2cpGIOLabV"
CWD = "/home/dev/app"
FILE = f"{CWD}/app.py"
BEGUN = 1_796_024_071_372
"""Milliseconds."""
MISSED = (
    "Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings."
)
STREAM = Input(0, "events.sse", "stream")
DOCUMENT = Input(0, "export.json", "stream", shape="document")


def ident(kind: str, number: int) -> str:
    """An id as OpenCode makes them, `number` milliseconds after the session began."""
    low = ((BEGUN + number) << 12 | 1) & (1 << 48) - 1
    return f"{kind}_{low:012x}{'A' * 14}"


class Talk:
    """Makes the events of one session, each later than the one before."""

    def __init__(self, session: str = SESSION) -> None:
        self.session = session
        self.events: list[dict[str, Any]] = []
        self.clock = 0
        self.created_at: dict[str, int] = {}

    def tick(self) -> int:
        self.clock += 10
        return self.clock

    def tell(self, kind: str, **data: Any) -> dict[str, Any]:
        event = {"id": ident("evt", self.tick()), "type": kind, "properties": {"sessionID": self.session, **data}}
        self.events.append(event)
        return event

    def created(self, **more: Any) -> None:
        info = {
            "id": self.session, "version": "1.18.33", "directory": CWD, "title": "t", "time": {"created": BEGUN, "updated": BEGUN},
        }  # fmt: skip
        self.tell("session.created", info=info | more)

    def part(self, kind: str, message: str, name: str = "", **fields: Any) -> str:
        name = name or ident("prt", self.tick())
        told = {"type": kind, "id": name, "messageID": message, "sessionID": self.session, **fields}
        self.tell("message.part.updated", part=told, time=BEGUN + self.clock)
        return name

    def asked(self, words: str = "Change the greeting") -> str:
        message = ident("msg", self.tick())
        info = {"id": message, "role": "user", "sessionID": self.session, "time": {"created": BEGUN + self.clock}}
        self.tell("message.updated", info=info)
        self.part("text", message, text=words)
        return message

    def reply(self, prompt: str = "", message: str = "", **more: Any) -> str:
        message = message or ident("msg", self.tick())
        self.created_at.setdefault(message, BEGUN + self.clock)
        info = {
            "id": message, "role": "assistant", "sessionID": self.session, "parentID": prompt, "modelID": "m", "providerID": "p",
            "path": {"cwd": CWD, "root": CWD}, "time": {"created": BEGUN + self.clock},
        }  # fmt: skip
        self.tell("message.updated", info=info | more)
        return message

    def ended(self, message: str, finish: str = "stop", prompt: str = "", **more: Any) -> None:
        times = {"created": self.created_at[message], "completed": BEGUN + self.tick()}
        self.reply(prompt, message, finish=finish, time=times, **more)

    def spoken(self, message: str, words: str, kind: str = "text", pieces: tuple[str, ...] = ()) -> str:
        name = self.part(kind, message, text="", time={"start": BEGUN + self.clock})
        for piece in pieces:
            self.tell("message.part.delta", messageID=message, partID=name, field="text", delta=piece)
        times = {"start": BEGUN, "end": BEGUN + self.clock}
        self.part(kind, message, name, text=words, time=times)
        return name

    def tool(self, message: str, tool: str, given: dict[str, Any], **state: Any) -> str:
        """A call as it is told: pending, running, over."""
        name = self.part(
            "tool", message, tool=tool, callID="call_0", state={"status": "pending", "input": {}, "raw": ""}
        )
        start = {"start": BEGUN + self.clock}
        self.part(
            "tool",
            message,
            name,
            tool=tool,
            callID="call_0",
            state={"status": "running", "input": given, "time": start},
        )
        if state:
            times = {**start, "end": BEGUN + self.tick()}
            told = {"input": given, "time": times, **state}
            self.part("tool", message, name, tool=tool, callID="call_0", state=told)
        return name

    def edit(self, message: str, old: str = "old", new: str = "new", **state: Any) -> str:
        return self.tool(message, "edit", {"filePath": FILE, "oldString": old, "newString": new}, **state)

    def bash(self, message: str, command: str, exit_code: int | None, output: str = "") -> str:
        shown = {"output": output, "exit": exit_code, "truncated": False}
        return self.tool(message, "bash", {"command": command}, status="completed", output=output, metadata=shown)

    def idle(self) -> None:
        self.tell("session.status", status={"type": "idle"})
        self.tell("session.idle")


def sse(*events: dict[str, Any]) -> list[bytes]:
    """As the server streams them: a line for each, and an empty one behind it."""
    return [line for one in events for line in (b"data: " + json.dumps(one, ensure_ascii=False).encode(), b"")]


def everywhere(events: list[dict[str, Any]], first: int = 0) -> list[dict[str, Any]]:
    """As the stream of all folders tells what lasts: twice, the second time with its number."""
    told = []
    for number, one in enumerate(events, first):
        data = one["properties"]
        kind = {
            "id": one["id"],
            "type": f"{one['type']}.1",
            "seq": number,
            "aggregateID": data["sessionID"],
            "data": data,
        }
        told.append({"directory": CWD, "project": "p", "payload": one})
        told.append({"directory": CWD, "project": "p", "payload": {"type": "sync", "syncEvent": kind}})
    return told


def rows(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As the database keeps them."""
    return [
        {
            "id": one["id"], "aggregate_id": one["properties"]["sessionID"], "seq": number, "type": f"{one['type']}.1",
            "data": one["properties"],
        }
        for number, one in enumerate(events)
        if not one["type"].endswith((".delta", ".idle", ".status", ".error"))
    ]  # fmt: skip


def records(lines: list[Any], source: Input = STREAM) -> list[Record]:
    found, offset = [], 0
    for number, one in enumerate(lines, 1):
        data = one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode()
        found.append(Record(source, number, offset, len(data) + 1, data, seen=5.0))
        offset += len(data) + 1
    return found


def decode(*lines: Any, source: Input = STREAM, root: str = "") -> list[Event]:
    decoder = OpenCodeDecoder(root)
    told = [event for record in records(list(lines), source) for event in decoder.feed(record)]
    return [*told, *decoder.finish([source])]


def of(events: list[Event], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def scenario(talk: Talk) -> None:
    """An edit that fails, a connection that is refused, the edit again, a good edit, and Done."""
    talk.created()
    prompt = talk.asked()
    failed = {"status": "error", "error": MISSED}
    refused = "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn't connect to server\n"
    for make in (
        lambda one: talk.edit(one, **failed),
        lambda one: talk.bash(one, "curl -sS https://example.com/x", 7, refused),
        lambda one: talk.edit(one, **failed),
        lambda one: talk.edit(one, "print('hello')", status="completed", output="Edit applied successfully."),
    ):
        message = talk.reply(prompt)
        make(message)
        talk.ended(message, "tool-calls", prompt)
    message = talk.reply(prompt)
    talk.spoken(message, "Done", pieces=("Do", "ne"))
    talk.ended(message, "stop", prompt)
    talk.idle()


def told(talk, *more):
    return decode(*sse(*talk.events), *more)


def only(talk, *more):
    """The one result there is."""
    (result,) = of(told(talk, *more), ToolReturned)
    return result
