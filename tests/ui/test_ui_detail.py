"""What the detail says of each kind of event, and what goes when there is little room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as replaced
from ui_ended import empty, ended
from ui_runs import STORE, calm
from ui_samples import NOWS, PEN, SampleSource, at, joined
from ui_trouble import third_failure, trouble

from monitor.events import (
    Acted,
    Change,
    Checked,
    Coverage,
    Event,
    FileChanged,
    Looked,
    Noticed,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Used,
    Waiting,
)
from monitor.findings import Spot
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Row
from monitor.ui.present.detail import detail
from monitor.ui.present.parts import BLANK, TAIL, Part, drawn, laid
from monitor.ui.present.quote import quoted
from monitor.ui.present.selected import Selected
from monitor.ui.selection import select

NOW = NOWS["trouble"]


def told(source: SampleSource, index: int, room: int = 70, height: int | None = None) -> str:
    chosen = select(source.snapshot, source.rows, index, warns=True)
    return joined(laid(PEN, detail(PEN, chosen, source.snapshot, NOW), room, height))


def of(event: Event | None, result: ToolReturned | None = None, kind: str = "call", outcome: str = "") -> str:
    row = Row(0, 0, kind, "the row's words", outcome, at=NOW - 47)  # type: ignore[arg-type]
    return joined(laid(PEN, detail(PEN, Selected(row, event, result), Snapshot(), NOW), 70))


def test_a_failed_write_shows_guess_new_text_closest_lines_and_advice() -> None:
    """In one gutter: what it looked for, what it meant to write, and the lines that come closest with their ends."""
    text = told(trouble(), third_failure())
    assert text.startswith(
        f"{STORE}\n✗ Old text not found. Failed 3 times, not made since.\nString to replace not found"
    )
    assert "guess │ def append(self, reading: Reading) -> None:" in text
    assert "  new │ def append(" in text
    assert "as at 15:07:02, indented 4" in text
    assert '   59 │     """Write one line."""··' in text
    assert "w sends it" in text
    assert text.count("failed 3 times") == 1, "the finding's message is told by the failure itself"


def test_a_settled_failure_says_by_what() -> None:
    """What was mended later is not told as outstanding."""
    source = trouble()
    entry = source.snapshot.writes.entries[0]
    settled = replace(entry, outstanding=False, settled_by="the operator: by hand", settled_at=at("15:08:00"))
    source.snapshot = replace(source.snapshot, writes=replace(source.snapshot.writes, entries=(settled,)))
    assert "Settled by the operator: by hand 15:08:00." in told(source, third_failure())


def test_no_closest_lines_come_with_the_reason() -> None:
    """Where the file could not be read, that is said."""
    source = trouble()
    entry = source.snapshot.writes.entries[0]
    bare = replace(entry.last, closest=(), no_lines="the file is outside the project")
    source.snapshot = replace(
        source.snapshot, writes=replace(source.snapshot.writes, entries=(replace(entry, failures=(bare,)),))
    )
    assert "No closest lines: the file is outside the project" in told(source, third_failure())


def test_a_claim_shows_its_text_and_what_was_measured() -> None:
    """The claim, what is to be said of it, and the finding it proves."""
    text = told(trouble(), trouble().snapshot.claims[0].spot.seq, height=30)
    assert "Done: readings are stored in SQLite and the tests pass." in text
    assert "outstanding   2 writes: readings.py, export.py" in text
    assert "changed since the prompt, 4 files" in text
    text = told(ended(), ended().snapshot.claims[0].spot.seq)
    assert "folder        unchanged since the feedback" in text
    assert "at 15:06:30, by the monitor" in text
    assert text.count("in the project changed") == 1, "the finding's message is told by the claim itself"
    text = told(empty(), 3)
    assert "none seen: This log has no results of writes" in text
    assert "not measured: No project folder is known" in text


def test_an_earlier_claim_keeps_the_verdict_of_its_time() -> None:
    """What holds now is not put into the mouth of an older claim."""
    source = ended()
    claims = source.snapshot.claims
    older = replace(claims[0], spot=Spot(16, 0, 16), state="changed")
    source.snapshot = replace(source.snapshot, claims=(older, *claims))
    assert "not proof that the task is done" in told(source, 16)
    assert "could not do it" in told(
        replace(source, snapshot=replace(source.snapshot, claims=(replace(older, done=False),))), 16
    )


def test_a_running_command_counts_and_a_finished_one_shows_the_end_of_its_output() -> None:
    """A command: where, since when, how it came out, and the last lines it printed."""
    last = len(calm().rows) - 1
    assert "running" in told(calm(), last)
    assert "ago" in told(calm(), last)
    text = told(calm(), 15)
    assert "exit 1, after 6.1s" in text
    assert "    2 │ 1 failed, 3 passed" in text
    long = "\n".join(f"line {n}" for n in range(900))
    shown = of(ToolCalled(call="c", command="make"), ToolReturned(call="c", output=long, exit=0))
    assert "  900 │ line 899" in shown
    assert "line 499" not in shown


def test_the_end_of_an_output_stays_when_there_is_little_room() -> None:
    """The middle goes, and is counted."""
    parts = [Part("what", "make"), Part("label", "output"), TAIL, *[Part("quote", f"line {n}") for n in range(50)]]
    text = joined(laid(PEN, parts, 40, 8))
    assert text.splitlines()[0] == "make"
    assert "more lines · enter opens them" in text
    assert text.rstrip().endswith("line 49")


def test_blanks_and_spare_parts_go_first() -> None:
    """Everything needed fits once blank lines are gone; then spare parts go, and are counted."""
    parts = [Part("what", "a"), BLANK, Part("text", "b"), BLANK, Part("quiet", "spare", spare=True), Part("text", "c")]
    assert joined(laid(PEN, parts, 20, 6)).count("\n") == 5
    assert joined(laid(PEN, parts, 40, 4)) == joined(laid(PEN, [part for part in parts if part is not BLANK], 40))
    assert "spare" not in joined(laid(PEN, parts, 40, 3))
    assert "more lines" in joined(laid(PEN, parts, 40, 3))


EVENTS: list[Event] = [
    RunStarted(agent="lcode", model="m", task="t", coverage={"thinking": Coverage("none", "not written")}),
    Prompted(text="do\nthis", by="operator", into="running"),
    Thought(text="hm " * 50, cut=True), Said(text="yes", synthetic="limit"),
    ToolCalled(call="c", arguments='{"a": 1}', paths=("a", "b")), ToolCalled(call="c", url="https://example.org"),
    ToolCalled(call="c", changes=(Change("a.py", "move", "x", "y", 1, 2, "b.py", cut=True), Change(""))),
    ToolReturned(call="c", output="o"), RequestEnded(how="error", text="529"), Used(cost=0.1), Waiting(about="rm"),
    Noticed(text="retry", name="api_retry"), Checked(command="make", passed=False), RunEnded(status="ok", exit=0),
    SourceChanged(text="lost"), TreeMeasured(reason="no folder", files=("a",), kinds=("content",)),
    FileChanged(file="a.py", before="1", after="2"), Looked(call="c", file="a"), Acted(id="1", action="settle"),
    Unreadable(why="no JSON"),
]  # fmt: skip


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_kind_of_event_has_a_detail(event: Event) -> None:
    """No event leaves the detail empty, with or without a result."""
    assert of(event).strip()
    assert of(event, ToolReturned(call="c", outcome="failed", output="why", background=True)).strip()


def test_a_record_that_can_no_longer_be_read_is_said() -> None:
    """Where the bytes are gone, the row's words remain and the loss is named."""
    text = of(None)
    assert "the row's words" in text
    assert "can no longer be read" in text


