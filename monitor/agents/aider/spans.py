"""Places that hold several lines."""

from __future__ import annotations

from monitor.agents.aider.blocks import Block
from monitor.events import Place


def span(begun: Place, last: Place | None) -> Place:
    """From one line to another, both included."""
    if last is None:
        return begun
    return Place(begun.input, begun.line, begun.offset, max(last.offset + last.length - begun.offset, begun.length))


def lines_of(block: Block, last: Place) -> Place:
    """From a block's first line to its last."""
    return Place(last.input, block.line, block.offset, max(last.offset + last.length - block.offset, last.length))
