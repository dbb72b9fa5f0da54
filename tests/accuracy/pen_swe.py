"""Runs as SWE-agent's trajectories, which tell no exit code."""

from __future__ import annotations

from shlex import quote
from typing import Any

from agents.swe_logs import document, step
from pen import PROJECT, Call, Pen

_NOT_RUN = "Your bash command contained syntax errors and was NOT executed."
_FAILED = {
    "not_found": "No replacement was performed, old_str `{old}` did not appear verbatim in {path}.",
    "exists": "File already exists at: {path}. Cannot overwrite files using command `create`.",
}


class SwePen(Pen):
    name = "SWE-agent"
    suffix = ".traj"
    kinds = ("shell", "read", "edit", "write", "create")
    outcomes = ("ok", "failed", "not_executed")
    moves = batches = False

    def begin(self, **_: Any) -> None:
        self._status: str | None = None

    @property
    def line(self) -> int:
        return len(self.rows) - 1

    def prompt(self, text: str) -> None:
        if self.rows:
            self.cannot(text)

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        (call,) = calls
        self._step(*self._told(call), words=said or "Next.")

    def claim(self, text: str = "Done: it builds again.") -> None:
        self.step()
        self._status = "submitted"
        self._step("submit", "diff --git a/a.py b/a.py", words=text)

    def now(self, *told: Any, **more: Any) -> None:
        """A claim ends the run at once: what is to be said of both is said at the end."""
        if not self._status:
            super().now(*told, **more)

    def log(self) -> bytes:
        return document(*self.rows, status=self._status)

    think = wait = Pen.cannot

    def _step(self, action: str, observation: str, words: str) -> None:
        self.rows.append(step(action, observation, opened=f"{PROJECT}/a.py", folder=PROJECT, words=words))

    def _told(self, call: Call) -> tuple[str, str]:
        """What it did, and what it saw of it."""
        editor = "str_replace_editor"
        match call.kind:
            case "read":
                return f"open {quote(call.path)}", f"[File: {call.path} (1 lines total)]\n1:{call.output}"
            case "edit":
                if call.output:
                    return f"edit 93:93\n{call.new}\nend_of_edit", f"{call.output}\nFile updated."
                told = f"The file {call.path} has been edited."
                if call.became == "failed":
                    told = _FAILED[call.failure].format(old=call.old, path=call.path)
                action = (
                    f"{editor} str_replace {quote(call.path)} --old_str {quote(call.old)} --new_str {quote(call.new)}"
                )
                return action, told
            case "write" | "create":
                action = f"{editor} create {quote(call.path)} --file_text {quote(call.new)}"
                told = f"File created successfully at: {call.path}"
                return action, _FAILED[call.failure].format(path=call.path) if call.failure else told
        if call.became == "failed":
            self.cannot()
        return call.command, _NOT_RUN if call.became == "not_executed" else call.output
