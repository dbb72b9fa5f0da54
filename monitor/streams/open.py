"""The reader that fits an input."""

from __future__ import annotations

from monitor.streams.document import DocumentReader
from monitor.streams.follow import Follower
from monitor.streams.record import Input


def open_reader(source: Input) -> Follower | DocumentReader:
    """A reader of a file, by its shape; raises MonitorError for a path that is a folder, a pipe or a device."""
    return DocumentReader(source) if source.shape == "document" else Follower(source)
