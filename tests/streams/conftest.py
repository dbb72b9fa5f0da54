"""What the tests of the streams share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest


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
def until() -> Callable[[Callable[[], bool]], None]:
    """Waits for a condition, at most twenty seconds."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        pause = threading.Event()
        while not condition():
            assert time.monotonic() < deadline, "the condition never came true"
            pause.wait(0.002)

    return wait
