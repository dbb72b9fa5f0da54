"""Which of many files that differ are shown, where not all can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import Literal, NamedTuple

Became = Literal["modified", "deleted", "created"]
"""What became of a file, told without reading it."""
_ORDER: tuple[Became, ...] = ("modified", "deleted", "created")
_NEW = 5
"""One in so many of those shown may be a new file, however many others there are."""


class Share(NamedTuple):
    """What is shown, and how much is not."""

    shown: tuple[str, ...]
    left: tuple[tuple[Became, int], ...]
    """How many of each kind are not."""


def share(became: Mapping[str, Became], came: Container[str], most: int) -> Share:
    """What was there before comes first: a thousand new files hide no edit. `came`: new, but moved here from elsewhere."""
    new = [path for path, what in became.items() if what == "created" and path not in came]
    old = [path for path, what in became.items() if what != "created" or path in came]
    old = old[: max(most - len(new), most - most // _NEW)]
    shown = (*old, *new[: most - len(old)])
    left = Counter(became.values())
    left.subtract(became[path] for path in shown)
    return Share(shown, tuple((what, left[what]) for what in _ORDER if left[what]))
