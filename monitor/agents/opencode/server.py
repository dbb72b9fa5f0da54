"""Asks a server of OpenCode on this machine; only the address of this machine is ever asked."""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

from monitor.agents.fields import Object, part, parts, raw
from monitor.agents.opencode.bridge import Bridge
from monitor.agents.opencode.held import Held, line
from monitor.streams.missed import Missed

PASSWORD, USER = "OPENCODE_SERVER_PASSWORD", "OPENCODE_SERVER_USERNAME"
LOCKED = f"the server wants a password: start monitor with {PASSWORD} set to it"
REFUSED: Mapping[int, str] = {401: LOCKED, 403: LOCKED}
_LOCAL = frozenset(("127.0.0.1", "localhost", "::1"))
_TARGET = re.compile(r"https?://", re.IGNORECASE)
_NAME = re.compile(r"(?:ses|per|msg)_[0-9A-Za-z]{1,80}")
_PATIENCE = 5.0
_DEPTH = 8
"""How deep sub-agents of sub-agents are looked for."""


class ServerError(OSError):
    """The server could not be asked, or refused."""


class Server:
    """One server; each request waits for its answer, `patience` seconds at most."""

    def __init__(
        self,
        port: int,
        password: str | None = None,
        host: str = "127.0.0.1",
        bridge: Bridge | None = None,
        *,
        patience: float = _PATIENCE,
    ) -> None:
        self.port = port
        self._patience = patience
        self.bridge = bridge
        """The socket that is asked instead of a port."""
        self.way = "server" if bridge is None else "plug-in"
        self.shown = f"127.0.0.1:{port}" if bridge is None else f"process {bridge.process.pid}"
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        secret = os.environ.get(PASSWORD, "") if password is None else password
        user = os.environ.get(USER) or "opencode"
        token = base64.b64encode(f"{user}:{secret}".encode()).decode()
        self.headers: Mapping[str, str] = {"authorization": f"Basic {token}"} if secret else {}

    def healthy(self) -> str:
        """The version of the OpenCode that answers. Raises `ServerError`."""
        found = self.ask("GET", "/global/health")
        if not isinstance(found, dict) or found.get("healthy") is not True:
            raise ServerError(0, "no server of OpenCode")
        return raw(found, "version")

    def sessions(self, folder: str = "") -> Sequence[Object]:
        """The sessions of a folder, or of the one it was started in, the latest first."""
        return _objects(self.ask("GET", "/session", {"directory": folder, "roots": "true"}))

    def session(self, name: str) -> Object:
        """One session's own entry."""
        found = self.ask("GET", f"/session/{_named(name)}")
        return found if isinstance(found, dict) else {}

    def working(self, folder: str) -> frozenset[str]:
        """The sessions of a folder that this very server works on now."""
        found = self.ask("GET", "/session/status", {"directory": folder})
        return frozenset(
            name
            for name in (found if isinstance(found, dict) else {})
            if raw(part(found, name), "type") in ("busy", "retry")
        )

    def create(self, folder: str, title: str, rules: Sequence[Mapping[str, str]] = ()) -> str:
        """A new session; its id."""
        body: dict[str, Any] = {"title": title, **({"permission": list(rules)} if rules else {})}
        found = self.ask("POST", "/session", {"directory": folder}, body)
        return raw(found if isinstance(found, dict) else {}, "id")

    def prompt(self, session: str, folder: str, text: str, **more: Any) -> None:
        """Say something to a session; it is taken up at its next step."""
        body = {"parts": [{"type": "text", "text": text}], **more}
        self.ask("POST", f"/session/{_named(session)}/prompt_async", {"directory": folder}, body)

    def abort(self, session: str, folder: str) -> None:
        """Ask a session to stop; it says yes whatever becomes of it."""
        self.ask("POST", f"/session/{_named(session)}/abort", {"directory": folder})

    def reply(self, question: str, folder: str, answer: str, words: str) -> None:
        """Answer whether a call may be made: `once` or `reject`."""
        body = {"reply": answer, **({"message": words} if words else {})}
        self.ask("POST", f"/permission/{_named(question)}/reply", {"directory": folder}, body)

    def events(self, folder: str) -> str:
        """Where the events of a folder are streamed."""
        return f"{self.url}/event?directory={quote(folder, safe='')}"

    def told(self, session: str, folder: str) -> Missed:
        """All that a session and those of its sub-agents hold now.

        Whether one rests whose prompt was just given is told later: it says that it works only once it does.
        """
        family, layer = [session], [session]
        for _ in range(_DEPTH):
            found = [raw(one, "id") for name in layer for one in self._children(name, folder)]
            layer = [name for name in found if name and name not in family]
            family += layer
            if not layer:
                break
        held = [self._held(name, folder) for name in family]
        lines = [told for one in held for told in one.lines()]
        asked = [("permission.asked", one) for one in _objects(self.ask("GET", "/permission", {"directory": folder}))]
        asked += [("question.asked", one) for one in self._questions(folder)]
        waiting = [line(kind, one) for kind, one in asked if raw(one, "sessionID") in family]
        rests = self._rests(held[::-1], folder)
        return replace(rests, lines=[*lines, *waiting, *rests.lines])

    def ask(self, verb: str, path: str, query: Mapping[str, str] | None = None, body: object = None) -> Any:
        """What it answers. Raises `ServerError`."""
        import httpx  # noqa: PLC0415 - it takes a tenth of a second, and most runs need none

        door = self.bridge.reached() if self.bridge is not None else None
        if self.bridge is not None and door is None:
            raise ServerError(0, "the server cannot be reached: nobody listens at its socket")
        asked = {name: value for name, value in (query or {}).items() if value}
        way = httpx.HTTPTransport(uds=str(door)) if door is not None else None
        try:
            with httpx.Client(
                timeout=self._patience, trust_env=False, headers=dict(self.headers), transport=way
            ) as client:
                answer = client.request(verb, f"{self.url}{path}", params=asked, json=body)
        except (httpx.HTTPError, OSError) as error:
            raise ServerError(0, f"the server cannot be reached ({type(error).__name__})") from None
        if not answer.is_success:
            raise ServerError(0, REFUSED.get(answer.status_code, f"the server answers {answer.status_code}"))
        try:
            return json.loads(answer.content) if answer.content else None
        except (ValueError, RecursionError):
            raise ServerError(0, "the server answers what is no JSON") from None

    def _children(self, session: str, folder: str) -> Sequence[Object]:
        return _objects(self.ask("GET", f"/session/{_named(session)}/children", {"directory": folder}))

    def _questions(self, folder: str) -> Sequence[Object]:
        """The questions to a person that are open; none where they cannot be asked for, as over the plug-in."""
        try:
            return _objects(self.ask("GET", "/question", {"directory": folder}))
        except ServerError:
            return ()

    def _held(self, session: str, folder: str) -> Held:
        at = {"directory": folder}
        messages = _objects(self.ask("GET", f"/session/{_named(session)}/message", at))
        info = self.ask("GET", f"/session/{_named(session)}", at)
        return Held(session, info if isinstance(info, dict) else {}, messages)

    def _rests(self, held: Sequence[Held], folder: str) -> Missed:
        """Which sessions do nothing; for those that may be about to begin it is asked again later."""
        works, now = self.working(folder), time.time()
        idle = [one for one in held if one.session not in works]
        waits = [one.begins_within(now) for one in idle]
        lines = [one.idle() for one, wait in zip(idle, waits, strict=True) if not wait]
        if not any(waits):
            return Missed(lines)
        unsure = [one.session for one, wait in zip(idle, waits, strict=True) if wait]
        return Missed(lines, min(filter(None, waits)), partial(self._still, unsure, folder))

    def _still(self, names: Sequence[str], folder: str) -> Missed:
        """Which of them rest though they were asked; the end of those that have begun is told by an event."""
        held = [self._held(name, folder) for name in names]
        return self._rests([one for one in held if one.unanswered], folder)


def server_at(target: str) -> tuple[Server, str] | str | None:
    """The server and the session that an address names: `http://127.0.0.1:4096`, with `/ses_…` behind it for a session.

    Why not, where it names none; none where it is no address.
    """
    if not _TARGET.match(target):
        return None
    try:
        found = urlsplit(target)
        host, port = found.hostname or "", found.port
    except ValueError:
        return "no address"
    if host not in _LOCAL or found.scheme.lower() != "http":
        return "monitor asks servers on this machine alone"
    if port is None:
        return "the address names no port"
    session = next((one for one in found.path.split("/") if one.startswith("ses_")), "")
    if session and not _NAME.fullmatch(session):
        return "no session of that name"
    return Server(port, host="127.0.0.1" if host == "localhost" else host), session


def _named(name: str) -> str:
    """An id as it may stand in an address."""
    if not _NAME.fullmatch(name):
        raise ServerError(0, "no id of OpenCode's")
    return name


def _objects(found: object) -> Sequence[Object]:
    return parts({"": found}, "")
