"""Runs as Aider's chat history, which tells edits and words, and nothing of what it read or ran."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pen import PROJECT, Call, Pen

_QUOTED = (
    "<<<<<<< SEARCH", "{old}", "=======", "{new}", ">>>>>>> REPLACE", "",
    "The SEARCH section must exactly match an existing block of lines including all white space", "",
)  # fmt: skip


class AiderPen(Pen):
    name = "Aider"
    suffix = ".md"
    kinds = ("edit",)
    outcomes = ("ok", "failed")

    def begin(self, **_: Any) -> None:
        when = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d %H:%M:%S")
        self._write("", f"# aider chat started at {when}", "")
        self._own("Aider v0.50.0", "Models: some/model with diff edit format, weak model other")
        self._own(f"Cur working dir: {PROJECT}")
        self._claimed = False

    def prompt(self, text: str) -> None:
        self.step()
        self._claimed = False
        self._write("", f"#### {text}  ", "")

    def batch(self, *calls: Call, said: str = "") -> None:
        self.turn(calls)
        self._said(said or "I change this:")
        for call in calls:
            if call.output:
                self.cannot()
            self._write(call.file, "```", "<<<<<<< SEARCH", call.old, "=======", call.new, ">>>>>>> REPLACE", "```", "")
        self._own("Tokens: 2.5k sent, 12 received. Cost: $0.03 request, $0.05 session.")
        failed = [call for call in calls if call.became == "failed"]
        made = [call for call in calls if call.became == "ok"]
        if failed:
            self._refused(failed, len(made))
        self._own(*(f"Applied edit to {file}" for file in dict.fromkeys(call.file for call in made)))

    def claim(self, said: str = "Done: it builds again.") -> None:
        """The last words of a request stand alone; that they were the last shows in what comes next."""
        self.step()
        self._claimed = True
        self._said(said)
        self._own("Tokens: 2.5k sent, 12 received. Cost: $0.03 request, $0.05 session.")

    def now(self, *told: Any, **more: Any) -> None:
        """A claim shows only in what follows it."""
        if not self._claimed:
            super().now(*told, **more)

    think = wait = Pen.cannot

    def log(self) -> bytes:
        return "".join(f"{row}\n" for row in self.rows).encode()

    def _said(self, words: str) -> None:
        self._write(*words.split("\n"), "")

    def _own(self, *lines: str) -> None:
        self._write(*(f"> {line}  " for line in lines))

    def _write(self, *lines: str) -> None:
        self.rows += lines

    def _refused(self, failed: list[Call], made: int) -> None:
        self._own("The LLM did not conform to the edit format.")
        self._own(f"# {len(failed)} SEARCH/REPLACE block{'s' if len(failed) > 1 else ''} failed to match!", "")
        for call in failed:
            self._own(f"## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in {call.file}")
            self._own(*(line.format(old=call.old, new=call.new) for line in _QUOTED))
        if made:
            self._own(f"# The other {made} SEARCH/REPLACE blocks were applied successfully.")
