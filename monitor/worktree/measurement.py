"""What a folder was found to hold, as a value that can be kept and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from monitor.worktree.gitfiles import NO_COMMIT

HERE = "."
"""The measured folder among the repositories."""
GONE = "the project folder is gone"
"""Why nothing of it can be told."""
UNMOUNTED = "another disk lies at the project folder than before: one was mounted there, or taken away"
"""Why what it holds says nothing of what it held."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A folder at one moment; equal `content` means equal names, bytes, links and executable bits."""

    content: str | None
    """Of every file that is tracked or not ignored, in hex; none when it could not be measured."""
    history: str | None
    """The commit that HEAD stands at, zeros before any; with repositories within, a digest of all their HEADs."""
    reason: str = ""
    """Why one of them is none."""
    entries: bytes | None = field(default=None, repr=False)
    """Mode, id and path of every file, a zero byte between two; none when they were not kept."""
    heads: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By folder the commit of each repository, `.` for the measured one; may be known where `content` is not."""
    without_git: str = ""
    """Why git was not asked, where repositories were read without it; empty where it was, or there are none."""

    device: int = field(default=0, compare=False)
    """The disk the folder lies on, by the number it has until it is unmounted; 0 where that is not known."""

    @property
    def by_git(self) -> bool:
        """Whether git was asked about a repository."""
        return not self.without_git and bool(self.heads or self.history is None)


def digest_of(entries: bytes) -> str:
    """The fingerprint of a list of entries."""
    return hashlib.sha256(entries).hexdigest()


def history_of(heads: Mapping[str, str]) -> str:
    """One value for the HEADs of all repositories; those without a commit do not count."""
    commits = {place: commit for place, commit in heads.items() if commit.strip("0")}
    if commits.keys() <= {HERE}:
        return commits.get(HERE, NO_COMMIT)
    listed = "\0".join(f"{commit} {place}" for place, commit in sorted(commits.items()))
    return hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
