"""What differs between two measurements of a folder."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.worktree.contents import UNREAD
from monitor.worktree.gitfiles import show
from monitor.worktree.listing import path_of
from monitor.worktree.measurement import HERE, Measurement

UNLIKE = "one measurement was made with git and the other without it: their contents cannot be compared"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a folder changed, and how."""

    changed: bool | None
    """None when that cannot be said; `reason` says why."""
    kinds: tuple[str, ...] = ()
    """What is known to differ: `content`, `history`."""
    files: tuple[str, ...] | None = ()
    """The files whose content, mode or existence differs, by path; bytes that are no UTF-8 as lone surrogates.

    None when one of the measurements did not keep its paths, or could not be taken; and when of none it is certain.
    """
    reason: str = ""
    """Why `changed` or `files` is none, or what may differ besides."""


def compare(before: Measurement, after: Measurement) -> Comparison:
    """What differs; a difference that is known counts even where something else is not."""
    content, files, why = _contents(before, after)
    history = _histories(before, after)
    kinds = tuple(kind for kind, differs in (("content", content), ("history", history)) if differs)
    unknown = content is None or history is None
    if history is None:
        why = why or after.reason or before.reason
    return Comparison(True if kinds else None if unknown else False, kinds, files, why)


def _contents(before: Measurement, after: Measurement) -> tuple[bool | None, tuple[str, ...] | None, str]:
    for measurement, which in ((after, ""), (before, "the earlier measurement: ")):
        if measurement.content is None:
            return None, None, which + measurement.reason
    if (before.by_git and after.without_git) or (before.without_git and after.by_git):
        return None, None, UNLIKE
    if before.content == after.content:
        return False, (), ""
    for measurement, which in ((after, "this"), (before, "the earlier")):
        if measurement.entries is None:
            return True, None, f"{which} measurement was kept without its paths"
    return _files(before.entries or b"", after.entries or b"")


def _files(before: bytes, after: bytes) -> tuple[bool | None, tuple[str, ...] | None, str]:
    """The paths whose lines differ; one that could not be read differs in its times alone, which says nothing.

    One that only one of them holds came or went, whether or not it could be read.
    """
    was, now = set(before.split(b"\0")), set(after.split(b"\0"))
    gone, came = ({path_of(line) for line in lines if line} for lines in (was - now, now - was))
    unread = {path_of(line) for line in was ^ now if line.startswith(b"H " + UNREAD)} & gone & came
    files = tuple(path.decode("utf-8", "surrogateescape") for path in sorted((gone | came) - unread))
    why = f"{show(min(unread))} cannot be read, and its size or times changed" if unread else ""
    return (True, files, why) if files else (None, None, why)


def _histories(before: Measurement, after: Measurement) -> bool | None:
    if before.history is not None and after.history is not None:
        return before.history != after.history
    stood, stands = before.heads.get(HERE), after.heads.get(HERE)
    return True if stood and stands and stood != stands else None
