"""What can be seen to happen in a run: one frozen type per kind of event.

Decoders make events, `run.Run` numbers them and folds them through the detectors, the journal keeps them.
Texts in events are clean (`text.clean`): no control character but newline and tab.
"""

from __future__ import annotations

from monitor.events.calls import (
    Change,
    Failure,
    FileOutcome,
    Kind,
    Op,
    Outcome,
    ToolCalled,
    ToolReturned,
)
from monitor.events.seen import (
    DETECTORS,
    NOWHERE,
    Coverage,
    Place,
    Seen,
    Sees,
)
from monitor.events.told import (
    By,
    Checked,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Spoken,
    Thought,
    Tokens,
    Used,
    Waiting,
)
from monitor.events.watched import (
    Acted,
    CloseLine,
    FileChanged,
    Looked,
    SourceChanged,
    Tick,
    TreeMeasured,
    Unreadable,
)

__all__ = [
    "DETECTORS",
    "NOWHERE",
    "OURS",
    "Acted",
    "By",
    "Change",
    "Checked",
    "CloseLine",
    "Coverage",
    "Event",
    "Failure",
    "FileChanged",
    "FileOutcome",
    "Kind",
    "Looked",
    "Noticed",
    "Op",
    "Outcome",
    "Place",
    "Prompted",
    "ReplyEnded",
    "RequestEnded",
    "RunEnded",
    "RunStarted",
    "Said",
    "Seen",
    "Sees",
    "SourceChanged",
    "Spoken",
    "Thought",
    "Tick",
    "Tokens",
    "ToolCalled",
    "ToolReturned",
    "TreeMeasured",
    "Unreadable",
    "Used",
    "Waiting",
]

Event = (
    RunStarted | Prompted | Thought | Said | ToolCalled | ToolReturned | ReplyEnded | RequestEnded | Used | Waiting
    | Noticed | Checked | RunEnded | SourceChanged | TreeMeasured | FileChanged | Looked | Acted | Unreadable | Tick
)  # fmt: skip
"""Any event."""

OURS = (TreeMeasured, FileChanged, Looked, Acted, Tick)
"""Only the monitor may say these: in a foreign stream they are unreadable, so that no agent forges a measurement."""
