"""Runs as OpenHands' lists of events, an action and its observation each an entry."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from pen import PROJECT, Call, Pen

_FAILED = {
    "not_found": "ERROR:\nNo replacement was performed, old_str `{old}` did not appear verbatim in {path}.",
    "exists": "ERROR:\nFile already exists at: {path}. Cannot overwrite files using command `create`.",
}
_NOT_RUN = "ERROR: The action has not been executed."


class OpenHandsPen(Pen):
    name = "OpenHands"
    suffix = ".json"
    kinds = ("shell", "read", "edit", "write", "create", "poll", "fetch")
    outcomes = ("ok", "failed", "denied", "not_executed")

    def begin(self, **_: Any) -> None:
        self._cwd = PROJECT
        self._add(
            "environment", observation="recall", content="Added workspace context", extras={"working_dir": PROJECT}
        )

    @property
    def line(self) -> int:
        return len(self.rows) - 1

    def prompt(self, text: str) -> None:
        self.step()
        self._add("user", action="message", args={"content": text})

    def nag(self, text: str) -> None:
        self.prompt(f"Please continue working on the task on whatever approach you think is suitable. {text}")

    def batch(self, *calls: Call, said: str = "") -> None:
        reply = self.turn(calls)
        for call in calls:
            self._saw(self._did(call, reply, said or "Next."), call)

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        self._did(call, self.step(), "Next.")

    def lost(self) -> None:
        """A reply without a word."""
        self._says("", self.step(), "stop")

    def cut(self, said: str = "") -> None:
        """A reply that reached its limit of tokens."""
        self._says(said, self.step(), "length")

    def claim(self, said: str = "Done: it builds again.") -> None:
        self._says(said, self.step(), "stop")

    def end(self) -> None:
        self.step()
        self._add("environment", observation="agent_state_changed", extras={"agent_state": "finished"})

    wait = Pen.cannot

    def log(self) -> bytes:
        return json.dumps(self.rows).encode()

    def _add(self, source: str, **fields: Any) -> int:
        number = len(self.rows)
        time = datetime.fromtimestamp(self.at, UTC).replace(tzinfo=None).isoformat()
        self.rows.append({"id": number, "timestamp": time, "source": source} | fields)
        return number

    def _says(self, text: str, reply: str, stop: str) -> None:
        args = {"content": text, "wait_for_response": bool(text) and stop == "stop"}
        self._add("agent", action="message", args=args, tool_call_metadata=self._meta("", reply, "", stop))

    def _did(self, call: Call, reply: str, said: str) -> int:
        action, args = _action(call)
        return self._add("agent", action=action, args=args, tool_call_metadata=self._meta(action, reply, said))

    def _meta(self, tool: str, reply: str, said: str, stop: str = "tool_calls") -> dict[str, Any]:
        message = {"content": said, "reasoning_content": self.thought() or None}
        choice = {"finish_reason": stop, "message": message}
        return {"function_name": tool, "model_response": {"id": reply, "choices": [choice]}}

    def _saw(self, cause: int, call: Call) -> None:
        self._cwd = call.cwd or self._cwd
        told = (
            {"metadata": {"exit_code": call.code, "working_dir": self._cwd}} if call.kind in ("shell", "poll") else {}
        )
        action = _OBSERVED.get(call.kind, "edit")
        if call.became == "not_executed":
            action, told = "error", {}
        self._add("agent", observation=action, cause=cause, content=_told(call), extras=told | {"path": call.path})


_OBSERVED = {"shell": "run", "poll": "run", "read": "read", "write": "write", "fetch": "browse"}


def _action(call: Call) -> tuple[str, dict[str, Any]]:
    match call.kind:
        case "edit":
            return "edit", {"path": call.path, "command": "str_replace", "old_str": call.old, "new_str": call.new}
        case "create":
            return "edit", {"path": call.path, "command": "create", "file_text": call.new}
        case "write":
            return "write", {"path": call.path, "content": call.new}
        case "read":
            return "read", {"path": call.path}
        case "fetch":
            return "browse", {"url": call.url}
    return "run", {"command": call.command}


def _told(call: Call) -> str:
    match call.became:
        case "denied":
            return "Action has been rejected by the user! Waiting for further user input."
        case "not_executed":
            return _NOT_RUN
        case "failed" if call.kind != "shell":
            return call.output or _FAILED[call.failure].format(old=call.old, path=call.path)
    if call.kind == "edit":
        return f"The file {call.path} has been edited. {call.output}"
    return f"File created successfully at: {call.path}" if call.kind == "create" else call.output
