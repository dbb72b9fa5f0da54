"""The invented runs that the screens of the tests and of the README show."""

from __future__ import annotations

from collections.abc import Callable

from ui_ended import empty, ended
from ui_replay import replayed
from ui_runs import calm
from ui_samples import SampleSource
from ui_trouble import trouble

SCENES: dict[str, Callable[[], SampleSource]] = {
    "trouble": trouble,
    "calm": calm,
    "ended": ended,
    "empty": empty,
    "replay": replayed,
}
