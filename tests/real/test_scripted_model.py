"""The scripted model itself: each dialect tells the same turns, held ones after their thinking."""

from __future__ import annotations

import json
import threading
import urllib.request

import pytest
from model import ScriptedModel
from turns import Turn

TURNS = (Turn("I look.", ("I think.",), (("read", {"path": "a"}),)), Turn("Done."))
CALLED = {"type": "function_call", "call_id": "call_0_0", "name": "read", "arguments": '{"path": "a"}'}
RETURNED = {"type": "function_call_output", "call_id": "call_0_0", "output": "a"}


def streamed(answer):
    """The events of a stream, as they come."""
    for line in answer:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


def asked(model, *items):
    """A request in the dialect of the Responses API."""
    body = json.dumps({"model": "scripted", "stream": True, "input": list(items)}).encode()
    request = urllib.request.Request(f"{model.url}/v1/responses", body, {"content-type": "application/json"})
    return urllib.request.urlopen(request, timeout=30)


def test_a_response_holds_the_whole_turn():
    """Thinking, words and calls come in pieces, then whole; the next turn is known by the conversation."""
    with ScriptedModel(TURNS) as model:
        with asked(model, {"role": "user", "content": "Rename it"}) as answer:
            first = list(streamed(answer))
        assert first[0]["type"] == "response.created"
        assert [one["delta"] for one in first if "delta" in one] == ["I think.", "I look.", '{"path": "a"}']
        kinds = ["reasoning", "message", "function_call"]
        assert [one["item"]["type"] for one in first if one["type"] == "response.output_item.done"] == kinds
        assert [one["type"] for one in first[-1]["response"]["output"]] == kinds
        said = {"role": "assistant", "content": "I look."}
        with asked(model, {"role": "user", "content": "Rename it"}, said, CALLED, RETURNED) as answer:
            second = list(streamed(answer))
        assert second[-1]["type"] == "response.completed"
        assert second[-1]["response"]["output"][0]["content"][0]["text"] == "Done."


def test_a_response_is_held_after_its_thinking():
    """A held reply thinks first, and goes on when it may."""
    held = threading.Event()
    with ScriptedModel([Turn("Done.", ("I think.",), until=held)]) as model, asked(model) as answer:
        pieces = streamed(answer)
        thought = next(one for one in pieces if "delta" in one)
        assert thought["delta"] == "I think."
        assert not held.is_set()
        held.set()
        assert list(pieces)[-1]["type"] == "response.completed"


@pytest.mark.parametrize("stop", ["max_output_tokens", "content_filter"])
def test_a_response_may_be_cut_off(stop):
    """A turn that stops before its end is incomplete, with the reason."""
    with ScriptedModel([Turn("Half", stop=stop)]) as model, asked(model) as answer:
        last = list(streamed(answer))[-1]
    assert last["type"] == "response.incomplete"
    assert last["response"]["incomplete_details"] == {"reason": stop}
