"""What the screen is given, and all it knows."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from monitor.actions import Action, Verb, When
from monitor.channels.pane import Pane
from monitor.processes.plan import Plan
from monitor.replay.playback import Playback
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Rows, Searchable
from monitor.worktree.diff import FolderDiff


class Source(Protocol):
    """A run to look at. But for `diff` and `export` nothing here blocks: a timer asks ten times a second."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest; the same object until something changes."""

    @property
    def rows(self) -> Searchable:
        """The timeline, row by row."""

    @property
    def live(self) -> bool:
        """Whether more may come; false for a finished log."""

    @property
    def playback(self) -> Playback | None:
        """Where a replay stands; none for what is not replayed."""

    def act(self, action: Action) -> None:
        """Queue an action; what becomes of it stands in a later snapshot."""

    def can(self, verb: Verb) -> str:
        """Empty when it is possible here and now, else the reason why not, as one sentence."""

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way it would be done now, as one sentence; empty where `can` says why not."""

    def plan(self) -> Plan | None:
        """What an abort would end, and how; none where no process is known."""

    def offer(self, text: str) -> str:
        """A command line to copy that goes on with the run with this text, once it has ended; or empty."""

    @property
    def no_diff(self) -> str:
        """Why it cannot be told what differs in the project folder; empty when it can."""

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:
        """What differs in the folder, or in one file; since the start, or since a moment. May take its time."""

    def export(self) -> str:
        """Write the run's summary and give its path; may take its time, and raises `MonitorError`."""

    def close(self) -> None:
        """The screen is gone; the agent goes on."""


@runtime_checkable
class Housed(Protocol):
    """What a source can say besides: in which terminal its run is to be seen."""

    def terminal(self) -> Pane | str:
        """The tmux pane, or why none is known."""


@runtime_checkable
class Player(Protocol):
    """What a source that is replayed can do besides; each takes effect in a later `playback`."""

    @property
    def problem(self) -> str:
        """Why the replay has ended before its time; empty while all is well."""

    def play(self) -> None:
        """Play, or pause; at the end, begin anew."""

    def seek(self, count: int) -> None:
        """Go to the moment when the first `count` events were folded in, and pause."""

    def step(self, events: int) -> None:
        """Go that many events on, or back."""

    def turn(self, turns: int) -> None:
        """Go to the beginning of a later or an earlier turn."""

    def rows_at(self, count: int) -> Rows:
        """The rows as they are after the first `count` events."""

    def faster(self, steps: int) -> None:
        """Change the speed by that many steps."""


def player(source: Source) -> Player | None:
    """The source as what can be played, where it is one."""
    return source if source.playback is not None and isinstance(source, Player) else None


def terminal(source: Source) -> Pane | str:
    """The tmux pane in which a source's run can be seen, or why none is known."""
    return source.terminal() if isinstance(source, Housed) else "no terminal of this run is known"
