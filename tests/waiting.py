"""Waiting for what is to come about, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 30.0
"""Seconds."""


def until(condition: Callable[[], Any], what: str = "it", patience: float = PATIENCE) -> Any:
    """Wait until it holds; what it gave."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} never came about"
        time.sleep(0.005)
    return found
