"""The one exception a user gets to see: what is wrong, what to do, and the exit code."""

from __future__ import annotations

FINDING, USAGE, INPUT, INTERRUPTED = 1, 2, 3, 130
"""Exit codes beside 0: a finding at or above the limit, wrong usage, unreadable input, interrupted."""


class MonitorError(Exception):
    """Something the user can mend; printed as one line on stderr, with a hint."""

    def __init__(self, text: str, hint: str = "", code: int = INPUT) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
        self.code = code

    def __str__(self) -> str:
        return f"{self.text}. {self.hint}" if self.hint else self.text
