"""A model server on this machine that plays a script to a real agent, and never leaves it.

A turn is what the model says next, in no dialect; a dialect is one function that words it for its endpoint.
Another dialect is another function and another line in `DIALECTS`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from anthropic_messages import message_pieces
from openai_chat import chat_pieces
from openai_responses import branch_of, response_pieces
from turns import Answer, Turn, hold

Dialect = Callable[["ScriptedModel", Mapping[str, Any]], Answer]


class ScriptedModel:
    """Serves the turns in order; which one is next is read off the conversation, so a retry gets the same."""

    def __init__(
        self, turns: Sequence[Turn], name: str = "scripted", agents: Mapping[str, Sequence[Turn]] | None = None
    ) -> None:
        self.turns = turns
        self.agents = agents or {}
        """Scripts of sub-agents, each by a name that stands in what it is told; in dialects that tell them apart."""
        self.name = name
        self.requests: list[Mapping[str, Any]] = []
        """The bodies that were sent, in order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """Where the server is, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def turn(self, number: int, script: Sequence[Turn] | None = None) -> Turn:
        """The turn with this number, from 0, of a script of its own; past the end the model has nothing more to do."""
        turns = self.turns if script is None else script
        turn = turns[number] if number < len(turns) else Turn("Nothing more to do.")
        turn.asked.set()
        return turn

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for turn in [*self.turns, *(one for script in self.agents.values() for one in script)]:
            if turn.until is not None:
                turn.until.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def list_models(model: ScriptedModel, _: Mapping[str, Any]) -> Answer:
    """OpenAI's list of models."""
    return Answer({"object": "list", "data": [{"id": model.name, "object": "model"}]})


def chat(model: ScriptedModel, body: Mapping[str, Any]) -> Answer:
    """OpenAI's chat completions, in one piece or streamed; what is asked without tools in a stream (a title) is no turn."""
    number = sum(message.get("role") == "assistant" for message in body["messages"])
    if body.get("stream"):
        turn = model.turn(number) if body.get("tools") else Turn("A title")
        return Answer(pieces=chat_pieces(turn, number, body.get("model", "")), events=True)
    turn = model.turn(number)
    hold(turn)
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


def version(_: ScriptedModel, __: Mapping[str, Any]) -> Answer:
    """Ollama's version, as new as its clients ask for."""
    return Answer({"version": "9.0.0"})


def tags(model: ScriptedModel, _: Mapping[str, Any]) -> Answer:
    """Ollama's list of models."""
    return Answer({"models": [{"name": model.name, "model": model.name}]})


def show(_: ScriptedModel, __: Mapping[str, Any]) -> Answer:
    """What Ollama knows of a model."""
    abilities = ["completion", "tools", "thinking"]
    return Answer({"capabilities": abilities, "model_info": {"scripted.context_length": 32_768}})


def placed(model: ScriptedModel, _: Mapping[str, Any]) -> Answer:
    """The models that Ollama has in memory."""
    return Answer({"models": [{"name": model.name, "size": 1, "size_vram": 1, "context_length": 32_768}]})


def ollama_chat(model: ScriptedModel, body: Mapping[str, Any]) -> Answer:
    """Ollama's chat, streamed."""
    number = sum(message.get("role") == "assistant" for message in body["messages"])
    return Answer(pieces=ollama_pieces(model.turn(number)))


def ollama_pieces(turn: Turn) -> Iterator[Mapping[str, Any]]:
    """One reply in Ollama's pieces."""
    for thought in turn.thinking:
        yield {"message": {"role": "assistant", "thinking": thought}, "done": False}
    hold(turn)
    if turn.text:
        yield {"message": {"role": "assistant", "content": turn.text}, "done": False}
    if turn.calls:
        calls = [{"function": {"name": name, "arguments": arguments}} for name, arguments in turn.calls]
        yield {"message": {"role": "assistant", "tool_calls": calls}, "done": False}
    counts = {"prompt_eval_count": 100, "eval_count": 10, "eval_duration": 1, "prompt_eval_duration": 1}
    yield {"message": {"role": "assistant"}, "done": True, "done_reason": turn.stop or "stop", **counts}


def messages(model: ScriptedModel, body: Mapping[str, Any]) -> Answer:
    """Anthropic's messages, streamed; what is asked without tools (a title, a check) is no turn."""
    if not body.get("tools"):
        turn, number = Turn("ok"), -1
    else:
        number = sum(message.get("role") == "assistant" for message in body["messages"])
        turn = model.turn(number)
    return Answer(pieces=message_pieces(turn, number, body.get("model", "")), events=True)


def responses(model: ScriptedModel, body: Mapping[str, Any]) -> Answer:
    """OpenAI's responses, streamed."""
    name, number = branch_of(body, model.agents)
    turn = model.turn(number, model.agents.get(name))
    return Answer(pieces=response_pieces(turn, f"{name}{number}", body.get("model", "")), events=True)


def count(_: ScriptedModel, __: Mapping[str, Any]) -> Answer:
    """Anthropic's count of tokens."""
    return Answer({"input_tokens": 100})


DIALECTS: Mapping[tuple[str, str], Dialect] = {
    ("GET", "/v1/models"): list_models,
    ("POST", "/v1/chat/completions"): chat,
    ("GET", "/api/version"): version,
    ("GET", "/api/tags"): tags,
    ("POST", "/api/show"): show,
    ("GET", "/api/ps"): placed,
    ("POST", "/api/chat"): ollama_chat,
    ("POST", "/v1/responses"): responses,
    ("POST", "/v1/messages"): messages,
    ("POST", "/v1/messages/count_tokens"): count,
}


class _Handler(BaseHTTPRequestHandler):
    model: ScriptedModel
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer({})

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.model.requests.append(body)
        self._answer(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Nothing on stderr."""

    def _answer(self, body: Mapping[str, Any]) -> None:
        dialect = DIALECTS.get((self.command, self.path.partition("?")[0]))
        answer = dialect(self.model, body) if dialect else Answer({"error": {"message": "no such path"}}, 404)
        try:
            if answer.pieces is None:
                self._write(answer)
            else:
                self._stream(answer.pieces, events=answer.events)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _write(self, answer: Answer) -> None:
        data = json.dumps(answer.body).encode()
        self.send_response(answer.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, pieces: Iterable[Mapping[str, Any]], *, events: bool) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if events else "application/x-ndjson")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            data = json.dumps(piece).encode() + b"\n"
            if events:
                named = b"event: %s\n" % piece["type"].encode() if "type" in piece else b""
                data = b"%sdata: %s\n" % (named, data)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")
