"""A model server on this machine that plays a script to a real agent, and never leaves it.

A turn is what the model says next, in no dialect; a dialect is one function that words it for its endpoint.
Another dialect is another function and another line in `DIALECTS`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

PATIENCE = 30.0
"""Seconds a held turn waits at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the model: its words, and the calls it makes."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    stop: str = ""
    """In the dialect's own word; empty for the usual one."""
    until: threading.Event | None = None
    """The reply is held until this is set."""
    asked: threading.Event = field(default_factory=threading.Event)
    """Set when the agent has asked for it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the agent."""

    body: Mapping[str, Any]
    status: int = 200


Dialect = Callable[["ScriptedModel", Mapping[str, Any]], Answer]


class ScriptedModel:
    """Serves the turns in order; which one is next is read off the conversation, so a retry gets the same."""

    def __init__(self, turns: Sequence[Turn], name: str = "scripted") -> None:
        self.turns = turns
        self.name = name
        self.requests: list[Mapping[str, Any]] = []
        """The bodies that were sent, in order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """Where the server is, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def turn(self, number: int) -> Turn:
        """The turn with this number, from 0; past the end the model has nothing more to do."""
        turn = self.turns[number] if number < len(self.turns) else Turn("Nothing more to do.")
        turn.asked.set()
        if turn.until is not None:
            turn.until.wait(PATIENCE)
        return turn

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for turn in self.turns:
            if turn.until is not None:
                turn.until.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def list_models(model: ScriptedModel, _: Mapping[str, Any]) -> Answer:
    """OpenAI's list of models."""
    return Answer({"object": "list", "data": [{"id": model.name, "object": "model"}]})


def chat(model: ScriptedModel, body: Mapping[str, Any]) -> Answer:
    """OpenAI's chat completions, in one piece."""
    number = sum(message.get("role") == "assistant" for message in body["messages"])
    turn = model.turn(number)
    calls = [
        {"id": f"call_{number}_{index}", "type": "function",
         "function": {"name": name, "arguments": json.dumps(arguments)}}
        for index, (name, arguments) in enumerate(turn.calls)
    ]  # fmt: skip
    message = {"role": "assistant", "content": turn.text, **({"tool_calls": calls} if calls else {})}
    stop = turn.stop or ("tool_calls" if calls else "stop")
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    choice = {"index": 0, "message": message, "finish_reason": stop}
    return Answer({"id": f"chat-{number}", "object": "chat.completion", "choices": [choice], "usage": usage})


DIALECTS: Mapping[tuple[str, str], Dialect] = {
    ("GET", "/v1/models"): list_models,
    ("POST", "/v1/chat/completions"): chat,
}


class _Handler(BaseHTTPRequestHandler):
    model: ScriptedModel
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.model.requests.append(body)
        self._answer(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Nothing on stderr."""

    def _answer(self, body: Mapping[str, Any]) -> None:
        dialect = DIALECTS.get((self.command, self.path.partition("?")[0]))
        answer = dialect(self.model, body) if dialect else Answer({"error": {"message": "no such path"}}, 404)
        data = json.dumps(answer.body).encode()
        try:
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
