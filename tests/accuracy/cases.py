"""The labelled runs: each is a story told step by step, with a label at the places that count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pen import CannotTellError, Pen
from pen_acp import AcpPen
from pen_aider import AiderPen
from pen_atif import AtifPen
from pen_claude import ClaudePen
from pen_dirtywork import DirtyworkPen
from pen_lcode import LcodePen
from pen_mini import MiniPen
from pen_native import JournalPen, NativePen
from pen_openhands import OpenHandsPen
from pen_pi import PiPen
from pen_swe import SwePen

Story = Callable[[Pen], None]
AGENTS: tuple[type[Pen], ...] = (
    NativePen, ClaudePen, LcodePen, AcpPen, DirtyworkPen, MiniPen, SwePen, OpenHandsPen, AtifPen, PiPen,
)  # fmt: skip
"""The formats that every story is told in, as far as they have words for it."""
EDITS: tuple[type[Pen], ...] = (AiderPen,)
"""Formats that tell edits and words alone: few stories can be told in them."""
JOURNAL: tuple[type[Pen], ...] = (JournalPen,)
"""The one that holds measurements."""


@dataclass(frozen=True)
class Case:
    """One story, and the formats it is told in."""

    story: Story
    pens: tuple[type[Pen], ...] = (*AGENTS, *EDITS)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.story.__name__


CASES: list[Case] = []


def case(story: Story) -> Story:
    """Add a story that any agent may live through."""
    CASES.append(Case(story))
    return story


def measured_case(story: Story) -> Story:
    """Add a story in which the folder is measured."""
    CASES.append(Case(story, JOURNAL))
    return story


def told(one: Case) -> Iterator[Pen]:
    """The story in each format that can tell it."""
    for kind in one.pens:
        try:
            pen = kind()
            one.story(pen)
        except CannotTellError:
            continue
        yield pen
