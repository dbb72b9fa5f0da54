"""A log may hold numbers beyond all bounds: nobody can reckon with them, and nothing fails by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import acp_wire
import claude_lines
import codex_logs
import codex_wire
import msgspec
import opencode_logs
import pytest

from monitor.agents.acp.decode import AcpDecoder
from monitor.agents.claude.decode import ClaudeDecoder
from monitor.agents.codex.decode import CodexDecoder
from monitor.agents.fields import real, whole
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.run.run import Run
from monitor.streams.record import Input, Record

HUGE = (10**400, -(10**400), 1 << 63, 1e308, float("inf"), float("nan"))
_USES = {"modelUsage": {"m": {"inputTokens": 1, "contextWindow": 2}}, "total_cost_usd": 1}
_STEP = {"id": "p", "messageID": "m", "sessionID": opencode_logs.SESSION, "type": "step-finish", "cost": 1}
_TOTAL = {"total_token_usage": {"input_tokens": 1}, "last_token_usage": {"total_tokens": 1}, "model_context_window": 1}
LOGS: dict[str, tuple[type, Input, list[dict[str, Any]]]] = {
    "claude": (ClaudeDecoder, Input(0, "s.jsonl", "stream"), [claude_lines.init(), claude_lines.final(**_USES)]),
    "codex": (CodexDecoder, codex_logs.WRITTEN, [codex_logs.meta(), codex_logs.told("token_count", info=_TOTAL)]),
    "codex wire": (
        CodexDecoder,
        codex_wire.ALONE,
        [{**codex_wire.started(), "t": 1_796_025_056.5}, codex_wire.usage()],
    ),
    "acp": (
        AcpDecoder,
        acp_wire.SOURCE,
        [
            *acp_wire.opened(),
            {"t": 1_796_025_056.5, **acp_wire.update("usage_update", used=1, cost={"amount": 1, "currency": "USD"})},
        ],
    ),
    "opencode": (
        OpenCodeDecoder,
        opencode_logs.STREAM,
        [{"type": "message.part.updated", "properties": {"part": {**_STEP, "tokens": {"input": 1}}, "time": 1}}],
    ),
}


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where numbers stand in a value."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(one, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def put(value: Any, path: tuple[Any, ...], number: Any) -> Any:
    """The value with another number at a place."""
    if not path:
        return number
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = put(value[path[0]], path[1:], number)
    return changed


@pytest.mark.parametrize("name", LOGS)
def test_no_number_is_too_large(name):
    """Whatever number stands in the place of another, the log is read, and what it tells can be folded and kept."""
    made, source, rows = LOGS[name]
    places = [(at, path) for at, row in enumerate(rows) for path in numbers(row)]
    assert places
    for at, path in places:
        for number in HUGE:
            decoder, run = made(), Run()
            for line, row in enumerate(rows, 1):
                data = json.dumps(put(row, path, number) if line == at + 1 else row).encode()
                for event in decoder.feed(Record(source, line, 0, len(data) + 1, data, 5.0)):
                    assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) is not None
                    run.feed(event)
            run.snapshot()


def test_a_number_beyond_64_bits_is_none():
    """Whole or not, a number is taken as it is up to 64 bits, and not at all beyond."""
    assert [whole({"n": one}, "n") for one in (1, -(1 << 63), (1 << 63) - 1)] == [1, -(1 << 63), (1 << 63) - 1]
    assert [real(one) for one in (1, 0.5, -3)] == [1.0, 0.5, -3.0]
    assert [whole({"n": one}, "n") for one in HUGE] == [None] * len(HUGE)
    assert [real(one) for one in (*HUGE, True, "1", None)] == [None] * (len(HUGE) + 3)
