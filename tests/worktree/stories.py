"""Stories told in two parts, before and after a measurement, and the proof of what is to be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache

Story = Callable[[Any], Iterator[None]]


@dataclass(frozen=True)
class Trap:
    """A story, and the kinds and files it changes."""

    story: Story
    kinds: tuple[str, ...]
    files: tuple[str, ...]

    def prove(self, project):
        """Tell the story between two measurements; a third, that knows nothing of the others, agrees."""
        story = self.story(project)
        next(story)
        before = project.measure()
        assert project.measure() == before
        next(story, None)
        after = project.measure()
        assert before.reason == after.reason == ""
        found = compare(before, after)
        assert (found.kinds, found.files) == (self.kinds, tuple(sorted(self.files)))
        assert found.changed is bool(self.kinds)
        assert (before.content != after.content) == ("content" in self.kinds)
        assert (before.history != after.history) == ("history" in self.kinds)
        project.cache = StatCache()
        assert project.measure() == after


class Traps(list[Trap]):
    """The traps of a file, in its order."""

    def changes(self, *files: str, kinds: tuple[str, ...] = ("content",)) -> Callable[[Story], Story]:
        """Add a story that changes these files."""

        def add(story: Story) -> Story:
            self.append(Trap(story, kinds, files))
            return story

        return add

    def same(self, story: Story) -> Story:
        """Add a story that changes nothing."""
        return self.changes(kinds=())(story)
