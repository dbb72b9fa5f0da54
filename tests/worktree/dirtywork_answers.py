"""What dirtywork's own fingerprint says of a case, beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from stories import Story

Theirs = Literal["changed", "same", "none"]
"""`none` where it could not measure, or turned its guard off for the whole run."""


@dataclass(frozen=True)
class Case:
    """What is done between two measurements, and what each says."""

    story: Story
    theirs: Theirs
    ours: bool
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
            self.append(Case(story, theirs, theirs == "changed" if ours is None else ours, kind, why))
            return story

        return add
