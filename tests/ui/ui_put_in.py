"""A timeline of the real store, into which changes from outside are put while it is looked at."""

from __future__ import annotations

from monitor.agents.native.decode import NativeDecoder
from monitor.events import FileChanged, Said
from monitor.timeline.reading import TimelineRows
from monitor.timeline.timeline import Timeline

START = 1_796_000_000.0


class PutIn:
    """Rows told a second after each other, and changes of files put in between them."""

    def __init__(self, told: int) -> None:
        self.timeline = Timeline()
        self.rows = TimelineRows(self.timeline, lambda *_: None, NativeDecoder)
        self.seq = -1
        for second in range(told):
            self.say(second)

    def say(self, second: float) -> int:
        """A row of the agent's; its number."""
        self.seq += 1
        event = Said(message=f"m{self.seq}", text=f"words {self.seq}", seq=self.seq, at=START + second)
        self.rows.keep(event)
        self.timeline.feed(event)
        return self.seq

    def change(self, second: float) -> int:
        """A file changed then, and it is known at once that it was from outside; the seq of the change."""
        self.seq += 1
        event = FileChanged(file=f"f{self.seq}.py", seq=self.seq, at=START + second)
        self.rows.keep(event)
        self.timeline.feed(event)
        self.timeline.reveal(self.seq, self.seq)
        return self.seq

    def order(self) -> list[int]:
        """The numbers of the rows as they stand."""
        return [self.rows.ref(index) for index in range(len(self.rows))]
