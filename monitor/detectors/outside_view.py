"""Who changed which file, and what was changed outside the agent's view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.findings import Finding


@dataclass(frozen=True, slots=True)
class Author:
    """Whose hand a change was, as far as that can be told."""

    by: str = ""
    """`agent`, `shell`, `outside`, `unknown`, or another run's name; empty while the source has yet to tell."""
    why: str = ""
    at: float | None = None
    """When that hand last changed it."""
    added: int | None = None
    """Lines since the start, all hands together."""
    removed: int | None = None
    seq: int = -1
    """Of the latest change."""
    also: str = ""
    """The run's own hand, where it changed the file before this one did; empty for none."""
    last: float | None = None
    """When the file last changed."""


NOBODY = Author()
_OURS = ("", "agent", "shell", "unknown")
"""Hands that are the run's own, or may be."""
UNSEEN = Author("unknown", "it was not seen to change by itself")
"""Of a file that differs, though no change of it was told: too many changed at once, or nobody watched."""


@dataclass(frozen=True, slots=True)
class OutsideEdit:
    """One change of a file that was outside the agent's view."""

    file: str
    at: float | None
    seq: int
    by: str = ""
    """Another attached run; empty for a hand unknown."""
    overwritten: bool = False
    """The agent then wrote over it."""


@dataclass(frozen=True, slots=True)
class Overwritten:
    """A version from outside that the agent wrote over."""

    file: str
    digest: str
    """SHA-256 of what was lost, in hex."""
    changed: float
    """When it came to be so, seconds since the epoch."""
    at: float
    by: str
    """What wrote over it."""


@dataclass(frozen=True, slots=True)
class OutsideView:
    """What is known of the hands that change the project."""

    edits: tuple[OutsideEdit, ...] = ()
    """Oldest first."""
    overwritten: tuple[Overwritten, ...] = ()
    authors: Mapping[str, Author] = field(default_factory=lambda: MappingProxyType({}))
    """By file as `FileChanged` names it: whoever changed it since the latest prompt or, where nobody did, before."""
    forgotten: int = -1
    """The seq of the latest change of a file that is not among them any more."""
    pending: int = 0
    """Changes of which the source has yet to tell whether the agent made them."""
    blind: str = ""
    """Why nothing can be told from outside; empty when it can."""
    findings: tuple[Finding, ...] = ()

    def who(self, file: str) -> Author:
        """Who changed a file, why that is thought, and when."""
        return self.authors.get(file, UNSEEN)


def merged(worktree: WorktreeView, outside: OutsideView) -> WorktreeView:
    """The measured files, each with whoever changed it, and what was seen to change since they were measured."""
    none = UNSEEN if worktree.by == "monitor" else NOBODY
    files = tuple(_with(file, outside.authors.get(file.file, none)) for file in worktree.files)
    late = sorted((-one.seq, file) for file, one in outside.authors.items() if _after(one, worktree))
    live = tuple(_with(ChangedFile(file), outside.who(file)) for _, file in late)
    cut = outside.forgotten > (worktree.prompted if worktree.changed is None else worktree.told)
    others = _others(worktree, outside) if worktree.more else 0
    found = (files, live, cut, others)
    if found == (worktree.files, worktree.live, worktree.live_cut, worktree.more_outside):
        return worktree
    return replace(worktree, files=files, live=live, live_cut=cut, more_outside=others)


def _others(worktree: WorktreeView, outside: OutsideView) -> int:
    """How many files that the measurement does not name were last changed by others since the prompt."""
    named = {one.file for one in worktree.files}
    found = (file for file, one in outside.authors.items() if one.seq > worktree.prompted and one.by not in _OURS)
    return min(sum(file not in named for file in found), worktree.more)


def _after(author: Author, worktree: WorktreeView) -> bool:
    """Whether a change may not be in the measurement, or came after the prompt where nothing was measured since."""
    if worktree.changed is None:
        return author.seq > worktree.prompted
    meanwhile = None not in (author.last, worktree.began) and (author.last or 0.0) >= (worktree.began or 0.0)
    return author.seq > worktree.told or meanwhile


def only_outside(worktree: WorktreeView) -> bool:
    """Whether everything that is measured to have changed was changed from outside: then it is none of the run's."""
    return (
        "history" not in worktree.kinds
        and bool(worktree.files)
        and all(one.by not in _OURS and not one.also for one in worktree.files)
    )


def _with(file: ChangedFile, author: Author) -> ChangedFile:
    if author is NOBODY:
        return file
    return replace(
        file, by=author.by, why=author.why, added=author.added, removed=author.removed, at=author.at, also=author.also
    )
