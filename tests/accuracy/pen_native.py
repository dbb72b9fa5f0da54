"""Runs in monitor's own event format, and as monitor's journals, which hold what was measured too."""

from __future__ import annotations

import json
from typing import Any

from pen import PROJECT, Call, Pen

_FAILED = {"not_found": "old text not found", "exists": "the file exists already", "": "it failed"}
_TOOLS = {"shell": "bash", "read": "read", "edit": "edit", "write": "write", "poll": "bash_output"}


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
        message = self.step()
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

    def asks(self, command: str) -> None:
        """A call that waits for a person."""
        message = self.step()
        self._called(Call("shell", command=command), f"{message}.0", message)
        self.event("Waiting", on="approval", about=command, call=f"{message}.0")

    def allowed(self, output: str) -> None:
        """The person has allowed it, and here is its result."""
        name = f"m{self.messages}.0"
        self.step()
        self.messages -= 1
        self.event("Waiting", on="approval", call=name, over=True)
        self.event("ToolReturned", call=name, outcome="ok", output=output, exit=0)

    def log(self) -> bytes:
        return b"".join(json.dumps(row).encode() + b"\n" for row in self.rows)

    def _thinks(self, message: str) -> None:
        if thought := self.thought():
            self.event("Thought", message=message, text=thought)

    def _called(self, call: Call, name: str, message: str) -> None:
        told: dict[str, Any] = {"file": call.file, "old": call.old, "new": call.new} if call.file else {}
        if call.kind in ("edit", "write"):
            change = (
                told | {"op": call.kind} if call.kind == "edit" else {"file": call.file, "op": "write", "new": call.new}
            )
            told = {"changes": [change], "arguments": json.dumps(told)}
        elif call.kind == "read":
            told = {"paths": [call.file], "arguments": json.dumps({"path": call.file})}
        else:
            told = {"command": call.command, "arguments": json.dumps({"command": call.command})}
        kind = "write" if call.kind == "edit" else call.kind
        more = {"background": True} if call.became == "background" else {}
        self.event("ToolCalled", call=name, message=message, tool=_TOOLS[call.kind], kind=kind, **told, **more)

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
        if not output and call.kind in ("edit", "write"):
            output = "written"
        self.event("ToolReturned", call=name, outcome=outcome, output=output, **more)


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
