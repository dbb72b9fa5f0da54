"""Waiting for what is to come about, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 30.0
"""Seconds."""


def until(
    condition: Callable[[], Any], what: str = "it", so_far: Callable[[], object] = str, *, patience: float = PATIENCE
) -> Any:
    """Wait until it holds; what it gave. `so_far` tells how it stands where it never does."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} never came about {so_far()}"
        time.sleep(0.005)
    return found
