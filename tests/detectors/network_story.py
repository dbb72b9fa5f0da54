"""Calls to the network and what they printed, told one by one, for the tests of sites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from monitor.detectors.numbers import SitesNumbers
from monitor.detectors.sites import Sites
from monitor.detectors.sites_view import SiteEntry
from monitor.events import Acted, Event, Place, Prompted, ToolCalled, ToolReturned
from monitor.findings import Finding

NOT_FOUND = "HTTP/1.1 404 Not Found\nServer: x\n"


class Network:
    """Feeds a detector; each method tells one call with its result."""

    def __init__(self, **numbers: int) -> None:
        self.detector = Sites(SitesNumbers(**numbers))
        self.events: list[Event] = []
        self.request = 1

    def tell(self, event: Event) -> None:
        seq = len(self.events)
        event = replace(event, seq=seq, request=self.request, at=100.0 + seq, place=Place(0, seq + 1))
        self.events.append(event)
        self.detector.feed(event)

    def prompt(self) -> None:
        self.request += 1
        self.tell(Prompted(text="next"))

    def shell(self, command: str, output: str = "", code: int | None = 0, **more: Any) -> None:
        """A command, and what became of it."""
        self._call("bash", "shell", {"command": command}, output, code, **more)

    def fetch(self, url: str, output: str, outcome: Any = "ok") -> None:
        self._call("web_fetch", "fetch", {"url": url}, output, None, outcome=outcome)

    def settle(self, key: str, why: str = "known") -> None:
        self.tell(Acted(id="a", action="settle", receipt="done", subject=key, text=why))

    def _call(
        self, tool: str, kind: Any, arguments: dict[str, Any], output: str, code: int | None, **more: Any
    ) -> None:
        call = f"c{len(self.events)}"
        extra = {key: more.pop(key) for key in ("actor", "copied") if key in more}
        told = {"command": arguments.get("command", ""), "url": arguments.get("url", "")}
        self.tell(ToolCalled(call=call, tool=tool, kind=kind, arguments=json.dumps(arguments), **told, **extra))
        more.setdefault("outcome", "ok" if code in (0, None) else "failed")
        self.tell(ToolReturned(call=call, output=output, exit=code, **more, **extra))

    def site(self, name: str) -> SiteEntry:
        return next(entry for entry in self.detector.view().entries if entry.name == name)

    def names(self) -> dict[str, int]:
        """Every site of this request, with the calls that failed for it."""
        return {entry.name: entry.failed_calls for entry in self.detector.view().entries}

    def open(self) -> list[Finding]:
        return [finding for finding in self.detector.view().findings if finding.state == "open"]


def recorded(path: Path) -> list[Event]:
    """The shell and fetch calls of an lcode stream, as events."""
    told = Network()
    told.tell(Prompted(text="go"))
    for line in path.read_text().splitlines():
        record = json.loads(line)
        for call in record.get("tool_calls", ()) if record["type"] == "assistant" else ():
            arguments = call["arguments"]
            told.tell(
                ToolCalled(
                    call=call["id"],
                    tool=call["name"],
                    kind="fetch" if call["name"] == "web_fetch" else "shell",
                    arguments=json.dumps(arguments),
                    command=arguments.get("command", ""),
                    url=arguments.get("url", ""),
                )
            )
        if record["type"] == "tool_result":
            code = record["output"].rpartition("[exit code: ")[2].partition("]")[0]
            told.tell(
                ToolReturned(
                    call=record["id"],
                    output=record["output"],
                    outcome="failed" if record["error"] else "ok",
                    exit=int(code) if code.isdigit() else None,
                )
            )
    return told.events


def failing(told: Network, count: int, output: str = NOT_FOUND, host: str = "dl.google.com") -> None:
    for number in range(count):
        told.shell(f"curl -sI https://{host}/{len(told.events)}.{number}.zip | head -3", output)
