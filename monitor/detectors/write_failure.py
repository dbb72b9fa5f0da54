"""A failed write as it is kept and shown, and the look at its file that it asks for."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.actions import Look, Want
from monitor.detectors.entries import Failure
from monitor.detectors.file_results import FileResult
from monitor.detectors.read_lines import ReadLines
from monitor.detectors.write_calls import Call, Edit, Result
from monitor.detectors.writes_view import FailedWrite
from monitor.events import CloseLine
from monitor.worktree.closest import closest

_MOST = 5
"""Files of one call that are looked at."""
_NOT_READ = "no read of the file as it stood then is known"
_NOT_SHARED = "no line that the run read shares a word with the text"


def failure_of(call: Call, result: Result, one: FileResult, texts: ReadLines, *, excused: bool) -> Failure:
    """The failure of one file, with the closest lines of what the run itself read."""
    edit = _failing(one.edits, result.told)
    lines, missing = _closest(one, edit, texts) if _guessed(one, edit) else ((), "")
    shown = FailedWrite(
        spot=result.spot,
        call=call.call,
        tool=call.tool,
        outcome=one.outcome,
        failure=one.failure,
        what=result.what,
        at=result.at,
        actor=call.actor,
        turn=call.turn or result.turn,
        excused=excused,
        cause=one.cause,
        guess=edit.guess if edit else "",
        new=edit.new if edit else "",
        closest=lines,
        source="log" if lines else "",
        no_lines=missing,
    )
    return Failure(
        shown=shown,
        message=call.message or result.message,
        request=result.request,
        content=edit.content if edit else None,
        corrects=call.corrects,
        path=_path(one, edit),
        cwd=result.folder,
        whole=edit is not None and edit.whole and len(one.edits) == 1,
    )


def wanted(call: Call, result: Result, files: Sequence[FileResult]) -> list[Want]:
    """The looks a failed call asks for: at the file that made it fail, where that is known."""
    wants: list[Want] = []
    causes = any(one.cause for one in files)
    for one in files:
        edit = _failing(one.edits, result.told)
        if edit is not None and one.cause == causes and one.named and _guessed(one, edit):
            new = edit.new if edit.whole else ""
            wants.append(Look(call.call, _path(one, edit), result.folder, edit.guess, new, result.seq))
    return wants[:_MOST]


def _guessed(one: FileResult, edit: Edit | None) -> bool:
    """Whether it failed because the text it looked for is not there, or is no other than the new one."""
    return (
        edit is not None and bool(edit.guess) and one.outcome == "failed" and one.failure in ("not_found", "identical")
    )


def _failing(edits: Sequence[Edit], told: str) -> Edit | None:
    """The change that failed: the one whose text the tool quotes, else the first."""
    quoted = (edit for edit in edits if (head := edit.guess.strip()[:80]) and head in told)
    return next(quoted, edits[0] if edits else None)


def _path(one: FileResult, edit: Edit | None) -> str:
    """Where to look: the file's own key, or, with no known folder, the path as given."""
    return edit.file if edit is not None and one.key.startswith(("./", "~")) else one.key if one.named else ""


def _closest(one: FileResult, edit: Edit | None, texts: ReadLines) -> tuple[tuple[CloseLine, ...], str]:
    read = texts.lines(one.key)
    if read is None or edit is None:
        return (), _NOT_READ
    lines, numbers = read
    found = closest(lines, edit.guess, numbers)
    return found, "" if found else _NOT_SHARED
