"""What is wrong with the monitor's own works, told where the troubles of the inputs stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

from monitor.events import SourceChanged


@runtime_checkable
class Ailing(Protocol):
    """A run that can say what is wrong with the record it is read from."""

    @property
    def problem(self) -> str:
        """What is wrong; empty while all is well."""


def ailment(found: object) -> str:
    """What is wrong with a run's own record, where it can say."""
    return found.problem if isinstance(found, Ailing) else ""


class Troubles:
    """Tells each trouble once, and once that it is over."""

    def __init__(self, *works: Callable[[], str]) -> None:
        self._works = works
        """Each says what is wrong with one of them; nothing when all is well."""
        self._told = [""] * len(works)

    def news(self) -> Sequence[SourceChanged]:
        """What became wrong, or right again, since the last call."""
        found: list[SourceChanged] = []
        for number, work in enumerate(self._works):
            problem = work()
            if problem != self._told[number]:
                over = f"over: {self._told[number].partition(':')[0]}"
                self._told[number] = problem
                what: Literal["back", "lagging"] = "lagging" if problem else "back"
                found.append(SourceChanged(what=what, input=-1 - number, text=problem or over))
        return found
