"""A run told call by call, for the tests of failed writes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from monitor.detectors.failed_writes import FailedWrites
from monitor.detectors.writes_view import FileEntry
from monitor.events import (
    Acted,
    Change,
    CloseLine,
    Event,
    FileChanged,
    FileOutcome,
    Looked,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    ToolCalled,
    ToolReturned,
)
from monitor.findings import Finding

FILE = '     1\t<resources>\n     2\t    <string name="app_name">Hello</string>\n     3\t</resources>'
GUESS = '<string name="app_name">Hallo</string>'
LINE = CloseLine(2, '    <string name="app_name">Hello</string>')

TOLD = {
    "not_found": "String to replace not found in file.",
    "exists": "File already exists.",
    "identical": "old_string and new_string are exactly the same.",
}


class Story:
    """Feeds a detector; every method tells one thing that happened, and gives what it wants looked at."""

    def __init__(self, cwd: str = "/p", **started: Any) -> None:
        self.detector = FailedWrites()
        self.events: list[Event] = []
        self.request = 1
        self._calls = 0
        if cwd or started:
            self.tell(RunStarted(cwd=cwd, **started))

    def tell(self, event: Event) -> list[Any]:
        event = replace(event, seq=len(self.events), request=self.request)
        self.events.append(event)
        return list(self.detector.feed(event))

    def call(self, *changes: Change, message: str = "", tool: str = "edit", call: str = "", **more: Any) -> str:
        """A write call is issued; its id comes back."""
        self._calls += 1
        call = call or f"c{self._calls}"
        more = {"kind": "write", **more}
        self.tell(ToolCalled(call=call, message=message, tool=tool, changes=changes, **more))
        return call

    def result(self, call: str, outcome: Any = "ok", failure: Any = "", **more: Any) -> list[Any]:
        more = {"output": TOLD.get(failure, failure or outcome), **more}
        return self.tell(ToolReturned(call=call, outcome=outcome, failure=failure, **more))

    def edit(
        self, file: str, outcome: Any = "ok", failure: Any = "", *, old: str = "a", new: str = "b", **more: Any
    ) -> str:
        """A whole edit, called and returned; each in a message of its own unless one is named."""
        message = more.pop("message", None) or f"m{len(self.events)}"
        returned = {name: more.pop(name) for name in ("files", "output", "at") if name in more}
        call = self.call(Change(file, "edit", old, new), message=message, **more)
        about = {name: more[name] for name in ("actor",) if name in more}
        self.result(call, outcome, failure, **returned, **about)
        return call

    def fail(self, file: str, failure: str = "not_found", **more: Any) -> str:
        return self.edit(file, "failed", failure, **more)

    def create(
        self, file: str, outcome: Any = "ok", failure: Any = "", *, new: str = "text\n", op: Any = "create", **more: Any
    ) -> str:
        message = more.pop("message", None) or f"m{len(self.events)}"
        call = self.call(Change(file, op, None, new), message=message, tool=op, **more)
        self.result(call, outcome, failure)
        return call

    def patch(
        self,
        files: list[str],
        outcome: str = "ok",
        failure: str = "",
        *,
        cause: str = "",
        old: str = "a",
        new: str = "b",
    ) -> str:
        call = self.call(
            *(Change(file, "edit", old, new) for file in files), message=f"m{len(self.events)}", tool="patch"
        )
        told = tuple(FileOutcome(file, outcome, failure, cause=file == cause) for file in files)
        self.result(call, outcome, failure, files=told)
        return call

    def shell(self, command: str = "ls", **more: Any) -> None:
        """A command, run to its end."""
        self._calls += 1
        self.tell(ToolCalled(call=f"s{self._calls}", tool="bash", kind="shell", command=command, **more))
        self.tell(ToolReturned(call=f"s{self._calls}", outcome="ok"))

    def read(self, file: str, output: str, **more: Any) -> None:
        self._calls += 1
        self.tell(ToolCalled(call=f"r{self._calls}", tool="read", kind="read", paths=(file,), **more))
        self.tell(ToolReturned(call=f"r{self._calls}", output=output))

    def answer(self, text: str = "Done.", how: Any = "answered") -> list[Any]:
        return self.tell(RequestEnded(how=how, text=text))

    def prompt(self, text: str = "Go on.") -> None:
        self.request += 1
        self.tell(Prompted(text=text))

    def end(self, status: str = "completed") -> list[Any]:
        return self.tell(RunEnded(status=status))

    def outside(self, file: str, **more: Any) -> list[Any]:
        return self.tell(FileChanged(file=file, **more))

    def looked(self, call: str, file: str, **more: Any) -> None:
        self.tell(Looked(call=call, file=file, **more))

    def settle(self, finding: Finding, text: str = "") -> None:
        self.tell(Acted(id="1", action="settle", receipt="done", subject=finding.key, text=text))

    @property
    def entries(self) -> tuple[FileEntry, ...]:
        return self.detector.view().entries

    @property
    def outstanding(self) -> list[str]:
        """The files outstanding, sorted."""
        return sorted(entry.file for entry in self.entries if entry.outstanding)

    def entry(self, file: str) -> FileEntry:
        (found,) = [entry for entry in self.entries if entry.file == file]
        return found

    @property
    def open(self) -> list[Finding]:
        return [one for one in self.detector.view().findings if one.state == "open"]

    @property
    def levels(self) -> dict[str, str]:
        """The level of each open finding by its subject's last part."""
        return {one.subject.rsplit("/", 1)[-1]: one.level for one in self.open}


def failed(failure: str = "not_found", **more: object) -> tuple[Story, str, list[object]]:
    """A failed edit: the run, the call, and what is to be looked at."""
    story = Story()
    call = story.call(Change("a.xml", "edit", GUESS, "new text"), message="m", **more)
    return story, call, story.result(call, "failed", failure)
