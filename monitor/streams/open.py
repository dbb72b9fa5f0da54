"""The reader that fits an input."""

from __future__ import annotations

from collections.abc import Callable

from monitor.streams.document import DocumentReader
from monitor.streams.follow import Follower
from monitor.streams.reader import Reader
from monitor.streams.record import Input
from monitor.streams.span import SpanReader

Opens = Callable[[Input], Reader]
"""Gives each input its reader."""


def open_reader(source: Input, wake: Callable[[], None] = lambda: None) -> Reader:
    """A reader of a file, by its shape, or the one that the input brings.

    `wake` is called when there is more, by a reader that notices it by itself. Raises MonitorError for a path that is
    a folder, a pipe or a device.
    """
    if source.opens is not None:
        return source.opens(source, wake)
    if source.span is not None:
        return SpanReader(source)
    return DocumentReader(source) if source.shape == "document" else Follower(source)
