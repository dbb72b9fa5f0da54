"""Moving about in the list of runs, and narrowing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.widgets import Input

from monitor.ui.arranged import Lines, RunLine, Wish
from monitor.ui.pen import Pen
from monitor.ui.screens.acting import Acting
from monitor.ui.source import Source
from monitor.ui.widgets.field import Field
from monitor.ui.widgets.runs import Runs

HINT = "words  agent:name  project:folder  state:waiting  -word"


class Listing(Acting):
    """The keys that change which runs are seen, and which of them is chosen."""

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.wish = Wish()
        self.runs, self.field = Runs(pen), Field(pen, HINT)
        self.lines: Lines = ()
        self.left = ""
        """The run that was entered from here and left last."""

    def tick(self) -> None:
        """Draw what is wished for."""

    def go_filter(self) -> None:
        """Ask what to look for."""
        self.set_class(True, "-asking")
        self.field.input.focus()

    @property
    def opened_from_a_run(self) -> bool:
        """Whether a run lies below, which need not stand in the list: a piped one does not."""
        return self in self.app.screen_stack[1:]

    def enter(self, key: str) -> None:
        """Show a run."""

    def go_back(self) -> None:
        """Show all runs again; where all are shown, go back to the run below, or to the one that was left last."""
        if not self.wish.words and not self.has_class("-asking"):
            if self.opened_from_a_run:
                self.app.pop_screen()
                return
            if self.left:
                self.enter(self.left)
                return
        self.set_class(False, "-asking")
        self.field.input.value = ""
        self.narrow("")
        self.runs.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Each letter narrows the list at once."""
        event.stop()
        self.narrow(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter, and go back to the list."""
        event.stop()
        self.set_class(False, "-asking")
        self.runs.focus()

    def narrow(self, words: str) -> None:
        """Show only the runs for which this holds."""
        if words.strip() != self.wish.words:
            self.wish = replace(self.wish, words=words.strip())
            self.tick()
        found = sum(isinstance(line, RunLine) for line in self.lines)
        self.field.say(f"{found:,} found" if self.wish.words else "")

    def go_up(self) -> None:
        """One up."""
        self.runs.move(-1)

    def go_down(self) -> None:
        """One down."""
        self.runs.move(1)

    def go_page_up(self) -> None:
        """A page up."""
        self.runs.move(-max(1, self.runs.room - 1))

    def go_page_down(self) -> None:
        """A page down."""
        self.runs.move(max(1, self.runs.room - 1))

    def go_first(self) -> None:
        """The first run."""
        self.runs.leap(end=False)

    def go_last(self) -> None:
        """The last run."""
        self.runs.leap(end=True)
