"""Runs as dirtywork's transcripts, a line for each turn and each result."""

from __future__ import annotations

from agents.dirtywork_logs import line, reply, result, start
from pen import PROJECT, Call, Pen, arguments

_NAMES = {"shell": "bash", "read": "read_file", "edit": "edit_file", "write": "write_file"}
_FAILED = {
    "not_found": "ERROR: old_string occurs 0 times in {}; it must occur exactly once. Include more surrounding context.",
    "exists": "ERROR: cannot write '{}': the file exists",
}


class DirtyworkPen(Pen):
    name = "dirtywork"
    kinds = ("shell", "read", "edit", "write")
    outcomes = ("ok", "failed", "refused", "not_executed")
    moves = False

    def prompt(self, text: str) -> None:
        if self.messages:
            self.cannot(text)
        self.step()
        self.rows.append(start(task=text, worktree=PROJECT))

    def nag(self, _: str) -> None:
        """The completion is sent back."""
        self.step()
        self.rows.append(line("nudge", kind="stall", turn=self.messages, via="user"))

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        self.rows.append(reply(*((_NAMES[call.kind], arguments(call)) for call in calls), text=self._thinks() + said))
        for call in calls:
            self.rows.append(result(_NAMES[call.kind], arguments(call), _told(call)))

    def lost(self) -> None:
        """A reply without a word."""
        self.step()
        self.rows.append(reply(stop="stop"))

    def cut(self, text: str = "") -> None:
        """A reply that reached its limit of tokens."""
        self.step()
        self.rows.append(reply(text=text, stop="length"))

    def claim(self, text: str = "Done: it builds again.") -> None:
        self.step()
        self.rows.append(reply(text=self._thinks() + text))

    def end(self) -> None:
        self.step()
        self.rows.append(line("run_end", status="completed", turns=self.messages))

    wait = Pen.cannot

    def _thinks(self) -> str:
        thought = self.thought()
        return f"<think>{thought}</think>" if thought else ""


def _told(call: Call) -> str:
    match call.became:
        case "refused":
            return "BLOCKED: this is not allowed"
        case "not_executed":
            return "ERROR: run deadline exceeded"
        case "failed" if call.kind != "shell":
            return call.output or _FAILED[call.failure].format(call.file)
    if call.kind == "shell":
        return f"exit code: {call.code}\n{call.output}"
    return call.output or f"Edited {call.file}: +1 -1"
