"""What holds of every decoder of finished runs, on anything at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from atif_logs import PROMPT, calls, typed
from atif_logs import document as atif
from atif_logs import step as atif_step
from hypothesis import given, settings
from hypothesis import strategies as st
from mini_logs import SUBMIT, heard, seen
from mini_logs import document as mini
from mini_logs import reply as mini_reply
from openhands_folder import CONVERSATION
from openhands_logs import Log
from pi_logs import EDITED, NOT_FOUND, edit, reply, result, said, session, user
from swe_logs import LINT, UPDATED
from swe_logs import document as swe
from swe_logs import step as swe_step

from monitor.agents.aider.decode import AiderDecoder
from monitor.agents.atif.decode import decoder as atif_decoder
from monitor.agents.mini_swe_agent.decode import decoder as mini_decoder
from monitor.agents.openhands.conversation import ConversationDecoder
from monitor.agents.openhands.decode import decoder as history_decoder
from monitor.agents.openhands.decode import line_decoder
from monitor.agents.pi.decode import PiDecoder
from monitor.agents.protocol import Decoder
from monitor.agents.swe_agent.decode import decoder as swe_decoder
from monitor.events import TreeMeasured, Unreadable
from monitor.run.run import Run
from monitor.streams.record import Input, Record

AIDER = """
# aider chat started at 2026-01-01 10:00:00

> Aider v0.50.0\u0020\u0020

#### Mend a.py\u0020\u0020

a.py
<<<<<<< SEARCH
x
=======
y
>>>>>>> REPLACE

> Tokens: 2.5k sent, 12 received. Cost: $0.03 request, $0.05 session.\u0020\u0020
> Applied edit to a.py\u0020\u0020
"""


def history() -> Log:
    log = Log()
    log.said("Mend it")
    log.edited("ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in /a.")
    log.ran("make", "no", 2)
    log.did("finish", final_thought="Done.")
    return log


Case = tuple[Callable[[], Decoder], str, bytes]
CASES: dict[str, Case] = {
    "mini": (mini_decoder, "document", mini(mini_reply("ls"), seen(code=1), mini_reply(SUBMIT), heard("x"), status="Submitted")),
    "swe": (swe_decoder, "document", swe(swe_step("edit 1:1\nx\nend_of_edit", LINT), swe_step("edit 'a' 'b'", UPDATED), swe_step("submit"))),
    "atif": (
        atif_decoder,
        "document",
        atif(typed(2, "ls\n", "make\n", screen=f"{PROMPT}ls\n{PROMPT}make\n> "), atif_step(3, tool_calls=calls(("Edit", {"file_path": "a"})))),
    ),
    "events": (history_decoder, "document", history().document()),
    "instance": (line_decoder, "lines", history().instance()),
    "conversation": (ConversationDecoder, "lines", b"\n".join(CONVERSATION)),
    "pi": (PiDecoder, "lines", b"\n".join(session(user("x"), reply(edit()), result(NOT_FOUND, error=True), reply(said("Done."), stop="stop")))),
    "aider": (AiderDecoder, "lines", AIDER.encode()),
}  # fmt: skip
each = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
scraps = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "x", "\x1b[0m", "\ud800", EDITED, "[]", "> "])
)


def records(shape: str, data: bytes, role: str) -> list[Record]:
    source = Input(0, "a", role, None, "document" if shape == "document" else "lines")
    lines = [data] if shape == "document" else data.split(b"\n")
    offset, out = 0, []
    for number, line in enumerate(lines, 1):
        out.append(Record(source, number, offset, len(line) + 1, line, 5.0))
        offset += len(line) + 1
    return out


def role_of(case: Case) -> str:
    return "instance" if case[0] is line_decoder else "events"


def fed(case: Case, data: bytes, decoder: Decoder | None = None) -> list:
    decoder = decoder or case[0]()
    events = [
        event for record in records(case[1], data, role_of(case)) for event in decoder.feed(record) if record.data
    ]
    return [*events, *decoder.finish([Input(0, "a", "x")])]


def mutated(value: Any, path: list[int], scrap: Any) -> Any:
    """The value with one thing in it, found along a path of choices, put in the place of another."""
    if not path or not isinstance(value, (dict, list)) or not value:
        return scrap
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = keys[path[0] % len(keys)]
    if isinstance(value, dict):
        return {**value, key: mutated(value[key], path[1:], scrap)}
    return [*value[:key], mutated(value[key], path[1:], scrap), *value[key + 1 :]]


def folded(events: list) -> None:
    run = Run()
    for event in events:
        run.feed(event)
    run.snapshot()


@pytest.mark.parametrize(
    "case", [case for name, case in CASES.items() if name != "aider"], ids=[n for n in CASES if n != "aider"]
)
@given(path=st.lists(st.integers(0, 50), min_size=1, max_size=6), scrap=scraps)
@settings(max_examples=60, deadline=None)
def test_any_field_may_be_anything(case, path, scrap):
    """Whatever stands in a field of the log, it is read, and what is read can be folded and shown."""
    _, shape, data = case
    lines = [data] if shape == "document" else data.split(b"\n")
    told = [json.dumps(mutated(json.loads(line), path, scrap)).encode() for line in lines]
    events = fed(case, b"\n".join(told))
    folded(events)
    assert not [event for event in events if isinstance(event, TreeMeasured)]


@each
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_bytes_may_be_missing_or_wrong(case, data):
    """A log cut anywhere, or with bytes in it that are not its own, is read as far as it goes, and never thrown at."""
    whole = case[2]
    at = data.draw(st.integers(0, len(whole)))
    junk = data.draw(st.binary(max_size=6))
    keep = data.draw(st.booleans())
    events = fed(case, whole[:at] + junk + (whole[at:] if keep else b""))
    folded(events)


@each
@given(at=st.integers(0, 30))
@settings(max_examples=20, deadline=None)
def test_a_copy_goes_on_from_where_it_was_made(case, at):
    """A decoder and its copy tell the rest alike, and the one does not disturb the other."""
    given_records = records(case[1], case[2], role_of(case))
    at = min(at, len(given_records))
    first = case[0]()
    before = [event for record in given_records[:at] for event in first.feed(record)]
    second = first.copy()
    rest = [event for record in given_records[at:] for event in first.feed(record)]
    again = [event for record in given_records[at:] for event in second.feed(record)]
    whole = case[0]()
    assert rest == again
    assert before + rest == [event for record in given_records for event in whole.feed(record)]


@each
def test_texts_stand_at_places_of_their_own(case):
    """No two texts of one kind share a line and an item, so that each is read back as itself."""
    events = [
        event for event in fed(case, case[2]) if type(event).__name__ in ("Said", "Thought", "ToolReturned", "Prompted")
    ]
    places = [(type(event), event.place.line, event.place.item) for event in events]
    assert len(set(places)) == len(places)
    assert not [event for event in events if isinstance(event, Unreadable)]
