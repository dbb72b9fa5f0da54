"""The reader that fits an input."""

from __future__ import annotations

from monitor.streams.document import DocumentReader
from monitor.streams.follow import Follower
from monitor.streams.record import Input
from monitor.streams.span import SpanReader


def open_reader(source: Input) -> Follower | DocumentReader | SpanReader:
    """A reader of a file, by its shape; raises MonitorError for a path that is a folder, a pipe or a device."""
    if source.span is not None:
        return SpanReader(source)
    return DocumentReader(source) if source.shape == "document" else Follower(source)
