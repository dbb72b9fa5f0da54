"""What dirtywork's own fingerprint says of a case, beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from stories import Story

Theirs = Literal["changed", "same", "none"]
"""`none` where it could not measure, or turned its guard off for the whole run."""
SAME: Mapping[Theirs, bool | None] = {"changed": True, "same": False, "none": None}
"""What ours says where it says the same."""


@dataclass(frozen=True)
class Case:
    """What is done between two measurements, and what each says."""

    story: Story
    theirs: Theirs
    ours: bool | None
    """Whether it is a change; none where that is not known."""
    kind: str
    why: str
    """Why ours differs; empty where it does not."""


class Cases(list[Case]):
    """The cases of a file, in its order."""

    def told(
        self, theirs: Theirs, ours: bool | None = None, why: str = "", kind: str = "content"
    ) -> Callable[[Story], Story]:
        """Add a story; where nothing else is said, ours says what dirtywork does."""

        def add(story: Story) -> Story:
            self.append(Case(story, theirs, SAME[theirs] if ours is None else ours, kind, why))
            return story

        return add
