"""Places and numbers as the report gives them."""

from __future__ import annotations

import math

from monitor.findings import Spot
from monitor.report.parts import Where


def where(spot: Spot) -> Where:
    """The place of an event."""
    return {"input": spot.input, "line": spot.line}


def finite(number: float | None) -> float | None:
    """The number, or none where JSON has no word for it."""
    return number if number is not None and math.isfinite(number) else None
