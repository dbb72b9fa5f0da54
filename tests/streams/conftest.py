"""What the tests of the streams share."""

from __future__ import annotations

import os
import time

import pytest
from piped import SOURCE

from monitor.streams.pipe import PipeReader


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pipe(tmp_path):
    """The writer's descriptor, and the reader."""
    end, writer = os.pipe()
    reader = PipeReader(end, SOURCE, tmp_path / "spool")
    open_ends = [writer]
    yield open_ends, reader
    for descriptor in open_ends:
        os.close(descriptor)
    reader.close()
