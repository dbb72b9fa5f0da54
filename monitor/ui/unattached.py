"""Stands for a run that is not attached: nothing can be done to it, and the reason is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from monitor.actions import Action, Verb, When
from monitor.errors import MonitorError
from monitor.events import Event, ToolReturned
from monitor.processes.plan import Plan
from monitor.replay.playback import Playback
from monitor.snapshot import Snapshot
from monitor.timeline.places import Extent
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row, Searchable
from monitor.worktree.diff import FolderDiff


class NoRows:
    """A timeline of nothing."""

    version = 0
    extent = Extent(0, 0)

    def __len__(self) -> int:
        """None."""
        return 0

    def still(self, snapshot: Snapshot) -> NoRows:
        """The same."""
        del snapshot
        return self

    def revised(self, since: int) -> Iterable[int]:
        """None."""
        del since
        return ()

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        """Nothing holds them."""
        del words, names
        return lambda _ref: False

    def long(self, ref: int) -> bool:
        """There is none."""
        raise IndexError(ref)

    def ref(self, index: int) -> int:
        """There is none."""
        raise IndexError(index)

    def index(self, ref: int) -> int | None:
        """Nowhere."""
        del ref
        return None

    def row(self, ref: int) -> Row:
        """There is none."""
        raise IndexError(ref)

    def brief(self, ref: int) -> Brief:
        """There is none."""
        raise IndexError(ref)

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        """There is none."""
        raise IndexError(ref)

    def edits(self, ref: int) -> Sequence[Edit]:
        """There is none."""
        raise IndexError(ref)

    def ref_of(self, seq: int) -> int | None:
        """No row shows it."""
        del seq
        return None


class Unattached:
    """A run known from the list alone, with what its log says where that was read."""

    live = False
    playback: Playback | None = None

    def __init__(self, why: str = "no run is chosen", snapshot: Snapshot | None = None) -> None:
        self._why = why
        self.snapshot = snapshot or Snapshot()
        self.rows: Searchable = NoRows()
        self.no_diff = why

    def act(self, action: Action) -> None:
        """Nothing comes of it: `can` says so."""

    def can(self, verb: Verb) -> str:
        """Nothing can be done."""
        del verb
        return self._why

    def how(self, verb: Verb, when: When = "next") -> str:
        """In no way."""
        del verb, when
        return ""

    def plan(self) -> Plan | None:
        """Nothing would be ended."""
        return None

    def offer(self, text: str) -> str:
        """Nothing to copy."""
        del text
        return ""

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:
        """Nothing is measured."""
        del file, since
        raise MonitorError(self._why)

    def export(self) -> str:
        """Nothing is written."""
        raise MonitorError(self._why)

    def close(self) -> None:
        """Nothing is held."""