def test_nothing_yet_is_said() -> None:
    """Without a row there is a sentence, and no title."""
    assert "Nothing has happened yet." in joined(laid(PEN, detail(PEN, None, Snapshot(), NOW), 40))
    assert detail(PEN, None, trouble().snapshot, NOW) == [], "much has happened where a filter shows no row"


def test_no_label_stands_without_what_it_names() -> None:
    """Where the room ends right behind a label, the label goes too, and is counted."""
    parts = [
        *[Part("text", f"line {n}") for n in range(5)],
        Part("label", "advice", "w sends it"),
        Part("text", "Stop. " * 40),
    ]
    shown = joined(laid(PEN, parts, 40, 7)).splitlines()
    assert [one.strip() for one in shown[:5]] == [f"line {n}" for n in range(5)]
    assert shown[5].endswith("more lines · enter opens them")
    assert len(shown) == 6
    assert "advice" in joined(laid(PEN, parts, 40, 8))


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(range(len(trouble().rows))), st.integers(1, 90), st.integers(0, 20))
def test_a_detail_fits_any_room(index: int, room: int, height: int) -> None:
    """Never more lines than given, and none wider."""
    chosen = select(trouble().snapshot, trouble().rows, index)
    lines = laid(PEN, detail(PEN, chosen, trouble().snapshot, NOW), room, height)
    assert len(lines) <= max(height, 0)
    assert all(line.cell_length <= max(room, 4) for line in lines)


def test_a_line_longer_than_any_screen_is_drawn_by_its_beginning():
    """Of a line of millions of characters as much is laid out as fits, with the mark of what is cut."""
    line = quoted(PEN, "x" * 5_000_000 + "   ", "7")
    assert len(line) < 10_000
    (drawn_line,) = drawn(PEN, Part("quote", "y" * 5_000_000, "7"), 40)
    assert drawn_line.plain == f"{7:>5} │ " + "y" * 31 + "…"


def test_an_unchanged_claim_stands_beside_what_was_asked_for() -> None:
    """Where nothing changed since the operator's feedback, those words stand in the claim's detail, with their time."""
    source = ended()
    text = told(source, source.snapshot.claims[-1].spot.seq)
    assert "your feedback" in text
    assert "15:06:02" in text
    assert "The export still writes CSV" in text


def test_a_measurement_before_any_prompt_tells_of_the_start_alone() -> None:
    """What changed is told since the prompt only where one is known."""
    measured = TreeMeasured(changed=True, since_start=True)
    assert ["since prompt" in of(replaced(measured, request=number)) for number in (0, 1)] == [False, True]
