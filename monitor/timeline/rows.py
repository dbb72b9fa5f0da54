"""What one row of the timeline says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from monitor.events import Event, FileChanged, ToolReturned
from monitor.timeline.places import Extent

if TYPE_CHECKING:
    from monitor.snapshot import Snapshot

RowKind = Literal[
    "started", "prompt", "thought", "said", "read", "search", "write", "shell", "fetch", "delegate", "ask", "plan",
    "poll", "finish", "call", "claim", "check", "measure", "outside", "you", "notice", "waiting", "ended", "source",
    "unread", "policy", "changed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its texts read back: clean, on one line, not yet cut to a width."""

    ref: int
    """Its own number, which stays whatever is put in above it."""
    seq: int
    kind: RowKind
    text: str
    outcome: str = ""
    """Such as `+14 -2`, `exit 1`, `old text not found`, `running`."""
    at: float | None = None
    took: float | None = None
    """Seconds."""
    level: str = ""
    """A finding's level, or `outside`, or `ok` where success is worth a mark (a claim that holds)."""
    actor: str = ""
    name: str = ""
    """What its sub-agent does, where that is known: it is called by that, and else by its id."""
    turn: int = 0
    """The actor's model reply it belongs to; 0 where it belongs to none."""
    copied: bool = False
    path: bool = False
    """The text is a path: shortened in its middle."""


class Edit(NamedTuple):
    """One of several changes of files that stand in one row."""

    event: FileChanged
    outside: bool
    """It counts as from outside."""


class Brief(NamedTuple):
    """What is known of a row without reading its texts back."""

    kind: RowKind
    failed: bool | None = False
    """Its call failed, or was not made; none where only its texts tell."""
    running: bool = False
    """A call without a result."""


Names = Mapping[str, str]
"""What sub-agents are called, by their ids."""
NAMELESS: Final[Names] = MappingProxyType({})


def called(row: Row, names: Names) -> Row:
    """The row with the name of the sub-agent that did it, where it has one."""
    name = names.get(row.actor, "")
    return replace(row, name=name) if name else row


class Rows(Protocol):
    """The timeline as the screen reads it, row by row; only what is on the screen is ever read.

    Where a row stands is its index, from 0. Rows are put in between others, so what is read is named by its number.
    """

    def __len__(self) -> int: ...

    @property
    def version(self) -> int:
        """Another number whenever a row already given may now say something else."""

    def ref(self, index: int) -> int:
        """The number of the row at an index: its own, wherever it comes to stand."""

    def index(self, ref: int) -> int | None:
        """Where the row of that number stands, or none where it is not among these."""

    def row(self, ref: int) -> Row:
        """The row of that number."""

    def brief(self, ref: int) -> Brief:
        """What is stored of the row, at a thousandth of the cost of `row`."""

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        """The event behind the row and, for a call, its result; none where the bytes can no longer be read."""

    def edits(self, ref: int) -> Sequence[Edit]:
        """The changes that a row of several stands for; none where it stands for one event."""

    def ref_of(self, seq: int) -> int | None:
        """The number of the row that shows the event `seq`, or none."""


class Searchable(Rows, Protocol):
    """Rows that can be searched without reading each of them back."""

    @property
    def extent(self) -> Extent:
        """Which numbers the rows have."""

    def still(self, snapshot: Snapshot) -> Searchable:
        """The rows as they were at the moment of a snapshot, whatever comes."""

    def revised(self, since: int) -> Iterable[int]:
        """The rows of which another text or outcome may have been told since that version; not those only marked."""

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        """Tells of a row, by its number, whether its texts, or its sub-agent's name, may hold all these words.

        Only no is certain.
        """

    def long(self, ref: int) -> bool:
        """Whether reading the row's texts back takes more than a moment."""
