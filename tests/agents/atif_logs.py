"""Small trajectories in the form of Harbor, written anew."""

from __future__ import annotations

import json

from monitor.agents.atif import decode
from monitor.streams.record import Input, Record

ASKS = "\n\nAre you sure you want to mark the task as complete? This will trigger your solution to be graded."
PROMPT = "root@box:/app# "


def step(number, source="agent", message="Next.", **more) -> dict:
    return {
        "step_id": number,
        "timestamp": f"2026-01-01T00:00:{number:02d}+00:00",
        "source": source,
        "message": message,
    } | more


def calls(*asked) -> list[dict]:
    return [
        {"tool_call_id": f"c{number}", "function_name": name, "arguments": arguments}
        for number, (name, arguments) in enumerate(asked)
    ]


def typed(number, *keys, screen="", done=False) -> dict:
    """A step in which commands are typed into a terminal."""
    asked = [("bash_command", {"keystrokes": one, "duration": 0.1}) for one in keys]
    asked += [("mark_task_complete", {})] if done else []
    content = f"New Terminal Output:\n\n{screen}"
    return step(number, tool_calls=calls(*asked), observation={"results": [{"content": content}]})


def document(*steps, agent="terminus-2", **more) -> bytes:
    about = {
        "schema_version": "ATIF-v1.5",
        "session_id": "s1",
        "agent": {"name": agent, "version": "2", "model_name": "m"},
    }
    return json.dumps(about | {"steps": [step(1, "user", "Mend it"), *steps]} | more).encode()


def decoded(*states) -> list:
    decoder, source = decode.decoder(), Input(0, "trajectory.json", "trajectory", None, "document")
    return [
        event
        for number, data in enumerate(states)
        for event in decoder.feed(Record(source, 1, 0, len(data), data, 5.0, number))
    ]


def of(events, *types) -> list:
    return [event for event in events if isinstance(event, types)]
