"""An agent's log beside a real folder, told step by step."""

from __future__ import annotations

import time

import logs
from waiting import until

from monitor.opening import supervised
from monitor.targets import find


class Run:
    """An agent that writes its own log and its project, followed live."""

    def __init__(self, room):
        self.project = room / "project"
        self.log = room / "run.jsonl"
        self.calls = 0
        self.supervisor = None

    def begin(self, **more):
        """The run has started, and the folder is measured before the prompt."""
        folder = str(self.project)
        self.log.write_bytes(logs.lines(logs.started(project=folder, cwd=folder, lag="event", at=time.time()) | more))
        self.supervisor = supervised(find(str(self.log)), self.project)
        self.supervisor.start()
        self.measured(1)
        self.tell(logs.prompted(at=time.time()))
        self.measured(2)

    def tell(self, *events):
        with self.log.open("ab") as file:
            file.write(logs.lines(*events))

    def measured(self, times):
        until(lambda: self.shown.worktree.measured >= times and not self.shown.worktree.pending)

    @property
    def shown(self):
        return self.supervisor.snapshot

    def call(self, kind, does=lambda: None, outcome="ok", **more):
        self.calls += 1
        call = f"c{self.calls}"
        self.tell({"event": "ToolCalled", "call": call, "kind": kind, "tool": kind, "at": time.time(), **more})
        does()
        self.tell({"event": "ToolReturned", "call": call, "outcome": outcome, "at": time.time()})

    def write(self, file, text):
        changes = [{"file": file, "op": "write", "new": text}]
        self.call("write", lambda: (self.project / file).write_text(text), changes=changes)

    def claim(self, text="Done."):
        self.tell(*logs.answered(text, at=time.time()))
        until(lambda: self.shown.claims and not self.shown.verdict.provisional)
        return self.shown.verdict

    def finding(self, detector):
        return next((one for one in self.shown.findings if (one.detector, one.state) == (detector, "open")), None)
