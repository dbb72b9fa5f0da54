"""What differs between two measurements of a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from monitor.worktree.contents import UNREAD
from monitor.worktree.gitfiles import show
from monitor.worktree.listed import Listed
from monitor.worktree.listing import path_of
from monitor.worktree.measurement import HERE, UNMOUNTED, Measurement

UNLIKE = "one measurement was made with git and the other without it: their contents cannot be compared"
_LOST = "{} is no repository any more: what became of what it held is not known"
_OTHER_IDS = "the files are named by ids of another kind than before: their contents cannot be compared"
_Files = tuple[bool | None, tuple[str, ...] | None, str]


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
    """What differs; a difference that is known counts even where something else is not.

    What lay on another disk may lie there still; and without its repository it is not known which files count.
    """
    if before.device and after.device and before.device != after.device and before != after:
        return Comparison(None, (), None, after.reason or UNMOUNTED)
    content, files, why = _contents(before, after)
    history = _histories(before, after)
    kinds = tuple(kind for kind, differs in (("content", content), ("history", history)) if differs)
    unknown = content is None or history is None
    if history is None:
        why = why or after.reason or before.reason or _bereft(before, after)
    return Comparison(True if kinds else None if unknown else False, kinds, files, why)


def _contents(before: Measurement, after: Measurement) -> _Files:
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
    was, now = before.entries or b"", after.entries or b""
    if was and now and Listed(was).algorithm != Listed(now).algorithm:
        return None, None, _OTHER_IDS
    bereft = _bereft(before, after) if HERE in _lost(before, after) else ""
    return _files(was, now, bereft)


def _files(before: bytes, after: bytes, bereft: str) -> _Files:
    """The paths whose lines differ; one that could not be read differs in its times alone, which says nothing.

    One that only one of them holds came or went, whether or not it could be read; where the folder is `bereft` of its
    repository it may lie there as before, and merely count no more, or only now.
    """
    was, now = set(before.split(b"\0")), set(after.split(b"\0"))
    gone, came = ({path_of(line) for line in lines if line} for lines in (was - now, now - was))
    unread = {path_of(line) for line in was ^ now if line.startswith(b"H " + UNREAD)} & gone & came
    differ = gone & came if bereft else gone | came
    files = tuple(path.decode("utf-8", "surrogateescape") for path in sorted(differ - unread))
    why = f"{show(min(unread))} cannot be read, and its size or times changed" if unread else bereft
    return (True, files, why) if files else (None, None, why)


def _histories(before: Measurement, after: Measurement) -> bool | None:
    if before.history is not None and after.history is not None:
        if before.history == after.history:
            return False
        lost = _lost(before, after)
        return None if lost and _commits(before, lost) == _commits(after) else True
    stood, stands = before.heads.get(HERE), after.heads.get(HERE)
    return True if stood and stands and stood != stands else None


def _lost(before: Measurement, after: Measurement) -> frozenset[str]:
    """The folders that were repositories, and are none any more."""
    return frozenset() if after.history is None else frozenset(before.heads.keys() - after.heads.keys())


def _commits(measurement: Measurement, without: frozenset[str] = frozenset()) -> dict[str, str]:
    return {place: commit for place, commit in measurement.heads.items() if commit.strip("0") and place not in without}


def _bereft(before: Measurement, after: Measurement) -> str:
    """That a repository is gone; empty where none is."""
    lost = _lost(before, after)
    return _LOST.format("the folder" if HERE in lost else show(Path(min(lost)))) if lost else ""
