"""The invented runs that the screens of the tests and of the README show."""

from __future__ import annotations

from ui_ended import empty, ended
from ui_runs import calm
from ui_trouble import trouble

SCENES = {"trouble": trouble, "calm": calm, "ended": ended, "empty": empty}
