"""Which files a call wrote: a write, where its result names them and where it does not; a command, by its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from monitor.detectors.paths import canonical
from monitor.events import FileOutcome, ToolCalled, ToolReturned
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of


def written(call: ToolCalled, result: ToolReturned) -> Sequence[FileOutcome]:
    """The files that were written; those that were asked for, where the call succeeded and its result names none."""
    if result.files or result.outcome != "ok":
        return [one for one in result.files if one.outcome == "ok"]
    return [FileOutcome(change.file) for change in call.changes if change.file]


def shell_files(command: str, folder: str) -> Iterator[str]:
    """The files a command writes, as far as its text tells, each seen from where the command stood."""
    for step in steps_of(command).steps:
        if step.folder is None or step.remote:
            continue
        base = canonical(step.folder, folder) if step.folder else folder
        yield from (canonical(one.path, base) for one in writes_of(step) if one.path and "$" not in one.path)
