"""Words a scripted turn as OpenAI's streamed responses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turns import Turn, hold

_EMPTY: Mapping[str, Any] = {"content": [], "summary": [], "arguments": "", "input": ""}
"""What an item holds when it begins."""
_OWN = ("reasoning", "function_call", "custom_tool_call")


def turns_before(body: Mapping[str, Any]) -> int:
    """How many replies of the model the conversation holds: what it said and called without an answer in between."""
    given = body.get("input")
    items = given if isinstance(given, list) else []
    own = [one.get("role") == "assistant" or one.get("type") in _OWN for one in items]
    return sum(now and not before for before, now in zip([False, *own], own, strict=False))


def branch_of(body: Mapping[str, Any], names: Iterable[str]) -> tuple[str, int]:
    """Which of several agents asks: the one whose name it was told last; and how many replies it has had since.

    A sub-agent may have been handed its parent's conversation, so the last name counts.
    """
    given = body.get("input")
    items = given if isinstance(given, list) else []
    found = [
        (place, name)
        for place, one in enumerate(items)
        if one.get("role") != "assistant" and one.get("type") in ("message", "agent_message")
        for name in names
        if name in json.dumps(one)
    ]
    place, name = max(found, default=(0, ""))
    return name, turns_before({"input": items[place:]})


def response_pieces(turn: Turn, number: int | str, name: str) -> Iterator[Mapping[str, Any]]:
    """One reply in the pieces of the Responses API; each output item is told whole once it is done."""
    begun = {"id": f"resp_{number}", "object": "response", "model": name, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": begun}
    output: list[Mapping[str, Any]] = []
    for item, deltas in _items(turn, number):
        index = len(output)
        begins = item["type"] == "message" and bool(turn.begins)
        if item["type"] != "reasoning" and not begins:
            hold(turn)
        empty = {key: _EMPTY.get(key, value) for key, value in item.items()}
        yield {"type": "response.output_item.added", "output_index": index, "item": empty}
        for place, delta in enumerate(deltas):
            if begins and place:
                hold(turn)
            yield {**delta, "item_id": item["id"], "output_index": index}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
        output.append(item)
    hold(turn)
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    status = "incomplete" if turn.stop else "completed"
    why = {"incomplete_details": {"reason": turn.stop}} if turn.stop else {}
    whole = {**begun, "status": status, "output": output, "usage": usage, **why}
    yield {"type": f"response.{status}", "response": whole}


def _items(turn: Turn, number: int | str) -> Iterator[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]:
    """What the reply is made of, each with the pieces it comes in."""
    if turn.thinking:
        parts = [{"type": "summary_text", "text": one} for one in turn.thinking]
        deltas: list[Mapping[str, Any]] = [
            {"type": "response.reasoning_summary_text.delta", "summary_index": index, "delta": one}
            for index, one in enumerate(turn.thinking)
        ]
        yield {"type": "reasoning", "id": f"rs_{number}", "summary": parts}, deltas
    if turn.text:
        words = [one for one in (turn.begins, turn.text) if one]
        content = [{"type": "output_text", "text": "".join(words), "annotations": []}]
        said = {
            "type": "message",
            "id": f"msg_{number}",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }
        yield said, [{"type": "response.output_text.delta", "content_index": 0, "delta": one} for one in words]
    for index, (tool, arguments) in enumerate(turn.calls):
        name = f"{number}_{index}"
        if isinstance(arguments, str):
            free = {
                "type": "custom_tool_call",
                "id": f"ctc_{name}",
                "call_id": f"call_{name}",
                "name": tool,
                "input": arguments,
            }
            yield free, [{"type": "response.custom_tool_call_input.delta", "delta": arguments}]
            continue
        given = json.dumps(arguments)
        space, _, own = tool.rpartition("/")
        call = {
            "type": "function_call",
            "id": f"fc_{name}",
            "call_id": f"call_{name}",
            "name": own,
            "arguments": given,
            **({"namespace": space} if space else {}),
        }
        yield call, [{"type": "response.function_call_arguments.delta", "delta": given}]
