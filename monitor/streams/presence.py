"""Says once that an input was lost, and once that it is back."""

from __future__ import annotations

from monitor.streams.files import why
from monitor.streams.record import Input, Shift


class Presence:
    """Whether an input can be read, and what was said about it."""

    def __init__(self, source: Input) -> None:
        self._source = source
        self._met = False
        self._lost = ""

    def miss(self, error: OSError, seen: float) -> list[Shift]:
        """The input cannot be read: said once for each reason, and not of a file that has yet to appear."""
        text = why(error)
        awaited = not self._met and isinstance(error, (FileNotFoundError, NotADirectoryError))
        if awaited or text == self._lost:
            return []
        self._lost = text
        return [Shift(self._source, "lost", text, seen)]

    def meet(self, seen: float) -> list[Shift]:
        """The input can be read: said only when it was said to be lost."""
        self._met = True
        was, self._lost = self._lost, ""
        return [Shift(self._source, "back", "the file can be read again", seen)] if was else []
