"""The server that monitor started for one session, and how that session is read: live, and once it has ended."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from monitor.agents.fields import raw, read_object, whole
from monitor.agents.opencode.database import database
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.server import PASSWORD, Server
from monitor.agents.opencode.stored import Stored, named
from monitor.errors import MonitorError
from monitor.streams.files import read_head
from monitor.text import first_line, shorten

NOTE = "session.json"
_LISTENS = re.compile(rb"listening on http://[^\s:]+:(\d{1,5})")
_PATIENCE = 60.0
"""Seconds its server has to start, and to tell its first event: the first start of a version sets its database up."""
_ANSWER = 30.0
"""Seconds it has for an answer: the first one in a folder waits for all that is set up there."""
_PAUSE = 0.05
_LARGEST = 1 << 16
_TITLE = 60


class Serving:
    """One run's folder, with the password that only its server was given."""

    def __init__(self, folder: Path, cwd: Path, env: Mapping[str, Any]) -> None:
        self._folder = folder
        self._cwd = cwd
        self._password = raw(env, PASSWORD)
        self._live: Live | None = None
        """The session, heard since before its task was said."""

    @property
    def session(self) -> str:
        """The session that was made; empty before that."""
        return raw(self._noted(), "session")

    @property
    def told(self) -> bool:
        """Whether its task was said, by this very object."""
        return self._live is not None

    def begin(self, output: Path, task: str, ask: Mapping[str, str], gone: Callable[[], str | None]) -> None:
        """Make the session and, once its events are heard, say its task; `gone` tells the last words of a server that has ended.

        An error that keeps the task from being taken up is told by an event alone. Raises `MonitorError` where it cannot
        be begun; then nothing hears it any more.
        """
        if self.session:
            return
        server = Server(self._port(output, gone), self._password, patience=_ANSWER)
        title = ask.get("title") or shorten(first_line(task), _TITLE)
        try:
            session = server.create(str(self._cwd), title)
            note = {"port": server.port, "session": session}
            (self._folder / NOTE).write_text(json.dumps(note), encoding="utf-8")
            with self._heard(Live(Server(server.port, self._password), session, str(self._cwd), ends=True), gone):
                server.prompt(session, str(self._cwd), task, **_said(ask))
        except OSError as error:
            raise MonitorError(f"OpenCode cannot be asked: {error.strerror}", "Try it without monitor") from None

    def found(self, *, lives: bool) -> Live | Stored | None:
        """The session over its server while that lives, else as its database keeps it."""
        note = self._noted()
        session, port = raw(note, "session"), whole(note, "port")
        if not session or port is None:
            return None
        if lives and self._live is not None:
            return self._live
        if lives:
            return Live(Server(port, self._password), session, str(self._cwd), ends=True)
        return next((one for one in named(database(), session, ends=True) if one.session == session), None)

    def _port(self, output: Path, gone: Callable[[], str | None]) -> int:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if (told := _LISTENS.search(_head(output))) is not None:
                return int(told[1])
            if (words := gone()) is not None:
                raise MonitorError(f"OpenCode's server did not start: {words or 'it has ended'}", "Try: opencode serve")
            time.sleep(_PAUSE)
        raise MonitorError("OpenCode's server does not say where it listens", "Try: opencode serve")

    @contextmanager
    def _heard(self, live: Live, gone: Callable[[], str | None]) -> Iterator[None]:
        """A session whose events are heard; unless what is done meanwhile fails, it is the one that is found."""
        try:
            _hear(live, gone)
            yield
        except BaseException:
            live.hush()
            raise
        self._live = live

    def _noted(self) -> dict[str, Any]:
        found = read_object(_head(self._folder / NOTE))
        return {} if isinstance(found, str) else found


def _hear(live: Live, gone: Callable[[], str | None]) -> None:
    end = time.monotonic() + _PATIENCE
    while not live.hears(_PAUSE):
        if (words := gone()) is not None:
            raise MonitorError(f"OpenCode's server has ended: {words or 'it tells no reason'}", "Try: opencode serve")
        if time.monotonic() >= end:
            why = live.deaf or "its server tells none"
            raise MonitorError(f"OpenCode's events cannot be heard: {why}", "Try it without monitor")


def _said(ask: Mapping[str, str]) -> dict[str, Any]:
    """What a prompt says beside its words."""
    more: dict[str, Any] = {name: ask[name] for name in ("agent", "variant") if ask.get(name)}
    provider, slash, model = ask.get("model", "").partition("/")
    return more | ({"model": {"providerID": provider, "modelID": model}} if slash else {})


def _head(path: Path) -> bytes:
    try:
        return read_head(path, _LARGEST)
    except OSError:
        return b""
