"""Runs that the tests start through the keeper, and end again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from process_trees import killed
from waiting import until

from monitor.control import Channel
from monitor.events import Acted
from monitor.launch.command import Prepared
from monitor.launch.launched import Launched
from monitor.launch.start import launch
from monitor.processes.family import Family
from monitor.streams.open import open_reader
from monitor.streams.record import Record
from monitor.targets import FINDERS


@contextmanager
def kept(prepared: Prepared, cwd: Path) -> Iterator[Launched]:
    """A started run; what is left of it in the end is killed, and nothing else."""
    found = launch(prepared, cwd, FINDERS)
    root = found.identity()
    family = Family(root, found.mark) if root else None
    try:
        yield found
    finally:
        if family is not None:
            until(lambda: not killed(family))
        until(lambda: found.ended() is not None)


def python(code: str, *words: str, agent: str = "native", listens: bool = True) -> Prepared:
    """A small agent."""
    return Prepared(agent, (sys.executable, "-c", code, *words), listens=listens)


class Watch:
    """Does what a supervisor does: reads, lets the channel hear, and collects receipts."""

    def __init__(self, found: Launched, channel: Channel) -> None:
        self.found = found
        self.channel = channel
        self.told: list[Acted] = []
        self._decoder = found.decoder()
        self._reader = open_reader(found.inputs()[0])
        self.records: list[Record] = []

    def step(self) -> None:
        """One round."""
        for record in self._reader.read():
            if isinstance(record, Record):
                self.records.append(record)
                self.channel.hear(record)
                for event in self._decoder.feed(record):
                    self.channel.observe(event)
        self.told += self.channel.receipts()

    def steps(self, action: str) -> list[str]:
        """The receipts of an action so far, repeats left out."""
        told = [one.receipt for one in self.told if one.id == action]
        return list(dict.fromkeys(told))

    def evidence(self, action: str) -> str:
        """The latest evidence of an action."""
        return next((one.evidence for one in reversed(self.told) if one.id == action), "")

    def until(self, condition: Callable[[], object]) -> None:
        """Go on until it holds."""

        def held() -> object:
            self.step()
            return condition()

        until(held)

    def reads(self, text: str) -> None:
        """Go on until the run has said this."""
        self.until(lambda: any(text.encode() in record.data for record in self.records))

    def close(self) -> None:
        """Let go."""
        self._reader.close()
        self.channel.close()


@contextmanager
def watched(found: Launched, channel: Channel) -> Iterator[Watch]:
    """A watch that is closed in the end."""
    watch = Watch(found, channel)
    try:
        yield watch
    finally:
        watch.close()


def receipts(channel: Channel, action: str, names: Sequence[str]) -> list[Acted]:
    """What a channel tells of an action, until one of these receipts."""
    told: list[Acted] = []

    def over() -> bool:
        told.extend(one for one in channel.receipts() if one.id == action)
        return bool(told) and told[-1].receipt in names

    until(over)
    return told
