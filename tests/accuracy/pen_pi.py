"""Runs as pi's session files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agents.pi_logs import call as asked
from agents.pi_logs import header, reply, result, said, thought, user
from pen import PROJECT, Call, Pen

_NOT_FOUND = (
    "Could not find the exact text in {}. The old text must match exactly including all whitespace and newlines."
)


class PiPen(Pen):
    name = "pi"
    kinds = ("shell", "read", "edit", "write")
    outcomes = ("ok", "failed", "not_executed")
    moves = False

    def begin(self, **_: Any) -> None:
        self._row(header(cwd=PROJECT))

    def prompt(self, text: str) -> None:
        self.step()
        self._add(user(text))

    def batch(self, *calls: Call, said: str = "") -> None:
        mid = self.turn(calls)
        blocks = [_asked(call, f"{mid}.{number}") for number, call in enumerate(calls)]
        self._add(reply(*self._words(said), *blocks))
        for number, call in enumerate(calls):
            error = call.became != "ok"
            self._add(result(_told(call), _TOOLS.get(call.kind, "bash"), f"{mid}.{number}", error=error))

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        self._call = self.step()
        self._add(reply(_asked(call, self._call)))

    def finished(self, output: str) -> None:
        """The result of the call that was begun."""
        self.step()
        self._add(result(output, "bash", self._call))

    def lost(self) -> None:
        """A reply without a word."""
        self.step()
        self._add(reply(stop="stop"))

    def cut(self, said: str = "") -> None:
        """A reply that reached its limit of tokens."""
        self.step()
        self._add(reply(*self._words(said), stop="length"))

    def claim(self, said: str = "Done: it builds again.") -> None:
        self.step()
        self._add(reply(*self._words(said), stop="stop"))

    def _words(self, words: str) -> list[dict[str, Any]]:
        thinking = self.thought()
        return ([thought(thinking)] if thinking else []) + ([said(words)] if words else [])

    def _add(self, message: dict[str, Any]) -> None:
        number = len(self.rows)
        about = {"id": f"e{number}", "parentId": f"e{number - 1}" if number > 1 else None}
        self._row({"type": "message", "message": message} | about)

    def _row(self, row: dict[str, Any]) -> None:
        when = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.rows.append(row | {"timestamp": when})


_TOOLS = {"read": "read", "edit": "edit", "write": "write"}


def _asked(call: Call, number: str) -> dict[str, Any]:
    match call.kind:
        case "edit":
            return asked("edit", number, path=call.path, edits=[{"oldText": call.old, "newText": call.new}])
        case "write":
            return asked("write", number, path=call.path, content=call.new)
        case "read":
            return asked("read", number, path=call.path)
    return asked("bash", number, command=call.command)


def _told(call: Call) -> str:
    match call.became:
        case "not_executed":
            return "Skipped due to queued user message."
        case "failed" if call.kind == "shell":
            return f"{call.output or '(no output)'}\n\nCommand exited with code {call.code}"
        case "failed":
            return call.output or _NOT_FOUND.format(call.path)
    if call.kind == "edit":
        return call.output or f"Successfully replaced 1 block(s) in {call.path}."
    return f"Successfully wrote {len(call.new)} bytes to {call.path}" if call.kind == "write" else call.output
