"""What is wrong with the monitor's own works, told where the troubles of the inputs stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from monitor.events import SourceChanged


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
                self._told[number] = problem
                what: Literal["back", "lagging"] = "lagging" if problem else "back"
                found.append(SourceChanged(what=what, input=-1 - number, text=problem))
        return found
