"""Attaches to a run that was listed, or reads a finished one to its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from monitor.agents.listed import Listed
from monitor.agents.protocol import Found
from monitor.channels.hold import Hold
from monitor.errors import MonitorError
from monitor.launch.launched import Launched
from monitor.opening import supervised
from monitor.reaching import channel_of, followed
from monitor.snapshot import Snapshot
from monitor.streams.notify import Notifier
from monitor.supervisor import Supervisor
from monitor.targets import find

_LARGEST = 32 << 20
"""Bytes of the largest log that is read for the overview alone."""
_BREATH = 0.002
"""Seconds between two rounds of reading, so that the screen goes on."""


def attached(listed: Listed, hold: Hold | None = None) -> Supervisor:
    """A started supervisor; its channel is held as `hold` wishes. Raises `MonitorError` where the run cannot be read."""
    found = opened(listed)
    if listed.alive:
        supervisor = supervised(found, found.project(), hold=hold)
    else:
        supervisor = Supervisor(found, live=True, channel=channel_of(found, hold), notifier=Notifier())
    supervisor.start()
    return supervisor


def judged(listed: Listed, going_on: Callable[[], bool]) -> Snapshot | None:
    """What a finished log says; none where it is too large to be read unasked, or `going_on` no longer holds."""
    found = opened(listed)
    paths = [one.path for one in found.inputs() if one.path is not None]
    if sum(path.stat().st_size for path in paths if path.exists()) > _LARGEST:
        return None
    supervisor = Supervisor(found, live=False)
    try:
        while supervisor.step():
            if not going_on():
                return None
            time.sleep(_BREATH)
        supervisor.finish()
        return supervisor.snapshot
    finally:
        supervisor.close()


def opened(listed: Listed) -> Found:
    """The run behind the entry. Raises `MonitorError`."""
    if listed.path is None:
        raise MonitorError("this run has written nothing yet", "Wait until it does")
    found = find(str(listed.path))
    if not isinstance(found, Launched):
        return found
    run = followed(found, patience=0)
    if run is found and found.agent == "dirtywork" and found.alive():
        raise MonitorError("dirtywork has not made this run's folder yet", "Wait until it has")
    return run
