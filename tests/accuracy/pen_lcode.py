"""Runs as `lcode -p … --output stream-json` prints them: one request, and no thinking."""

from __future__ import annotations

from typing import Any

from agents.lcode_logs import ended, reply, result, start
from pen import Call, Pen, arguments

_NAMES = {
    "shell": "bash",
    "read": "read_file",
    "edit": "edit_file",
    "write": "write_file",
    "poll": "bash_output",
    "patch": "apply_patch",
    "fetch": "web_fetch",
}
_FAILED = {
    "not_found": "Error: old_string not found in {}.",
    "exists": "Error: {} already exists; the patch creates it.",
}


class LcodePen(Pen):
    name = "lcode"
    kinds = ("shell", "read", "edit", "write", "patch", "poll", "fetch")
    outcomes = ("ok", "failed", "denied", "refused", "background")
    moves = False

    def prompt(self, text: str) -> None:
        if self.messages:
            self.cannot(text)
        self.step()
        self.rows.append(start())

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        made = [(_NAMES[call.kind], _arguments(call)) for call in calls]
        self.rows.append(reply(*made, text=said, step=self.messages))
        for number, call in enumerate(calls):
            self.rows.append(result(_NAMES[call.kind], _told(call), f"call_{self.messages}_{number}"))

    def claim(self, text: str = "Done: it builds again.") -> None:
        self.step()
        self.rows.append(reply(text=text, step=self.messages))
        self._text = text

    def end(self) -> None:
        self.step()
        self.rows.append(ended(text=self._text))

    think = wait = Pen.cannot


def _arguments(call: Call) -> dict[str, Any]:
    match call.kind:
        case "poll":
            return {"id": 1}
        case "fetch":
            return {"url": call.url}
        case "patch":
            hunks = (f"--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-{call.old}\n+{call.new}\n" for file in call.files)
            return {"patch": "".join(hunks)}
    return arguments(call) | ({"background": True} if call.became == "background" else {})


def _told(call: Call) -> str:
    match call.became:
        case "denied":
            return "The user denied this action. Ask the user how to go on."
        case "refused":
            return "A deny rule blocks this."
        case "background":
            return "Started background job 1: it keeps running."
        case "failed" if call.kind == "patch":
            return f"Error: {call.files[0]}: hunk 1 (@@ -1 +1 @@) doesn't match the file"
        case "failed" if call.kind != "shell":
            return call.output or _FAILED[call.failure].format(call.file)
    if call.kind == "shell":
        return f"{call.output}\n[exit code: {call.code}]"
    return call.output or f"Edited {call.file} (+1 -1)"
