"""A call and its result as the rules of repetition see them."""

from __future__ import annotations

import re

from monitor.detectors.call_book import Made
from monitor.detectors.call_identity import identity, may_change, named
from monitor.detectors.folding import Told
from monitor.events import Outcome, ToolCalled, ToolReturned
from monitor.findings import Spot
from monitor.shell.effects import only_looks

EXECUTED: tuple[Outcome, ...] = ("ok", "failed", "timed_out")
"""Outcomes of calls that ran."""
UNTOLD: tuple[Outcome, ...] = ("cancelled", "unknown")
"""Outcomes that say nothing of what a call would have brought."""
_EXIT_LINE = re.compile(
    r"^(?:\[?exit code:? -?\d+\]?|Command exited with code -?\d+|\(no output\))$", re.MULTILINE | re.IGNORECASE
)
"""What a harness says of a command that printed nothing."""


def made_of(call: ToolCalled, result: ToolReturned) -> Made:
    """What became of a call."""
    shell = call.kind == "shell"
    executed, ok = result.outcome in EXECUTED, result.outcome == "ok"
    exited = shell and result.outcome == "failed" and result.exit is not None
    return Made(
        key=identity(call),
        name=named(call),
        told=Told(result.output, (result.outcome, result.exit)),
        spot=Spot(result.seq, result.place.input, result.place.line),
        turn=call.turn,
        executed=executed,
        refused=result.outcome == "not_executed",
        ok=ok,
        ran=ok or exited,
        failed=not ok and not exited,
        changes=executed and may_change(call, made=ok),
        write=call.kind == "write",
        net=_net(result),
        command=hash(call.command) if shell and call.command and not call.arguments_cut else None,
        broken=shell and result.outcome in ("failed", "timed_out") and not _found_nothing(call, result),
        cut=result.cut,
    )


def _net(result: ToolReturned) -> bool:
    """Whether a write is not known to have left everything as it was."""
    return not result.files or any(one.added != 0 or one.removed != 0 for one in result.files)


def _found_nothing(call: ToolCalled, result: ToolReturned) -> bool:
    """A search without a match, or a comparison: exit 1 without a word is its answer."""
    return result.exit == 1 and not _EXIT_LINE.sub("", result.output).strip() and only_looks(call.command)
