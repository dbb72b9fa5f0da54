"""Which files a call wrote: a write, where its result names them and where it does not; a command, by its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from monitor.detectors.paths import canonical
from monitor.events import Change, FileOutcome, ToolCalled, ToolReturned
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of


def written(call: ToolCalled, result: ToolReturned) -> Sequence[FileOutcome]:
    """The files that were written; those that were asked for, where the call succeeded and its result names none."""
    if result.files or result.outcome != "ok":
        return [one for one in result.files if one.outcome == "ok"]
    return [FileOutcome(change.file) for change in call.changes if change.file]


def changed(call: ToolCalled, result: ToolReturned, key: Callable[[str], str]) -> Iterator[tuple[Change, str, str]]:
    """The changes that were made, each with the key of its file and of where a move leads.

    A path of the result that is none of the call's is what the tool resolved one of those to, where that can be told.
    """
    made = [key(one.file) for one in written(call, result)]
    asked = [key(change.file) if change.file else "" for change in call.changes]
    one_file = len(made) == len({file for file in asked if file}) == 1
    for at, (change, file) in enumerate(zip(call.changes, asked, strict=True)):
        to = key(change.to) if change.to else ""
        if not file:
            continue
        if file in made or (to and to in made):
            yield change, file, to
        elif one_file:
            yield change, made[0], to
        elif len(made) == len(asked) and made[at] not in asked:
            yield change, made[at], to


def shell_files(command: str, folder: str) -> Iterator[str]:
    """The files a command writes, as far as its text tells, each seen from where the command stood."""
    for step in steps_of(command).steps:
        if step.folder is None or step.remote:
            continue
        base = canonical(step.folder, folder) if step.folder else folder
        yield from (canonical(one.path, base) for one in writes_of(step) if one.path and "$" not in one.path)
