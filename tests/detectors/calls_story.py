"""Calls, replies and what became of them, told one by one, for the tests of any detector."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from monitor.events import (
    Acted,
    Change,
    Event,
    FileOutcome,
    Place,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Tick,
    ToolCalled,
    ToolReturned,
)
from monitor.findings import Finding
from monitor.run.numbering import Numbering


class Calls:
    """Numbers events as a run does and feeds them to a detector."""

    def __init__(self, detector: Any, cwd: str = "/p", **started: Any) -> None:
        self.detector = detector
        self.events: list[Event] = []
        self._numbering = Numbering()
        self._calls = 0
        if cwd or started:
            self.tell(RunStarted(cwd=cwd, **started))
        self.tell(Prompted(text="go"))

    def tell(self, event: Event) -> Event:
        """One event as it stands, numbered."""
        event = replace(event, place=Place(0, len(self.events) + 1))
        event = self._numbering.number(event)
        self.events.append(event)
        self.detector.feed(event)
        return event

    def call(self, tool: str, kind: Any, arguments: dict[str, Any] | str, **more: Any) -> str:
        """A call in a message of its own unless one is named; its id comes back."""
        self._calls += 1
        call = more.pop("call", f"c{self._calls}")
        told = arguments if isinstance(arguments, str) else json.dumps(arguments)
        more.setdefault("message", f"m{self._calls}")
        self.tell(ToolCalled(call=call, tool=tool, kind=kind, arguments=told, **more))
        return call

    def result(self, call: str, output: str = "", outcome: Any = "ok", **more: Any) -> None:
        self.tell(ToolReturned(call=call, output=output, outcome=outcome, **more))

    def shell(self, command: str, output: str = "", code: int = 0, **more: Any) -> None:
        """A command, run to an exit code."""
        about = {name: more.pop(name) for name in ("actor", "message", "timeout", "background") if name in more}
        call = self.call("bash", "shell", {"command": command}, command=command, **about)
        more.setdefault("outcome", "ok" if code == 0 else "failed")
        actor = {"actor": about["actor"]} if "actor" in about else {}
        self.result(call, output, exit=code, **more, **actor)

    def read(self, file: str, output: str = "text", outcome: Any = "ok", **more: Any) -> None:
        about = {name: more.pop(name) for name in ("actor", "message") if name in more}
        call = self.call("read_file", "read", {"path": file}, paths=(file,), **about)
        self.result(call, output, outcome, **more, **({"actor": about["actor"]} if "actor" in about else {}))

    def write(self, file: str, text: str = "x", outcome: Any = "ok", *, op: Any = "write", **more: Any) -> None:
        """A file written whole, or edited from `old` to the text."""
        about = {name: more.pop(name) for name in ("actor", "message", "old") if name in more}
        old = about.pop("old", None)
        arguments = {"path": file, "new": text} | ({"old": old} if old is not None else {})
        tool = "edit_file" if op == "edit" else "write_file"
        call = self.call(tool, "write", arguments, changes=(Change(file, op, old, text),), **about)
        more.setdefault("files", (FileOutcome(file, outcome),))
        self.result(
            call, more.pop("output", "done"), outcome, **more, **({"actor": about["actor"]} if "actor" in about else {})
        )

    def edit(self, file: str, old: str = "a", new: str = "b", outcome: Any = "ok", **more: Any) -> None:
        self.write(file, new, outcome, op="edit", old=old, **more)

    def say(self, text: str = "Hm.", **more: Any) -> None:
        """A reply of words alone."""
        self._calls += 1
        message = f"m{self._calls}"
        self.tell(Said(message=message, text=text, **more))
        self.tell(ReplyEnded(message=message, **({"actor": more["actor"]} if "actor" in more else {})))

    def reply(self, stop: Any = "end", *, empty: bool = True, **more: Any) -> None:
        """A reply without a word."""
        self._calls += 1
        self.tell(ReplyEnded(message=f"m{self._calls}", stop=stop, empty=empty, **more))

    def answer(self, text: str = "Done.", how: Any = "answered") -> None:
        self.tell(RequestEnded(how=how, text=text))

    def prompt(self, text: str = "Next.", **more: Any) -> None:
        self.tell(Prompted(text=text, **more))

    def end(self, status: str = "completed") -> None:
        self.tell(RunEnded(status=status))

    def tick(self, now: float) -> None:
        self.tell(Tick(now=now))

    def act(self, action: str, subject: str = "", receipt: Any = "done", name: str = "1") -> None:
        self.tell(Acted(id=name, action=action, subject=subject, receipt=receipt))

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.detector.view().findings

    @property
    def open(self) -> list[Finding]:
        return [one for one in self.findings if one.state == "open"]

    @property
    def levels(self) -> dict[str, str]:
        """The level of each open finding."""
        return {one.subject: one.level for one in self.open}


def fed(detector: Any, events: list[Event]) -> Any:
    """The detector after these events."""
    for event in events:
        detector.feed(event)
    return detector


def numbered(events: list[Event]) -> list[Event]:
    """The events as a run numbers them."""
    numbering = Numbering()
    return [numbering.number(event) for event in events]
