"""Hands notifications to where the user wants them, beside everything else: a slow target delays nothing."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from monitor.errors import USAGE, MonitorError
from monitor.notifying import desktop, terminal
from monitor.notifying.settings import Targets
from monitor.report.redact import Redactor
from monitor.text import line, shorten

_HOUR: Final = 3600.0
_LONGEST: Final = 400
_WAITING: Final = 50
"""Notifications that may wait for a slow target; more are counted as lost."""


class Announcer:
    """Tells the user; texts are cleaned and their secrets taken out, since they leave this machine.

    Raises `MonitorError` where Apprise's addresses are named and Apprise is not installed, or knows none of them.
    """

    def __init__(
        self,
        targets: Targets,
        *,
        ring: Callable[[str], None] = terminal.write,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._targets = targets
        self.ring = ring
        """Writes to the terminal."""
        self._clock = clock
        self._redactor = Redactor(str(Path.home()))
        self._outside = _outside(targets.apprise)
        self._told: deque[float] = deque()
        self._queue: queue.Queue[tuple[str, str] | None] = queue.Queue(_WAITING)
        self._thread: threading.Thread | None = None
        self.lost = 0
        """Notifications that were not sent: beyond the limit of an hour, or because a target was too slow."""
        self.problem = ""
        """What went wrong last."""

    def tell(self, title: str, text: str) -> None:
        """Notify the user; never waits."""
        now = self._clock()
        while self._told and self._told[0] <= now - _HOUR:
            self._told.popleft()
        if self._targets.an_hour and len(self._told) >= self._targets.an_hour:
            self.lost += 1
            return
        self._told.append(now)
        title, text = (shorten(line(self._redactor.text(one)), _LONGEST) for one in (title, text))
        if signs := terminal.signs(f"{title}: {text}", self._targets, os.environ):
            self.ring(signs)
        if self._targets.desktop or self._outside is not None:
            self._hand_over(title, text)

    def close(self) -> None:
        """Send what waits, within reason, and end."""
        if self._thread is not None:
            try:
                self._queue.put(None, timeout=1)
            except queue.Full:
                return
            self._thread.join(timeout=10)

    def _hand_over(self, title: str, text: str) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._send, name="announcer", daemon=True)
            self._thread.start()
        try:
            self._queue.put_nowait((title, text))
        except queue.Full:
            self.lost += 1

    def _send(self) -> None:
        while (note := self._queue.get()) is not None:
            if self._targets.desktop:
                self.problem = desktop.show(*note) or self.problem
            if self._outside is not None and not self._outside(*note):
                self.problem = "not every address of [notify] apprise took the last notification"


def _outside(addresses: tuple[str, ...]) -> Callable[[str, str], bool] | None:
    """Sends to Apprise's addresses; whether all took it. Imported late: it takes a second."""
    if not addresses:
        return None
    if find_spec("apprise") is None:
        raise MonitorError(
            "config.toml: [notify] apprise needs Apprise, which is not installed",
            "Install it: pip install 'agent-run-monitor[notify]'",
            USAGE,
        )
    import apprise  # noqa: PLC0415 - only those who named an address pay for it

    sender: Any = apprise.Apprise()
    for number, address in enumerate(addresses, 1):
        if not sender.add(address):
            raise MonitorError(
                f"config.toml: [notify] apprise: Apprise does not understand address {number}",
                "See its list of services",
                USAGE,
            )
    return lambda title, text: bool(sender.notify(title=title, body=text))
