"""Runs as mini-swe-agent's trajectories: a shell command a reply, and nothing else."""

from __future__ import annotations

from typing import Any

from agents.mini_logs import HEAD, REFUSED, SUBMIT, document, heard, reply, seen
from pen import PROJECT, Call, Pen


class MiniPen(Pen):
    name = "mini-swe-agent"
    suffix = ".traj.json"
    kinds = ("shell", "read", "edit", "write")
    outcomes = ("ok", "failed", "not_executed")
    moves = batches = False

    def begin(self, **_: Any) -> None:
        self._status: str | None = None

    @property
    def line(self) -> int:
        return len(self.rows) + len(HEAD) - 1

    def prompt(self, text: str) -> None:
        if self.rows:
            self.cannot(text)

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        (call,) = calls
        self._reply(self._command(call), words=said or "Next.")
        if call.became == "not_executed":
            self.rows.append(heard(REFUSED))
        else:
            self.rows.append(seen(call.output, call.code))

    def claim(self, text: str = "Done: it builds again.") -> None:
        self.step()
        self._status = "Submitted"
        self._reply(SUBMIT, words=text)
        self.rows.append(heard("diff --git a/a.py b/a.py"))

    def log(self) -> bytes:
        return document(*self.rows, status=self._status, submission=self._status and "diff --git a/a.py b/a.py")

    wait = Pen.cannot

    def _reply(self, command: str, words: str) -> None:
        thought = self.thought()
        self.rows.append(reply(command, words=words) | ({"reasoning_content": thought} if thought else {}))

    def _command(self, call: Call) -> str:
        match call.kind:
            case "read" | "write" | "edit" if not call.path.startswith(PROJECT):
                return self.cannot()
            case "shell":
                return call.command
            case "read":
                return f"cat {call.file}"
            case "write":
                return f"cat > {call.file} <<'EOF'\n{call.new}EOF"
            case "edit" if call.became == "ok" and not call.output:
                return f"sed -i 's/{call.old}/{call.new}/' {call.file}"
        return self.cannot()
