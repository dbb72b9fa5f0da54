"""Lists the monitor's own journals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.journal import Header, read_header

_ENDS = (b'"event":"RunEnded"', b'"what":"gone"', b'"what":"end"')
"""What the last lines of a journal hold when its run was seen to end."""


class JournalLister:
    """Knows where the monitor keeps its record of runs."""

    def places(self) -> Sequence[Path]:
        """The folder of journals; none where there is no state folder to be had."""
        try:
            return (state_folder("journals"),)
        except MonitorError:
            return ()

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every journal, under the name of the run it is a record of."""
        del machine
        for folder in self.places():
            for path in sorted(folder.glob("*.jsonl")):
                found = ends.of(path, _told)
                if found is not None and found[0][0] is not None:
                    yield _journal(path, found[0][0], found[0][1], found[1])


LISTER = JournalLister()


def _told(head: bytes, tail: bytes) -> tuple[Header | None, bool]:
    return read_header(head), any(word in tail for word in _ENDS)


def _journal(path: Path, header: Header, over: bool, last: float) -> Listed:
    state: ListedState = "ended" if over else "unknown"
    how = "monitor's journal holds its end" if over else "monitor's journal holds no end of it"
    return Listed(
        header.agent or "native", header.run or path.stem, path, state, how, title=header.run, began=header.began,
        last=last, ours=True,
    )  # fmt: skip
