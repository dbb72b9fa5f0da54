"""Decodes what `lcode -p … --output json` prints: one object, when all is over."""

from __future__ import annotations

from monitor.agents.fields import Object, parts, raw, stamped, text, truth
from monitor.agents.lcode import ending, notes
from monitor.agents.lcode.results import KEPT, returned
from monitor.agents.lcode.started import finished
from monitor.agents.lcode.tools import called
from monitor.events import Event, Prompted, Said, ToolCalled
from monitor.streams.record import Record

_STARTED, _SAID, _PROMPTED = 5, 6, 7
_CALLS = 1_000
_EACH = 8
"""Items kept for each call: itself, its result, and lcode's notes on it."""


def decoded(found: Object, record: Record) -> list[Event]:
    """The whole run."""
    events: list[tuple[int, Event]] = [(_STARTED, finished(found)), (_PROMPTED, Prompted(text=""))]
    status = raw(found, "status")
    told = parts(found, "tool_calls")
    pending: list[ToolCalled] = []
    for index, one in enumerate(told):
        item = _CALLS + index * _EACH
        call = called(raw(one, "name"), one.get("arguments"), f"c{index}", "")
        events.append((item, call))
        output = raw(one, "output")
        if not output and status != "success":
            pending.append(call)
            continue
        events.append((item + 1, returned(call, output, error=truth(one, "error") is True, kept=KEPT)))
        events += list(enumerate(notes.on_result(output), item + 2))[: _EACH - 2]
    events += ending.left_open(pending, status)
    if status == "success" and text(found, "text").strip():
        events.append((_SAID, Said(message="answer", text=text(found, "text"))))
    events += ending.ended(found, claimed=False)
    return stamped(events, record, None)
