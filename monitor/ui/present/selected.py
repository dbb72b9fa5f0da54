"""The row at the cursor, with all that belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.detectors.thinking_view import ThinkingFlag
from monitor.events import Event, ToolReturned
from monitor.findings import Finding
from monitor.snapshot import Claim
from monitor.timeline.rows import Edit, Row


@dataclass(frozen=True, slots=True)
class Selected:
    """The row at the cursor, with all that belongs to it."""

    row: Row
    event: Event | None
    result: ToolReturned | None
    claim: Claim | None = None
    """The claim it is."""
    finding: Finding | None = None
    """The finding it proves."""
    flag: ThinkingFlag | None = None
    """What repeats in it."""
    number: int = 0
    """Which of the open findings it is, from 1."""
    of: int = 0
    """How many are open."""
    edits: Sequence[Edit] = ()
    """The changes it stands for, where they are several; `event` is that which proves the finding, else none of them."""
    warns: bool = False
    """Whether the advice can be sent here and now."""
