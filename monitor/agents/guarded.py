"""Calls the code of other packages: whatever it does, it is said whose fault it is, and nothing else is harmed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from monitor.agents.fields import place_of, unreadable
from monitor.agents.listed import Ends, Listed, Lister, Machine
from monitor.agents.protocol import Decoder, Finder, Found
from monitor.agents.single import Single
from monitor.events import Event
from monitor.events.seen import Seen
from monitor.streams.record import Input, Record
from monitor.text import line, shorten

_LONGEST = 200
_FAULTS = (Exception, SystemExit)
_READS = ("feed", "finish", "copy")
_RUNS = ("inputs", "decoder", "project", "alive")
Answer = TypeVar("Answer")


class Guard:
    """What is known of one plug-in's faults."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problem = ""
        """The first of them, as one line with its name; empty while there is none."""

    def call(self, what: str, call: Callable[[], Answer], instead: Answer) -> Answer:
        """The answer, or where the call fails another; `what` names the call."""
        try:
            return call()
        except _FAULTS as error:
            self.blame(what, error)
            return instead

    def blame(self, what: str, error: BaseException) -> str:
        """Remember a fault; it in words."""
        told = fault(error)
        words = f"the plug-in {self.name} failed in {what}: {told}"
        self.problem = self.problem or words
        return words

    def require(self, found: Any, names: Sequence[str]) -> None:
        """Raise `TypeError` where what a plug-in gave cannot be called by one of these names."""
        if missing := lacks(found, names):
            raise TypeError(f"{type(found).__name__} has no {missing}")


def fault(error: BaseException) -> str:
    """An exception in one short line."""
    return shorten(line(f"{type(error).__name__}: {error}".removesuffix(": ")), _LONGEST)


def lacks(found: Any, names: Sequence[str]) -> str:
    """Those of these names by which nothing can be called."""
    return ", ".join(name for name in names if not callable(getattr(found, name, None)))


class GuardedDecoder:
    """A plug-in's decoder; a record at which it fails is unreadable, and so are all once there is none."""

    def __init__(self, decoder: Decoder | None, guard: Guard) -> None:
        self._decoder = decoder
        self._guard = guard

    @property
    def unknown_types(self) -> dict[str, int]:
        """As it counts them."""
        decoder = self._decoder
        told: dict[str, int] = {}
        if decoder is not None:
            told = self._guard.call("unknown_types", lambda: dict(decoder.unknown_types), told)
        return {line(str(name)): count for name, count in told.items() if isinstance(count, int)}

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record, each of the types that it should have."""
        if self._decoder is None:
            return (unreadable(record, self._guard.problem),)
        try:
            return [_event(one, record) for one in self._decoder.feed(record)]
        except _FAULTS as error:
            return (unreadable(record, self._guard.blame("feed", error)),)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """What it has to say at the end."""
        decoder = self._decoder
        return self._guard.call(
            "finish", lambda: [_event(one) for one in decoder.finish(inputs)] if decoder else [], []
        )

    def copy(self) -> GuardedDecoder:
        """Another that goes on from here."""
        return GuardedDecoder(self._guard.call("copy", self._copied, None), self._guard)

    def _copied(self) -> Decoder | None:
        copied = self._decoder.copy() if self._decoder is not None else None
        if copied is not None:
            self._guard.require(copied, _READS)
        return copied


class GuardedRun:
    """A run that a plug-in found."""

    def __init__(self, found: Found, guard: Guard) -> None:
        guard.require(found, _RUNS)
        self.agent = line(str(found.agent))
        self.title = line(str(found.title))
        self._found = found
        self._guard = guard
        self._inputs: tuple[Input, ...] = ()

    @property
    def problem(self) -> str:
        """What went wrong in the plug-in."""
        return self._guard.problem

    def inputs(self) -> Sequence[Input]:
        """As it tells them; those known before where it fails."""
        told: list[Input] = []
        told = self._guard.call("inputs", lambda: [_known(one, Input) for one in self._found.inputs()], told)
        self._inputs = tuple(told) if len(told) >= len(self._inputs) else self._inputs
        return self._inputs

    def decoder(self) -> Decoder:
        """A fresh one."""
        return GuardedDecoder(self._guard.call("decoder", self._made, None), self._guard)

    def project(self) -> Path | None:
        """As it tells."""
        told = self._guard.call("project", self._found.project, None)
        return told if isinstance(told, Path) else None

    def alive(self) -> bool | None:
        """As it tells."""
        told = self._guard.call("alive", self._found.alive, None)
        return told if isinstance(told, bool) else None

    def _made(self) -> Decoder:
        decoder = self._found.decoder()
        self._guard.require(decoder, _READS)
        return decoder


class GuardedFinder:
    """A plug-in's finder; where it fails it has found nothing."""

    def __init__(self, finder: Finder, guard: Guard) -> None:
        self._finder = finder
        self._guard = guard

    def open(self, path: Path) -> Found | None:
        """The run at a file or folder."""
        return self._guard.call("open", lambda: self._run(self._finder.open(path)), None)

    def named(self, session: str) -> Iterable[Found]:
        """The runs with this id."""
        return self._guard.call(
            "named", lambda: [run for one in self._finder.named(session) if (run := self._run(one)) is not None], []
        )

    def sniff(self, head: bytes) -> bool:
        """Whether a stream that begins like this is its agent's."""
        return self._guard.call("sniff", lambda: bool(self._finder.sniff(head)), instead=False)

    def pipe(self, name: str) -> Found:
        """A run read from a pipe; where it fails, one of which nothing can be read."""
        nothing = Single(
            self._guard.name, None, partial(GuardedDecoder, None, self._guard), role="log", shape="lines", name=name
        )
        return self._guard.call("pipe", lambda: self._run(self._finder.pipe(name)), None) or nothing

    def _run(self, found: Found | None) -> Found | None:
        return GuardedRun(found, self._guard) if found is not None else None


class GuardedLister:
    """A plug-in's lister."""

    def __init__(self, lister: Lister, guard: Guard) -> None:
        self._lister = lister
        self._guard = guard

    def places(self) -> Sequence[Path]:
        """The folders in which its agent keeps runs."""
        return self._guard.call("places", lambda: [_known(one, Path) for one in self._lister.places()], [])

    def listed(self, machine: Machine, ends: Ends) -> Iterator[Listed]:
        """Every run in them; what makes it fail is remembered, and raised."""
        try:
            for one in self._lister.listed(machine, ends):
                yield _known(one, Listed)
        except _FAULTS as error:
            raise RuntimeError(self._guard.blame("listed", error)) from error


def _known(found: Any, kind: type[Answer]) -> Answer:
    """What a plug-in gave, of the type it should have; raises `TypeError` otherwise."""
    if not isinstance(found, kind):
        raise TypeError(f"{type(found).__name__} where {kind.__name__} is wanted")
    return found


def _event(found: Any, record: Record | None = None) -> Any:
    """An event of ours whose fields are what they should be, placed in its record; raises otherwise."""
    event = _known(found, Seen)
    event = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
    misplaced = record is not None and event.place.input != record.input.index
    return msgspec.structs.replace(event, place=place_of(record)) if misplaced and record is not None else event
