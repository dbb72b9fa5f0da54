"""A small server that answers as OpenCode's does, and streams what a test tells it to."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import Any

from opencode_logs import CWD, SESSION, Talk, ident

PASSWORD = "made-up"


class Fake:
    """One server; `talk` makes the events of its one session, which `flush` streams."""

    def __init__(self, password: str = "") -> None:
        self.password = password
        self.talk = Talk()
        self.talk.created()
        self.child: Talk | None = None
        """The session of a sub-agent."""
        self.told = 0
        self.working = False
        self.questions: list[dict[str, Any]] = []
        """Calls that wait for approval."""
        self.inquiries: list[dict[str, Any]] | None = []
        """Questions to the user; none for a server that knows none."""
        self.asked: list[tuple[str, Any]] = []
        """What was posted, in order."""
        self.listeners: list[SimpleQueue[bytes | None]] = []
        self.prompted: Callable[[str], Any] = self.taken
        """What is done with a prompt; the answer to it, none for a refusal."""
        self.deaf = False
        """No stream of events is to be had."""
        self._changing = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    def flush(self) -> None:
        """Stream what the talk has told since."""
        with self._changing:
            events, self.told = self.talk.events[self.told :], len(self.talk.events)
            for one in events:
                self.send(one)

    def send(self, event: dict[str, Any]) -> None:
        for listener in list(self.listeners):
            listener.put(b"data: " + json.dumps(event).encode() + b"\n\n")

    def beat(self) -> None:
        self.talk.clock += 10_000
        self.send({"id": ident("evt", self.talk.clock), "type": "server.heartbeat", "properties": {}})

    def hang_up(self) -> None:
        """Close every stream."""
        for listener in list(self.listeners):
            listener.put(None)

    def messages(self, talk: Talk | None = None) -> list[dict[str, Any]]:
        """What the session holds now, or another."""
        found: dict[str, dict[str, Any]] = {}
        for event in (talk or self.talk).events:
            data = event["properties"]
            if event["type"] == "message.updated":
                found.setdefault(data["info"]["id"], {"info": {}, "parts": {}})["info"] = data["info"]
            elif event["type"] == "message.part.updated":
                found[data["part"]["messageID"]]["parts"][data["part"]["id"]] = data["part"]
        return [{"info": one["info"], "parts": list(one["parts"].values())} for one in found.values()]

    def answer(self, verb: str, path: str, body: Any) -> Any:
        info = self.talk.events[0]["properties"]["info"]
        if verb == "POST":
            self.asked.append((path, body))
            return self._posted(path, body, info)
        if self.child is not None and path.startswith(f"/session/{self.child.session}"):
            own = self.child.events[0]["properties"]["info"]
            return {"message": self.messages(self.child), "children": []}.get(path.rpartition("/")[2], own)
        return {
            "/global/health": {"healthy": True, "version": "1.18.33"},
            "/session": [info],
            "/session/status": {SESSION: {"type": "busy"}} if self.working else {},
            f"/session/{SESSION}": info,
            f"/session/{SESSION}/message": self.messages(),
            f"/session/{SESSION}/children": [self.child.events[0]["properties"]["info"]] if self.child else [],
            "/permission": self.questions,
            "/question": self.inquiries,
        }.get(path)

    def _posted(self, path: str, body: Any, info: Any) -> Any:
        if path == "/session":
            info["time"]["created"] = int(time.time() * 1000)
            return info
        if path.endswith("/prompt_async"):
            return self.prompted(body["parts"][0]["text"])
        return True

    def taken(self, words: str) -> Any:
        """Take a prompt up."""
        self.working = True
        self.talk.asked(words)
        self.flush()
        return ...

    def close(self) -> None:
        self.hang_up()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    fake: Fake
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Nothing on stderr."""

    def _serve(self, verb: str) -> None:
        path = self.path.partition("?")[0]
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        token = base64.b64encode(f"opencode:{self.fake.password}".encode()).decode()
        if self.fake.password and self.headers.get("authorization") != f"Basic {token}":
            self._send(401, b"")
        elif path == "/event" and self.fake.deaf:
            self._send(503, b"")
        elif path == "/event":
            self._stream()
        else:
            found = self.fake.answer(verb, path, json.loads(data) if data else None)
            status = 204 if found is ... else 404 if found is None else 200
            self._send(status, b"" if found is ... or found is None else json.dumps(found).encode())

    def _send(self, status: int, data: bytes) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        queue: SimpleQueue[bytes | None] = SimpleQueue()
        self.fake.listeners.append(queue)
        try:
            self.wfile.write(b'data: {"id":"evt_000000000001A","type":"server.connected","properties":{}}\n\n')
            while (piece := _next(queue, self.fake)) is not None:
                self.wfile.write(piece)
        except OSError:
            pass
        finally:
            self.fake.listeners.remove(queue)


def _next(queue: SimpleQueue[bytes | None], fake: Fake) -> bytes | None:
    while True:
        try:
            return queue.get(timeout=0.2)
        except Empty:
            if not fake._thread.is_alive():
                return None


@contextmanager
def serving(password: str = "") -> Iterator[Fake]:
    """A server, for as long as it is wanted."""
    fake = Fake(password)
    try:
        yield fake
    finally:
        fake.close()


__all__ = ["CWD", "PASSWORD", "SESSION", "Fake", "serving"]
