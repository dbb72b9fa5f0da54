"""Words a scripted turn as Anthropic's streamed messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from turns import Turn, hold


def message_pieces(turn: Turn, number: int, name: str) -> Iterator[Mapping[str, Any]]:
    """One reply in Anthropic's pieces."""
    usage = {"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    begun = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": name,
        "content": [],
        "usage": usage,
    }
    yield {"type": "message_start", "message": {**begun, "stop_reason": None, "stop_sequence": None}}
    blocks: list[tuple[Mapping[str, Any], list[Mapping[str, Any]]]] = []
    if turn.thinking:
        thoughts: list[Mapping[str, Any]] = [{"type": "thinking_delta", "thinking": one} for one in turn.thinking]
        signed = [*thoughts, {"type": "signature_delta", "signature": "c2lnbmVk"}]
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, signed))
    if turn.text:
        words = [one for one in (turn.begins, turn.text) if one]
        blocks.append(({"type": "text", "text": ""}, [{"type": "text_delta", "text": one} for one in words]))
    for index, (tool, arguments) in enumerate(turn.calls):
        given = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        blocks.append(({"type": "tool_use", "id": f"toolu_{number}_{index}", "name": tool, "input": {}}, [given]))
    for index, (block, deltas) in enumerate(blocks):
        begins = block["type"] == "text" and bool(turn.begins)
        if block["type"] != "thinking" and not begins:
            hold(turn)
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for place, delta in enumerate(deltas):
            if begins and place:
                hold(turn)
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = turn.stop or ("tool_use" if turn.calls else "end_turn")
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 10},
    }
    yield {"type": "message_stop"}
