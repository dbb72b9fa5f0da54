"""The recordings of real agents that speak the protocol, each scenario by its facts; skipped where they are not."""

from __future__ import annotations

import pytest
from acp_wire import of
from lcode_logs import file_events, file_records

from monitor.agents.acp.find import FINDER
from monitor.events import (
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Waiting,
)

MISSED = ("app.py", "failed", "not_found")
CUT = ("interrupted", "cancelled by the client")
DENIED = ("interrupted", "it stopped when a person denied the call")
SECOND = "ACK<<OPERATOR: second prompt during the run>> "

RECORDED: dict[str, tuple] = {
    "acp/opencode.std.fake-std": ("OpenCode", 4, [MISSED, MISSED], ["failed"], [("answered", "Done")], None),
    "acp/opencode.cancel.fake-slow": ("OpenCode", 0, [], [], [CUT], None),
    "acp/opencode.cancel-tool.fake-sleep": ("OpenCode", 1, [], ["cancelled"], [CUT], None),
    "acp/opencode.deny.fake-deny": ("OpenCode", 1, [], ["denied"], [DENIED], None),
    "acp/opencode.second.fake-sleep": ("OpenCode", 2, [], [], [("answered", "Finished sleeping")], None),
    "acp/pi.std.fake-std": ("pi-acp", 4, [MISSED, MISSED], ["failed"], [("answered", "Done")], None),
    "acp/pi.cancel.fake-slow": ("pi-acp", 0, [], [], [CUT], None),
    "acp/pi.second.fake-sleep": (
        "pi-acp", 2, [], [], [("answered", "Finished sleeping"), ("answered", f"{SECOND}Finished sleeping")], None,
    ),
    "acp/qwen.std.fake-rstd": ("qwen-code", 5, [MISSED, MISSED], ["failed"], [("answered", "Done")], None),
    "acp/qwen.cancel.fake-slow": ("qwen-code", 0, [], [], [CUT], None),
    "acp/qwen.cancel-tool.fake-sleep": ("qwen-code", 1, [], ["cancelled"], [CUT], None),
    "acp/qwen.deny.fake-deny": ("qwen-code", 1, [], ["denied"], [DENIED], None),
    "acp/qwen.second.fake-sleep": (
        "qwen-code", 2, [], ["cancelled"], [("interrupted", "cancelled"), ("answered", "Finished sleeping")], None,
    ),
    "lcode/30-acp-cancel-then-feedback/acp-wire": ("lcode", 2, [], [], [CUT, ("answered", "Edited as you asked.")], None),
    "lcode/30b-acp-cancel-before-first-byte/acp-wire": ("lcode", 1, [], [], [CUT], None),
    "lcode/31-acp-cancel-during-bash/acp-wire": ("lcode", 1, [], ["cancelled"], [CUT], None),
    "lcode/32-acp-second-prompt-while-running/acp-wire": (
        "lcode", 1, [], [], [("answered", "first done"), ("answered", "second done")], None,
    ),
    "lcode/33-acp-permission-reject/acp-wire": ("lcode", 1, [], ["denied"], [("answered", "You said no.")], None),
    "lcode/34-acp-circles/acp-wire": ("lcode", 0, [], [], [], "loop"),
    "lcode/35-acp-blocked/acp-wire": ("lcode", 5, [], [], [], "blocked"),
}  # fmt: skip
"""The agent, its calls, failed writes, other results that are no success, how requests ended, and the status."""
TEXTS = ("text", "output", "arguments", "command", "about")


def opened(shared, name):
    found = FINDER.open(shared / "captures" / f"{name}.jsonl")
    assert found is not None
    return found


@pytest.mark.parametrize("name", RECORDED)
def test_a_recording_is_decoded_whole(shared, name):
    """Every line is known; agent, calls, failed writes, ends and status are the scenario's."""
    events = file_events(opened(shared, name))
    back = of(events, ToolReturned)
    status = [one.status for one in of(events, RunEnded)]
    assert of(events, Unreadable) == []
    assert (
        of(events, RunStarted)[0].agent,
        len({one.call for one in of(events, ToolCalled)}),
        [
            (file.file.rpartition("/")[2], file.outcome, file.failure)
            for one in back
            for file in one.files
            if file.outcome != "ok"
        ],
        [one.outcome for one in back if one.outcome != "ok" and not one.files],
        [(one.how, one.text) for one in of(events, RequestEnded)],
        *(status or [None]),
    ) == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
def test_a_text_is_read_back_from_its_line(shared, name):
    """A fresh decoder, given one record, gives the same texts at the same items as one that has read all before it."""
    found = opened(shared, name)
    reader = found.decoder()
    for record in file_records(found):
        again = {(type(one), one.place): one for one in found.decoder().feed(record)}
        for event in reader.feed(record):
            said = {field: getattr(event, field, "") for field in TEXTS}
            if not any(said.values()) or isinstance(event, RequestEnded):
                continue
            other = again[type(event), event.place]
            if not getattr(other, "cut", False):
                assert said == {field: getattr(other, field, "") for field in TEXTS}


@pytest.mark.parametrize("name", RECORDED)
def test_nothing_is_left_unknown(shared, name):
    """No update or method of these agents is new to the decoder; a client's note of its own is."""
    found = opened(shared, name)
    decoder = found.decoder()
    for record in file_records(found):
        decoder.feed(record)
    assert set(decoder.unknown_types) <= {"set_config model->"}


def test_thinking_streams(shared):
    """The pieces of a reply are told as they came, with the times of the log where it has them."""
    events = file_events(opened(shared, "lcode/34-acp-circles/acp-wire"))
    pieces = of(events, Thought)
    assert len(pieces) == 40
    assert {one.message for one in pieces} == {"r1"}
    assert all(one.at is not None and one.at > 1_796_000_000 for one in pieces)
    streamed = of(file_events(opened(shared, "acp/opencode.std.fake-std")), Thought, Said)
    assert all(one.delta and one.at is None for one in streamed)


def test_what_was_asked_and_answered(shared):
    """A question waits until it is answered, and names the command."""
    events = file_events(opened(shared, "lcode/33-acp-permission-reject/acp-wire"))
    assert [(one.about, one.over) for one in of(events, Waiting)] == [("touch z.txt", False), ("", True)]
    assert [one.text for one in of(events, Prompted)] == ["make z"]


def test_the_same_id_in_two_requests_is_two_calls(shared):
    """Lcode counts its calls anew in each request."""
    events = file_events(opened(shared, "lcode/30-acp-cancel-then-feedback/acp-wire"))
    assert [(one.call, one.tool) for one in of(events, ToolCalled)] == [
        ("call_0_0", "read_file"), ("call_0_0#2", "edit_file"),
    ]  # fmt: skip
