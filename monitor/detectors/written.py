"""Which files a write call wrote, where its result names them and where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.events import FileOutcome, ToolCalled, ToolReturned


def written(call: ToolCalled, result: ToolReturned) -> Sequence[FileOutcome]:
    """The files that were written; those that were asked for, where the call succeeded and its result names none."""
    if result.files or result.outcome != "ok":
        return [one for one in result.files if one.outcome == "ok"]
    return [FileOutcome(change.file) for change in call.changes if change.file]
