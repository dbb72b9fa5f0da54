"""What an agent's folder gives: how its runs are found and how their records are decoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from monitor.events import Event
from monitor.streams.record import Input, Record


class Decoder(Protocol):
    """Turns one run's records into events; total, pure and copyable.

    A fresh decoder, fed any single record, gives the same texts at the same `Place.item`s as the one that
    has read all before it: this is how texts are read back when they are looked at.
    """

    @property
    def unknown_types(self) -> dict[str, int]:
        """Record types it does not know, counted. They are decoded (to nothing), not unreadable."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record; an `Unreadable` among them means that the record could not be read."""

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """What can be said only when all inputs are at their end and the run is known to be over."""

    def copy(self) -> Self:
        """Another that goes on from here."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process named by a source; the pair is unique on this machine since its start."""

    pid: int
    started: float | None = None
    """As psutil tells it, seconds since the epoch; none when the source does not know."""


class Found(Protocol):
    """One run that was found: its inputs, and how they are decoded."""

    agent: str
    title: str
    """How the run is called in a message: a session id, a folder's name."""

    def inputs(self) -> Sequence[Input]:
        """The inputs known now; called again while the run lives, since sub-agents add files. Indexes never change."""

    def decoder(self) -> Decoder:
        """A fresh decoder for these inputs."""

    def project(self) -> Path | None:
        """The folder a verified live process works in, or none: a log's word for it is not enough."""

    def alive(self) -> bool | None:
        """Whether the agent's process exists; none when nothing tells."""


class Opener(Protocol):
    """Finds runs that a person names."""

    def open(self, path: Path) -> Found | None:
        """The run at a file or folder, or none when it is not one of these. Reads a head only."""

    def named(self, session: str) -> Iterable[Found]:
        """The runs with this session id, or a unique beginning of it, in their usual folders."""


class Finder(Opener, Protocol):
    """The agent's module `find`: recognises its own from content, whatever the name."""

    def sniff(self, head: bytes) -> bool:
        """Whether a stream that begins like this (whole lines, up to 64 KiB) is this agent's."""

    def pipe(self, name: str) -> Found:
        """A run read from a pipe whose head `sniff` knew."""
