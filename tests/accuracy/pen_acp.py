"""Runs as a client of the Agent Client Protocol may log its wire."""

from __future__ import annotations

from typing import Any

from agents.acp_wire import answer, asked, chosen, chunk, logged, news, prompt, sent, stopped, thought, update
from pen import PROJECT, Call, Pen

_KINDS = {"shell": "execute", "read": "read", "edit": "edit", "write": "edit", "patch": "edit", "fetch": "fetch"}
_FAILED = {"not_found": "Could not find the exact text in {}.", "exists": "{} already exists."}


class AcpPen(Pen):
    name = "ACP"
    kinds = ("shell", "read", "edit", "write", "patch", "fetch")
    outcomes = ("ok", "failed", "denied", "refused")
    moves = False

    def begin(self, **_: Any) -> None:
        self._number = 2
        about = {"protocolVersion": 1, "agentCapabilities": {}, "agentInfo": {"name": "some-agent", "version": "1.0"}}
        self._put("client", sent("initialize", {"protocolVersion": 1}, 1))
        self._put("agent", answer(1, about))
        self._put("client", sent("session/new", {"cwd": PROJECT, "mcpServers": []}, 2))
        self._put("agent", answer(2, {"sessionId": "s1"}))

    def prompt(self, text: str) -> None:
        self.step()
        self._number += 1
        self._put("client", prompt(text, self._number))

    def batch(self, *calls: Call, said: str = "") -> None:
        message = self.turn(calls)
        self._thinks()
        if said:
            self._put("agent", chunk(said))
        for number, call in enumerate(calls):
            self._called(call, f"{message}.{number}")
        for number, call in enumerate(calls):
            self._returned(call, f"{message}.{number}")

    def claim(self, text: str = "Done: it builds again.") -> None:
        self.step()
        self._thinks()
        self._put("agent", chunk(text))
        self._put("agent", stopped(number=self._number))

    def begun(self, call: Call) -> None:
        """A call whose result has not come yet."""
        self._called(call, f"{self.step()}.0")

    def finished(self, output: str) -> None:
        """The result of the call that was begun."""
        name = f"m{self.messages}.0"
        self.step()
        self._put("agent", news(name, text=output, rawOutput={"exitCode": 0}))

    def asks(self, command: str) -> None:
        """A call that waits for a person."""
        self.begun(Call("shell", command=command))
        self._put("agent", asked(f"m{self.messages}.0", 90))

    def allowed(self, output: str) -> None:
        """The person has allowed it, and here is its result."""
        self._put("client", chosen("yes", 90))
        self.finished(output)

    def _thinks(self) -> None:
        text = self.thought()
        for at in range(0, len(text), 40):
            self._put("agent", thought(text[at : at + 40]))

    def _put(self, side: str, message: dict[str, Any]) -> None:
        self.rows.append(logged(message, side, self.at))

    def _called(self, call: Call, name: str) -> None:
        match call.kind:
            case "edit":
                given = {"path": call.file, "old_string": call.old, "new_string": call.new}
            case "write":
                given = {"path": call.file, "content": call.new}
            case "read":
                given = {"path": call.file}
            case "fetch":
                given = {"url": call.url}
            case "patch":
                parts = (f"*** Update File: {file}\n@@\n-{call.old}\n+{call.new}\n" for file in call.files)
                given = {"patchText": f"*** Begin Patch\n{''.join(parts)}*** End Patch"}
            case _:
                given = {"command": call.command}
        title = call.command or f"{call.kind.capitalize()} {call.file}"
        kind = _KINDS[call.kind]
        self._put(
            "agent", update("tool_call", toolCallId=name, title=title, kind=kind, status="pending", rawInput=given)
        )

    def _returned(self, call: Call, name: str) -> None:
        if call.became in ("denied", "refused"):
            self._put("agent", asked(name, 80))
            self._put("client", chosen("no" if call.became == "denied" else None, 80))
            words = "The user rejected this call." if call.became == "denied" else "Blocked by a policy rule."
            self._put("agent", news(name, "failed", words))
        elif call.kind == "shell":
            self._put("agent", news(name, text=call.output, rawOutput={"exitCode": call.code}))
        elif call.became == "failed":
            file = call.file or call.files[0]
            self._put("agent", news(name, "failed", call.output or _FAILED[call.failure].format(file)))
        else:
            self._put("agent", news(name, text=call.output or f"Edited {call.file}"))
