"""What the monitor sees and does itself, beside what the agent says."""

from __future__ import annotations

from typing import Literal

import msgspec

from monitor.events.seen import Seen

WRITER_GONE = "the monitor that wrote this journal is gone, and it holds no end of the run"
WRITER_UNKNOWN = "this journal holds no end of the run, and does not tell which monitor writes it: it is not followed"
"""Why nothing more is expected of a monitor's own record."""


class SourceChanged(Seen, frozen=True, kw_only=True):
    """Something happened to an input, not to the run."""

    what: Literal["lagging", "lost", "back", "gap", "rewritten", "gone", "end", "unwatched", "aside"] = "lost"
    """`gone`: the agent's process no longer exists; `end`: the log was read to its end and is not followed.

    `unwatched`: changes of the folder may not be seen; `aside`: nothing of the run is missed for it.
    """
    input: int = -1
    text: str = ""


class TreeMeasured(Seen, frozen=True, kw_only=True):
    """The project folder was measured."""

    when: Literal["start", "prompt", "turn", "claim", "end", "asked"] = "asked"
    by: Literal["monitor", "agent"] = "monitor"
    content: str | None = None
    history: str | None = None
    changed: bool | None = None
    """Since the latest prompt or feedback; none with the reason."""
    since_start: bool | None = None
    reason: str = ""
    kinds: tuple[str, ...] = ()
    """What differs: content, history, ignored, outside; repository where the folder is none any more."""
    files: tuple[str, ...] = ()
    more: int = 0
    """Files that differ beyond those named."""
    about: int = -1
    """The seq of the event it was taken for."""
    late: bool = False
    """Of the start: the run was under way by then. Of a prompt: it had been given before the start was measured."""
    began: float | None = None
    """When it was begun, seconds since the epoch: what changed later may not be in it."""


class FileChanged(Seen, frozen=True, kw_only=True):
    """A file of the project is now another; who did it is a detector's conclusion."""

    file: str
    what: Literal["created", "modified", "deleted", "moved", "mode"] = "modified"
    """`moved`: it went elsewhere in the project, where another event tells of it."""
    before: str = ""
    """SHA-256 of what it held, of a link its target; empty where there was nothing, or it is not known."""
    after: str = ""
    folder: str = ""
    """The watched folder that `file` is relative to; empty for the run's project."""
    added: int | None = None
    """Lines added since the start; none where they were not counted."""
    removed: int | None = None
    by: str = ""
    """Another attached run that did it, where that is known."""


class CloseLine(msgspec.Struct, frozen=True, array_like=True):
    """One line of a file that resembles a guess: its number from 1, and its exact text."""

    number: int
    text: str
    cut: bool = False
    """The line is longer than what is kept."""


class Looked(Seen, frozen=True, kw_only=True):
    """A file was read at the moment of a failed write."""

    call: str
    file: str
    source: Literal["disk", "log", "today"] = "disk"
    """`today`: read long after the failure, from the project given by hand."""
    closest: tuple[CloseLine, ...] = ()
    new_present: bool | None = None
    old_gone: bool | None = None
    shebang: str = ""
    reason: str = ""
    """Why there is nothing to show."""


class Acted(Seen, frozen=True, kw_only=True):
    """An action of the operator, a policy or the monitor, and how far it got."""

    id: str
    action: str
    by: Literal["operator", "policy", "monitor"] = "operator"
    channel: str = ""
    receipt: Literal["queued", "delivered", "seen", "done", "failed"] = "queued"
    evidence: str = ""
    text: str = ""
    subject: str = ""
    """What it is about: a finding's key, a call, a file."""
    until: float | None = None
    """How long the step that was taken is given, seconds since the epoch; then comes `then`, if anything."""
    then: str = ""
    """The step that is taken at `until` unless it is done by then; empty when none is taken unasked."""


class Unreadable(Seen, frozen=True, kw_only=True):
    """A record no decoder could read; its bytes are counted."""

    why: str


class Tick(Seen, frozen=True, kw_only=True):
    """Time passed; takes no number and is never journaled."""

    now: float = 0.0
    alive: bool | None = None
    """Whether the agent's process exists; none when nothing tells."""
    measuring: bool = False
    """The project folder's start is still being measured."""
    untold: int = 0
    """Files that were seen to change since the last measurement, too many at once to be told one by one."""
