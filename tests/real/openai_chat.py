"""Words a scripted turn as OpenAI's streamed chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from turns import Turn, hold


def chat_pieces(turn: Turn, number: int, name: str) -> Iterator[Mapping[str, Any]]:
    """One reply in the pieces of the chat API, thinking among them as most servers send it."""

    def piece(delta: Mapping[str, Any], stop: str | None = None) -> Mapping[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": stop}
        return {"id": f"chat-{number}", "object": "chat.completion.chunk", "model": name, "choices": [choice]}

    yield piece({"role": "assistant"})
    for thought in turn.thinking:
        yield piece({"reasoning_content": thought})
    if turn.begins:
        yield piece({"content": turn.begins})
    hold(turn)
    if turn.text:
        yield piece({"content": turn.text})
    for index, (tool, arguments) in enumerate(turn.calls):
        given = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"index": index, "id": f"call_{number}_{index}", "type": "function", "function": given}
        yield piece({"tool_calls": [call]})
    yield piece({}, turn.stop or ("tool_calls" if turn.calls else "stop"))
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    yield {"id": f"chat-{number}", "object": "chat.completion.chunk", "model": name, "choices": [], "usage": usage}
