"""The folders in which agents keep their sessions: those that cannot be looked into are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from monitor.doctor.check import Check
from monitor.finding.standing import Place
from monitor.text import line, plural

_MOST = 5_000
"""Folders below one place that are looked into."""
_NAMED = 5
_ADVICE = "Its sessions are not listed; make it readable for this user, for example: chmod u+rx"


def folders(places: Iterable[Place]) -> Iterator[Check]:
    """One check for each folder that is there and cannot be read; none where all can."""
    for place in places:
        shut = list(islice(_shut(place.path), _MOST))
        for path, why in shut[:_NAMED]:
            yield Check("session folders", place.agent, "lack", f"{line(path)}: {line(why)}", _ADVICE)
        if len(shut) > _NAMED:
            more = f"{plural(len(shut) - _NAMED, 'folder')} more below {line(str(place.path))}"
            yield Check("session folders", place.agent, "lack", f"{more} cannot be read", _ADVICE)
        if not shut and place.problem not in ("", "not there"):
            said = f"{line(str(place.path))}: {line(place.problem)}"
            yield Check(
                "session folders", place.agent, "lack", said, "Its sessions may not all be listed; update monitor"
            )


def _shut(place: Path) -> Iterator[tuple[str, str]]:
    """Each folder at or below a place that cannot be read, and why; one that is not there is none."""
    met: list[OSError] = []
    for _ in islice(os.walk(place, onerror=met.append), _MOST):
        pass
    for error in met:
        if not isinstance(error, FileNotFoundError):
            yield str(error.filename), error.strerror or type(error).__name__
