"""Small histories of OpenHands, written anew."""

from __future__ import annotations

import json

from monitor.agents.openhands.decode import EVENTS, INSTANCE, decoder, line_decoder
from monitor.streams.record import Input, Record

FILE = "/workspace/a.py"


class Log:
    """Entries numbered as they come."""

    def __init__(self) -> None:
        self.entries: list[dict] = []

    def add(self, source, **fields) -> int:
        number = len(self.entries)
        time = f"2025-01-01T00:00:{number:02d}"
        self.entries.append({"id": number, "timestamp": time, "source": source} | fields)
        return number

    def said(self, text, source="user", **more) -> int:
        return self.add(source, action="message", args={"content": text} | more)

    def did(self, action, *, reply="", usage=None, **arguments) -> int:
        response = {"id": reply, "choices": [{"finish_reason": "tool_calls", "message": {"content": "Now."}}]}
        meta = {"function_name": action, "model_response": response | ({"usage": usage} if usage else {})}
        return self.add("agent", action=action, tool_call_metadata=meta, args=arguments)

    def saw(self, cause, observation, content="", **extras) -> int:
        return self.add("agent", observation=observation, cause=cause, content=content, extras=extras)

    def ran(self, command, content="", code=0, **more) -> int:
        cause = self.did("run", command=command, **more)
        return self.saw(cause, "run", content, metadata={"exit_code": code, "working_dir": "/workspace"})

    def edited(self, content, **arguments) -> int:
        given = {"path": FILE, "command": "str_replace", "old_str": "x", "new_str": "y"} | arguments
        return self.saw(self.did("edit", **given), "edit", content, path=given["path"])

    def document(self) -> bytes:
        return json.dumps(self.entries).encode()

    def instance(self, **more) -> bytes:
        about = {
            "instance_id": "repo-1",
            "instruction": "Mend it",
            "metadata": {"agent_class": "CodeActAgent", "llm_config": {"model": "m"}},
            "history": self.entries,
            "metrics": {
                "accumulated_cost": 0.5,
                "accumulated_token_usage": {"prompt_tokens": 9, "completion_tokens": 2},
            },
            "error": None,
        }
        return json.dumps(about | more).encode()


def decoded(data, role=EVENTS) -> list:
    source = Input(0, "a.json", role, None, "document" if role == EVENTS else "lines")
    fresh = decoder() if role == EVENTS else line_decoder()
    return list(fresh.feed(Record(source, 1, 0, len(data), data, 5.0)))


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]


def begun() -> Log:
    log = Log()
    log.said("Mend it")
    return log


__all__ = ["EVENTS", "FILE", "INSTANCE", "Log", "begun", "decoded", "of"]
