"""Runs in monitor's own event format, and as monitor's journals, which hold what was measured too."""

from __future__ import annotations

import json
from typing import Any

from pen import PROJECT, Call, Pen

_FAILED = {"not_found": "old text not found", "exists": "the file exists already", "": "it failed"}
_TOOLS = {"shell": "bash", "poll": "bash_output"}
"""What a tool is called that is not called by what it does."""
_WRITES = ("edit", "write", "create", "patch")


class NativePen(Pen):
    name = "monitor's own"

    def event(self, kind: str, /, **fields: Any) -> None:
        self.rows.append({"event": kind, "at": self.at, **fields})

    def begin(self, **about: Any) -> None:
        self.event("RunStarted", agent="tester", session="s1", cwd=PROJECT, project=PROJECT, **about)

    def prompt(self, text: str) -> None:
        self.step()
        self.event("Prompted", text=text)

    def nag(self, text: str) -> None:
        """What the harness says by itself."""
        self.step()
        self.event("Prompted", text=text, by="harness", into="running")

    def batch(self, *calls: Call, said: str = "") -> None:
        message = self.turn(calls)
        self._thinks(message)
        if said:
            self.event("Said", message=message, text=said)
        for number, call in enumerate(calls):
            self._called(call, f"{message}.{number}", message)
        for number, call in enumerate(calls):
            self._returned(call, f"{message}.{number}")
        self.event("ReplyEnded", message=message, stop="tools")

    def lost(self) -> None:
        """A reply without a word."""
        self.event("ReplyEnded", message=self.step(), stop="end", empty=True, raw="stop")

    def cut(self, text: str = "") -> None:
        """A reply that reached its limit of tokens."""
        message = self.step()
        if text:
            self.event("Said", message=message, text=text)
        self.event("ReplyEnded", message=message, stop="length", empty=not text)

    def claim(self, text: str = "Done: it builds again.") -> None:
        message = self.step()
        self._thinks(message)
        self.event("Said", message=message, text=text)
        self.event("RequestEnded", how="answered", text=text)

    def end(self) -> None:
        self.step()
        self.event("RunEnded", status="completed")

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        message = self.step()
        self._called(call, f"{message}.0", message)

    def finished(self, output: str) -> None:
        """The result of the call that was begun."""
        name = f"m{self.messages}.0"
        self.step()
        self.event("ToolReturned", call=name, outcome="ok", output=output, exit=0)

    def asks(self, command: str) -> None:
        """A call that waits for a person."""
        self.begun(Call("shell", command=command))
        self.event("Waiting", on="approval", about=command, call=f"m{self.messages}.0")

    def allowed(self, output: str) -> None:
        """The person has allowed it, and here is its result."""
        self.event("Waiting", on="approval", call=f"m{self.messages}.0", over=True)
        self.finished(output)

    def _thinks(self, message: str) -> None:
        if thought := self.thought():
            self.event("Thought", message=message, text=thought)

    def _called(self, call: Call, name: str, message: str) -> None:
        match call.kind:
            case "edit" | "patch":
                change = {"op": "edit", "old": call.old, "new": call.new}
                told = _writes([{"file": file, **change} for file in call.files or (call.file,)])
            case "write" | "create":
                told = _writes([{"file": call.file, "op": call.kind, "new": call.new}])
            case "read":
                told = {"paths": [call.file], "arguments": json.dumps({"path": call.file})}
            case "fetch":
                told = {"url": call.url, "arguments": json.dumps({"url": call.url})}
            case _:
                told = {"command": call.command, "arguments": json.dumps({"command": call.command})}
        kind = "write" if call.kind in _WRITES else call.kind
        more = {"background": True} if call.became == "background" else {}
        self.event(
            "ToolCalled", call=name, message=message, tool=_TOOLS.get(call.kind, call.kind), kind=kind, **told, **more
        )

    def _returned(self, call: Call, name: str) -> None:
        outcome, output = call.became, call.output
        more: dict[str, Any] = {}
        if call.became == "background":
            outcome, more = "ok", {"background": True}
        elif call.kind == "shell" and call.became in ("ok", "failed"):
            more = {"exit": call.code}
        elif call.became == "failed":
            more, output = {"failure": call.failure or "other"}, output or _FAILED[call.failure]
        if call.cwd:
            more["cwd"] = call.cwd
        if not output and call.kind in _WRITES:
            output = "written"
        self.event("ToolReturned", call=name, outcome=outcome, output=output, **more)


def _writes(changes: list[dict[str, Any]]) -> dict[str, Any]:
    return {"changes": changes, "arguments": json.dumps(changes)}


class JournalPen(NativePen):
    name = "monitor's journal"

    def begin(self, **about: Any) -> None:
        self.rows.append({"journal": "monitor", "format": 1, "run": "r", "agent": "tester", "began": self.at})
        super().begin(**{"lag": "message", **about})

    def event(self, kind: str, /, **fields: Any) -> None:
        super().event(kind, seen=self.at, **fields)

    def measured(self, when: str, *, changed: bool | None, reason: str = "", files: tuple[str, ...] = ()) -> None:
        """The monitor has measured the project folder."""
        self.step()
        told = {"when": when, "changed": changed, "since_start": changed, "reason": reason, "files": list(files)}
        content = "c" if not changed else f"c{self.messages}"
        self.event(
            "TreeMeasured", by="monitor", content=content, history="h", kinds=["content"] if changed else [], **told
        )

    def changed(self, file: str, after: float = 1) -> None:
        """The monitor has seen a file change, so many seconds after the step before."""
        self.step()
        self.at += after - 1
        self.event("FileChanged", file=file, what="modified", before="b" * 64, after=f"{self.messages:064}")

    def feedback(self, text: str) -> None:
        """What the operator has the agent told."""
        self.step()
        self.event("Prompted", text=text, by="operator", into="running")

    def warned(self, subject: str) -> None:
        """The agent was told what the monitor has found."""
        self.step()
        self.event("Acted", id="1", action="warn", receipt="delivered", subject=subject, text="Stop reading a.py.")
