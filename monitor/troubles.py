"""What is wrong with the monitor's own works, told where the troubles of the inputs stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, Protocol, runtime_checkable

from monitor.events import SourceChanged

JOURNAL, FOLDER, RECORD, ELSEWHERE = -1, -2, -3, -5
"""The numbers under which it is told what is wrong with the monitor's journal, its watch of the folder, the record that
the run is read from, and that more of it is recorded elsewhere; a log that is not understood has -4."""
_WHAT: Final[Mapping[int, Literal["lagging", "unwatched", "aside"]]] = {
    JOURNAL: "aside", FOLDER: "unwatched", RECORD: "lagging", ELSEWHERE: "aside",
}  # fmt: skip


@runtime_checkable
class Ailing(Protocol):
    """A run that can say what is wrong with the record it is read from."""

    @property
    def problem(self) -> str:
        """What is wrong; empty while all is well."""


def ailment(found: object) -> str:
    """What is wrong with a run's own record, where it can say."""
    return found.problem if isinstance(found, Ailing) else ""


@runtime_checkable
class Recorded(Protocol):
    """A run that can say where more of it is recorded."""

    @property
    def elsewhere(self) -> str:
        """Where, and what; empty where all of it is read here."""


def troubles(journal: object, folder: Ailing, found: object) -> Troubles:
    """Those of a run's journal, of the watch of its folder, and of the run itself."""
    beside = found if isinstance(found, Recorded) else None
    return Troubles({
        JOURNAL: lambda: ailment(journal),
        FOLDER: lambda: folder.problem,
        RECORD: lambda: ailment(found),
        ELSEWHERE: lambda: beside.elsewhere if beside is not None else "",
    })  # fmt: skip


class Troubles:
    """Tells each trouble once, and once that it is over."""

    def __init__(self, works: Mapping[int, Callable[[], str]]) -> None:
        self._works = works
        """By its number each says what is wrong with one of them; nothing when all is well."""
        self._told = dict.fromkeys(works, "")

    def news(self) -> Sequence[SourceChanged]:
        """What became wrong, or right again, since the last call."""
        found: list[SourceChanged] = []
        for number, work in self._works.items():
            problem = work()
            if problem != self._told[number]:
                over = f"over: {self._told[number].partition(':')[0]}"
                self._told[number] = problem
                found.append(
                    SourceChanged(what=_WHAT[number] if problem else "back", input=number, text=problem or over)
                )
        return found
