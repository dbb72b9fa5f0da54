"""Runs as Claude Code's session transcripts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agents.claude_lines import assistant, prompt, result, row, text, thinking, use
from pen import PROJECT, Call, Pen

_DENIED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."
)
_REFUSED = "Permission to use {} with command x has been denied."
_FAILED = {
    "not_found": "<tool_use_error>String to replace not found in file.\nString: {}</tool_use_error>",
    "exists": "<tool_use_error>Cannot create new file - file already exists.</tool_use_error>",
}


class ClaudePen(Pen):
    name = "Claude Code"
    kinds = ("shell", "read", "edit", "write", "create", "poll", "fetch")

    def begin(self, **_: Any) -> None:
        self.cwd = PROJECT

    def prompt(self, text: str) -> None:
        self.step()
        self._row(prompt(text, **self._now()))

    def nag(self, text: str) -> None:
        """What a hook says by itself."""
        self.step()
        self._row(
            row("user", message={"role": "user", "content": f"Stop hook feedback:\n{text}"}, isMeta=True, **self._now())
        )

    def batch(self, *calls: Call, said: str = "") -> None:
        mid = self.turn(calls)
        blocks = [*self._thinks(), *([text(said)] if said else [])]
        blocks += [_use(call, f"{mid}.{number}") for number, call in enumerate(calls)]
        for number, block in enumerate(blocks):
            last = number == len(blocks) - 1
            self._row(assistant(block, mid=mid, stop="tool_use" if last else None, **self._now()))
        for number, call in enumerate(calls):
            self.cwd = call.cwd or self.cwd
            self._row(_result(call, f"{mid}.{number}", self._now()))

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        mid = self.step()
        self._row(assistant(_use(call, f"{mid}.0"), mid=mid, stop="tool_use", **self._now()))

    def finished(self, output: str) -> None:
        """The result of the call that was begun."""
        name = f"m{self.messages}.0"
        self.step()
        self._row(_result(Call("shell", output=output), name, self._now()))

    def cut(self, said: str = "") -> None:
        """A reply that reached its limit of tokens."""
        blocks = [text(said)] if said else [thinking("")]
        self._row(assistant(*blocks, mid=self.step(), stop="max_tokens", **self._now()))

    def lost(self) -> None:
        """A reply without a word."""
        self._row(assistant(mid=self.step(), stop="end_turn", **self._now()))

    def claim(self, said: str = "Done: it builds again.") -> None:
        self._row(assistant(*self._thinks(), text(said), mid=self.step(), stop="end_turn", **self._now()))

    def _thinks(self) -> list[dict[str, Any]]:
        thought = self.thought()
        return [thinking(thought)] if thought else []

    def _row(self, made: dict[str, Any]) -> None:
        self.rows.append(made)

    def _now(self) -> dict[str, str]:
        when = datetime.fromtimestamp(self.at, UTC)
        return {"at": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "cwd": self.cwd}


def _use(call: Call, name: str) -> dict[str, Any]:
    match call.kind:
        case "edit" | "create":
            return use(name, "Edit", file_path=call.path, old_string=call.old, new_string=call.new)
        case "write":
            return use(name, "Write", file_path=call.path, content=call.new)
        case "read":
            return use(name, "Read", file_path=call.path)
        case "fetch":
            return use(name, "WebFetch", url=call.url, prompt="What does it say?")
        case "poll":
            return use(name, "BashOutput", bash_id="1")
    more = {"run_in_background": True} if call.became == "background" else {}
    return use(name, "Bash" if call.became != "not_executed" else "Shell", command=call.command, **more)


def _result(call: Call, name: str, now: dict[str, str]) -> dict[str, Any]:
    match call.became:
        case "denied":
            return result(name, _DENIED, error=True, report="User rejected tool use", **now)
        case "refused":
            return result(name, _REFUSED.format(call.kind.capitalize()), error=True, **now)
        case "not_executed":
            return result(
                name, "<tool_use_error>Error: No such tool available: Shell</tool_use_error>", error=True, **now
            )
        case "background":
            told = "Command running in background with ID: 1"
            return result(name, told, error=False, report={"backgroundTaskId": "1"}, **now)
        case "failed" if call.kind == "shell":
            return result(name, f"Exit code {call.code}\n{call.output}", error=True, **now)
        case "failed":
            return result(name, call.output or _FAILED[call.failure].format(call.old), error=True, **now)
    if call.kind == "shell":
        return result(name, call.output, error=False, report={"stdout": call.output, "interrupted": False}, **now)
    if call.kind in ("read", "poll", "fetch"):
        return result(name, call.output, **now)
    hunk = {"lines": [f"-{call.old}", f"+{call.new}"]}
    told = call.output or f"The file {call.path} has been updated."
    return result(name, told, report={"filePath": call.path, "structuredPatch": [hunk]}, **now)
