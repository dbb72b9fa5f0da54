"""Runs as Harbor keeps them (ATIF), of an agent with tools of its own; it marks no failure and tells no folder."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agents.atif_logs import calls as asked
from agents.atif_logs import document
from pen import PROJECT, Call, Pen

_FAILED = "<tool_use_error>String to replace not found in file.\nString: {}</tool_use_error>"


class AtifPen(Pen):
    name = "ATIF"
    suffix = ".json"
    kinds = ("shell", "read", "edit", "write", "poll", "fetch")
    outcomes = ("ok", "failed")
    moves = False

    @property
    def line(self) -> int:
        return len(self.rows) + 1

    def prompt(self, text: str) -> None:
        if self.messages:
            self._step("user", text)
        self.step()

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        if not all(call.path.startswith(PROJECT) for call in calls):
            self.cannot()
        made = asked(*(_asked(call) for call in calls))
        heard = [{"source_call_id": f"c{number}", "content": _told(call)} for number, call in enumerate(calls)]
        self._step("agent", said or "Next.", tool_calls=made, observation={"results": heard})

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        self.step()
        self._step("agent", "Next.", tool_calls=asked(_asked(call)))

    def lost(self) -> None:
        """A reply without a word."""
        self.step()
        self._step("agent", "")

    def claim(self, said: str = "Done: it builds again.") -> None:
        self.step()
        self._step("agent", said)

    wait = Pen.cannot

    def log(self) -> bytes:
        return document(*self.rows, agent="claude-code")

    def _step(self, source: str, message: str, **more: Any) -> None:
        thought = self.thought()
        about = {"step_id": len(self.rows) + 2, "source": source, "message": message}
        about["timestamp"] = datetime.fromtimestamp(self.at, UTC).isoformat()
        self.rows.append(about | ({"reasoning_content": thought} if thought else {}) | more)


def _asked(call: Call) -> tuple[str, dict[str, Any]]:
    match call.kind:
        case "edit":
            return "Edit", {"file_path": call.path, "old_string": call.old, "new_string": call.new}
        case "write":
            return "Write", {"file_path": call.path, "content": call.new}
        case "read":
            return "Read", {"file_path": call.path}
        case "fetch":
            return "WebFetch", {"url": call.url, "prompt": "What does it say?"}
        case "poll":
            return "BashOutput", {"bash_id": "1"}
    return "Bash", {"command": call.command}


def _told(call: Call) -> str:
    if call.became == "failed" and call.kind != "shell":
        return call.output or _FAILED.format(call.old)
    if call.kind == "shell":
        return f"{call.output}\nExit code {call.code}"
    return call.output or f"The file {call.path} has been updated."
