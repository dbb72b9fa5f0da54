"""What became of each file of a write call: its changes and its result brought together."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.detectors.names import Names
from monitor.detectors.paths import canonical, name
from monitor.detectors.write_calls import Call, Edit, Result
from monitor.events import Failure, FileOutcome, Outcome

_SEARCHED = 50
"""Files of one call among which a path that fits none by its letters is still searched for."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """One file of a write call and what became of it."""

    key: str
    """Names the file; a key of the call's own where it named none."""
    given: str
    """The canonical path as the agent gave it, where the tool resolved it to another."""
    edits: tuple[Edit, ...]
    outcome: Outcome
    failure: Failure
    cause: bool

    @property
    def named(self) -> bool:
        """Whether the call named a file."""
        return not self.key.startswith("?")


def file_results(call: Call, result: Result, names: Names) -> tuple[FileResult, ...]:
    """Every file the call or its result names; one without a name when they name none."""
    groups = _groups(call, result, names)
    given = {path: key for key, edits in groups.items() for edit in edits for path in (edit.file, edit.to) if path}
    told: dict[str, FileOutcome] = {}
    strange: list[FileOutcome] = []
    for outcome in result.files:
        key = given.get(outcome.file) or _match(outcome.file, groups, told, result, names)
        if key is None:
            strange.append(outcome)
        else:
            told.setdefault(key, outcome)
    resolved = _resolve(strange, groups, told, names.project or result.folder)
    unsaid = result.outcome != "ok" and all(one.outcome == "ok" for one in result.files)
    groups = groups or {_nameless(call): []}
    several = len(groups) > 1
    return tuple(
        _result(
            key, tuple(edits), None if unsaid else told.get(key), result, given=resolved.get(key, ""), several=several
        )
        for key, edits in groups.items()
    )


def _resolve(
    strange: list[FileOutcome], groups: dict[str, list[Edit]], told: dict[str, FileOutcome], folder: str
) -> dict[str, str]:
    """Paths of the tool's own find their place in the groups; where they resolve one of the call's, it is said."""
    resolved: dict[str, str] = {}
    for outcome in strange:
        key = canonical(outcome.file, folder)
        lone = _lone(key, groups, told) if key else None
        if lone is None:
            groups.setdefault(key, [])
        elif key.startswith("./"):
            key = lone
        else:
            if not lone.startswith("?"):
                resolved[key] = lone
            groups.setdefault(key, []).extend(groups.pop(lone))
        if key:
            told.setdefault(key, outcome)
    groups.pop("", None)
    return resolved


def _groups(call: Call, result: Result, names: Names) -> dict[str, list[Edit]]:
    """The call's changes by the file they are made to; a move is made to both its ends."""
    groups: dict[str, list[Edit]] = {}
    for edit in call.edits:
        for path in dict.fromkeys((edit.file, edit.to) if edit.to else (edit.file,)):
            key = names.key(path, result.folder, corrects=call.corrects)
            groups.setdefault(key or _nameless(call), []).append(edit)
    return groups


def _nameless(call: Call) -> str:
    """The key of a call that named no file: nothing settles it."""
    return f"?{call.actor}:{call.call}"


def _match(
    file: str, groups: dict[str, list[Edit]], told: dict[str, FileOutcome], result: Result, names: Names
) -> str | None:
    """The file of the call that a path of the result means by its letters."""
    key = names.key(file, result.folder)
    if key in groups:
        return key
    loose = canonical(file, "")
    if not loose.startswith("./") or len(groups) > _SEARCHED:
        return None
    ends = [one for one in groups if one not in told and one.endswith(loose[1:])]
    return ends[0] if len(ends) == 1 else None


def _lone(key: str, groups: dict[str, list[Edit]], told: dict[str, FileOutcome]) -> str | None:
    """The one file of the call that the tool can mean by a path of its own: the same name, or the only one."""
    if len(groups) > _SEARCHED or key in groups:
        return None
    left = [one for one in groups if one not in told]
    named = [one for one in left if name(one) == name(key)]
    if len(named) == 1:
        return named[0]
    return left[0] if len(groups) == len(left) == 1 else None


def _result(
    key: str, edits: tuple[Edit, ...], told: FileOutcome | None, result: Result, *, given: str, several: bool
) -> FileResult:
    if told is None:
        return FileResult(key, given, edits, result.outcome, result.failure, cause=False)
    return FileResult(key, given, edits, told.outcome, told.failure or result.failure, told.cause and several)
