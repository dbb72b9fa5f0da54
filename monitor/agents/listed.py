"""What an agent's `listing` gives: every run it left a word of, and how its state is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeVar

ListedState = Literal["live", "waiting", "idle", "ended", "unknown"]
"""`live`: its process works; `waiting`: for a person; `idle`: the process is there and has nothing to do."""
Told = TypeVar("Told")
_FORMATS = frozenset({"native", "acp", "other"})
"""What a run is listed under of which only the format is known."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One run that was found, by names, heads and tails alone."""

    agent: str
    session: str
    """Its id, or its folder's name: what `monitor` takes as a target."""
    path: Path | None
    """What is opened to read it; none while it has written nothing yet."""
    state: ListedState
    how: str
    """How the state is known, as one sentence."""
    folder: str = ""
    """Where it works: of a verified process its own folder, else what its log says."""
    title: str = ""
    """Its own title, or its first prompt."""
    began: float | None = None
    last: float | None = None
    """When it last wrote, seconds since the epoch."""
    pid: int | None = None
    """The process that works on it, or may: verified where the state is live, waiting or idle."""
    version: str = ""
    """The agent's, as the log says."""
    ours: bool = False
    """`monitor run` started it, or it is a journal of ours."""
    alias: str = ""
    """Another name of the same run; empty where it has but one."""
    name: str = ""
    """What the agent calls itself in its log, where that was looked into."""

    @property
    def key(self) -> str:
        """What tells it from every other."""
        return f"{self.agent}:{self.session or self.path}"

    @property
    def called(self) -> str:
        """The agent's own name, where only its log says it."""
        return self.name if self.name and self.agent in _FORMATS else self.agent

    @property
    def alive(self) -> bool:
        """Whether a process works on it, or may."""
        return self.state in ("live", "waiting", "idle") or (self.state == "unknown" and self.pid is not None)


@dataclass(frozen=True, slots=True)
class Program:
    """A process of this user, and what it runs."""

    pid: int
    begun: float
    """Seconds since the epoch."""
    folder: str
    """Where it works; empty where that cannot be seen."""

    def may_write(self, folder: str, last: float) -> bool:
        """Whether it may be what wrote, at `last`, to a session of this folder or of one below it."""
        inside = not self.folder or folder == self.folder or folder.startswith(self.folder.rstrip("/") + "/")
        return inside and self.begun <= last


class Machine(Protocol):
    """The processes of this user at one moment."""

    def programs(self, *names: str) -> Sequence[Program]:
        """Those that run a program of one of these names, by an interpreter too."""


class Ends(Protocol):
    """Reads the beginning and the end of files, each once for as long as it stays as it is."""

    def of(self, path: Path, tell: Callable[[bytes, bytes], Told], *, grown: float = 0.0) -> tuple[Told, float] | None:
        """What `tell` makes of head and tail (the same bytes where the file is short), and when it was last written.

        None where the file cannot be read. One that has only grown behind its head is read again after `grown` seconds.
        """

    def of_all(
        self,
        paths: Iterable[Path],
        tell: Callable[[bytes, bytes], Told],
        head: int | None = None,
        *,
        grown: float = 0.0,
    ) -> Iterator[tuple[Path, Told, float]]:
        """The same for each of many files, which is quicker; those that cannot be read are left out.

        `head` is how many bytes of the beginning are read, where it is not as many as usual.
        """


class Lister(Protocol):
    """The agent's module `listing`."""

    def places(self) -> Sequence[Path]:
        """The folders in which this agent keeps its runs, whether or not they are there."""

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every run in them; never raises `OSError`, and never reads a configuration or a key."""
