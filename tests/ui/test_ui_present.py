"""What header, strip, panels and rows say of a snapshot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_ended import empty, ended
from ui_runs import CLI, STORE, calm
from ui_samples import NOWS, PEN, at, joined
from ui_trouble import trouble

from monitor.findings import Finding
from monitor.snapshot import OpenCall, RunFacts, Snapshot, State, Verdict
from monitor.timeline.rows import Row
from monitor.ui.marks import STATES
from monitor.ui.present.about import about
from monitor.ui.present.facts import facts
from monitor.ui.present.head import head
from monitor.ui.present.rail import place, rail
from monitor.ui.present.row import row_line
from monitor.ui.present.strip import row, since, strip

NOW = NOWS["trouble"]


def test_the_header_gives_up_figures_before_names() -> None:
    """At 160 columns the task is there, at 80 the folder still is, at 30 the agent."""
    snapshot = trouble().snapshot
    wide, mid, slim = (head(PEN, snapshot, NOW, room, live=True).plain for room in (156, 78, 28))
    assert "Store the readings" in wide
    assert "~/src/tidepool" in wide
    assert "turn 16   11m 36s   61% context   $0.42" in wide
    assert "tidepool" in mid
    assert slim.startswith("● lcode · qwen3-coder")


def test_an_unknown_run_has_no_figures() -> None:
    """What is not known is left out or said, never shown as none or zero."""
    line = head(PEN, Snapshot(), NOW, 120, live=True).plain
    assert "no agent yet" in line
    assert "folder not known" in line
    assert "0" not in line


def test_that_the_folder_is_not_known_is_said_whole_or_not_at_all() -> None:
    """Cut in its middle it would say the opposite."""
    snapshot = replace(Snapshot(), run=RunFacts("opencode", "1.18", "fake/fake-deny", turns=1))
    lines = [head(PEN, snapshot, NOW, room, live=True).plain for room in range(10, 120)]
    said = ["folder not known" in line for line in lines]
    assert said == sorted(said)
    assert said[-1]
    assert not any(
        word in line for line, whole in zip(lines, said, strict=True) if not whole for word in ("folder", "known")
    )


def test_a_run_that_ends_before_it_starts_has_no_length() -> None:
    """Its log's clock went back: the end is told, and no time that it took."""
    run = replace(ended().snapshot.run, ended=at("14:00:00"))
    text = joined(about(PEN, replace(ended().snapshot, run=run), (80, 30), NOW, live=False))
    (line,) = (line for line in text.split("\n") if line.strip().startswith("ended"))
    assert line.endswith("14:00:00")
    assert "after 8m 53s" in joined(about(PEN, ended().snapshot, (80, 30), NOW, live=False))


def test_a_finished_run_does_not_grow_older() -> None:
    """Its time ends with its last event, whatever the clock says."""
    run = ended().snapshot
    assert "8m 53s" in head(PEN, run, NOW + 9_999, 120, live=False).plain
    quiet = trouble().snapshot
    assert "11m 26s" in head(PEN, quiet, NOW + 9_999, 120, live=True).plain


@pytest.mark.parametrize("state", list(STATES))
def test_each_state_has_a_badge_and_only_running_has_none_filled(state: State) -> None:
    """Mark, word and ground: the badge is filled for every state but running."""
    snapshot = replace(Snapshot(), verdict=Verdict(state, "because"))
    line = strip(PEN, snapshot, (), NOW, 100, live=True)[0]
    assert state.upper() in line.plain
    assert "because" in line.plain
    assert any("on $" in str(span.style) for span in line.spans) == (state != "running")


def test_what_still_may_change_is_said_at_the_badge() -> None:
    """A provisional verdict says `so far`, and why."""
    verdict = Verdict("changed", "Done is claimed", provisional=True, why_provisional="a measurement is pending")
    snapshot = replace(Snapshot(), verdict=verdict)
    assert "CHANGED so far" in strip(PEN, snapshot, (), NOW, 100, live=True)[0].plain
    assert ("note", "a measurement is pending") in facts(snapshot, live=True)


@pytest.mark.parametrize(
    ("what", "live", "words"),
    [("last event", True, "last event 14s ago"), ("last event", False, "last event 15:09:00"), ("waits", True, "waits 14s"),
     ("claimed done", True, "claimed done at 15:09:00"), ("since", False, "since 15:09:00"), ("ended", False, "ended 15:09:00")],
)  # fmt: skip
def test_since_when_reads_as_a_sentence(what: str, live: bool, words: str) -> None:
    """Running clocks count, finished ones name the time."""
    verdict = Verdict("running", "", since=at("15:09:00"), since_what=what)  # type: ignore[arg-type]
    assert since(PEN, verdict, NOW, live=live) == words


@pytest.mark.parametrize("since_what", ["last event", "waits", "claimed done", "ended"])
@pytest.mark.parametrize("live", [True, False])
def test_a_clock_that_is_not_ours_makes_no_half_a_sentence(since_what: str, live: bool) -> None:
    """Times that count from a start of their own, or that no calendar has: nothing is said of how long ago it was."""
    for at_ in (12.0, *([] if live else [1e30])):
        verdict = Verdict("running", "", since=at_, since_what=since_what)  # type: ignore[arg-type]
        words = since(PEN, verdict, NOW, live=live)
        assert not words or words.endswith("1970 00:00:12")
        call = OpenCall(1, "sh", "shell", "make", at=at_)
        running = replace(Snapshot(), verdict=verdict, calls=(call,))
        assert not [fact for _, fact in facts(running, live=live, now=NOW) if "make" in fact]


def test_facts_stand_by_weight_and_the_verdict_is_not_told_twice() -> None:
    """Stop before warn before outside before note before plain; writes are the verdict's own."""
    levels = [level for level, _ in facts(trouble().snapshot, live=True)]
    assert levels == ["warn", "warn", "outside", "note", ""]
    looping = Finding("repeats", "x", "stop", "The same command failed 4 times")
    mixed = replace(
        trouble().snapshot, verdict=Verdict("blocked", "dl"), findings=(looping, *trouble().snapshot.findings)
    )
    assert facts(mixed, live=True)[:4] == (
        ("stop", "2 writes outstanding"),
        ("stop", "The same command failed 4 times"),
        ("warn", "wheels.example.org 4 calls failed, blocked at 5"),
        ("warn", "thinking: 17 of 20 sentences repeat"),
    )


def test_a_call_that_runs_for_long_is_named() -> None:
    """From ten seconds on: what it does, for how long, and its command or file; before all that needs nobody."""
    snapshot = calm().snapshot
    (call,) = snapshot.calls
    now = at("15:04:59")
    assert facts(snapshot, live=True, now=now)[0] == ("", "running for 47s: python -m pytest -q --durations=5")
    assert not [words for _, words in facts(snapshot, live=True, now=at("15:04:21")) if "running" in words]
    reads = replace(call, kind="read", what="docs/storage.md")
    two = replace(snapshot, calls=(reads, call))
    assert facts(two, live=True, now=now)[0] == ("", "reading for 47s: docs/storage.md, 1 more")
    over = replace(two, verdict=Verdict("changed", "Done is claimed"))
    assert not [words for _, words in facts(over, live=True, now=now) if "reading" in words]


def test_a_call_without_a_time_of_its_own() -> None:
    """Where the source gives no times, it counts from when it was seen; where that is not known, nothing is said."""
    snapshot = calm().snapshot
    untimed = replace(snapshot, calls=(replace(snapshot.calls[0], at=None),))
    now = at("15:04:59")
    assert facts(untimed, live=True, now=now, began=lambda _: now - 12)[0][1].startswith("running for 12s: ")
    for told in (facts(untimed, live=True, now=now), facts(untimed, live=True, now=now, began=lambda _: None)):
        assert not [words for _, words in told if "running" in words]


def test_facts_that_do_not_fit_are_counted_whole() -> None:
    """No fact is cut unless it stands alone; the rest is a number."""
    said = (("warn", "first of them"), ("note", "second of them"), ("", "third of them"))
    assert row(PEN, said, 40).plain.rstrip() == "▲ first of them · 2 more"
    assert row(PEN, said, 200).plain.count("of them") == 3
    assert row(PEN, said, 20).cell_length == 20


@pytest.mark.parametrize("room", [10, 20, 40, 76, 96, 150])
def test_a_row_fits_and_keeps_its_columns(room: int) -> None:
    """Each row of the timeline takes its width exactly; mark and kind are the last to go."""
    for line in (row_line(PEN, item, room, here=True) for item, _, _ in trouble().rows.items):
        assert line.cell_length == room
    failed = row_line(PEN, trouble().rows.row(15), 96).plain
    assert failed.startswith("  ✗ 15:03:02  write    ")
    assert failed.endswith("  old text not found     0.2s")


def test_a_row_of_a_sub_agent_names_it_and_a_copied_one_says_so() -> None:
    """Who did it stands before what it did."""
    line = row_line(PEN, Row(0, 0, "read", "a.py", actor="explorer", copied=True), 80).plain
    assert "copied explorer a.py" in line


def test_the_rail_shows_findings_where_they_are() -> None:
    """A tick stands at its place of the whole run; the gravest of a cell is shown."""
    view = (0, 20, 1_000_000)
    cells = [rail(PEN, ((999_999, "warn"), (999_990, "stop")), view, y) for y in range(20)]
    assert "stop" in str(cells[19].spans)
    assert "┃" in cells[0].plain
    assert rail(PEN, (), (0, 20, 10), 3).plain == "  "
    assert [place(index, 20, 100) for index in (0, 50, 99)] == [0, 10, 19]


def test_below_a_short_timeline_stands_what_is_known_of_the_run() -> None:
    """Facts of the run and limits of its source, whole sections only."""
    text = joined(about(PEN, empty().snapshot, (80, 30), NOW, live=False))
    assert "end of the log" in text
    assert "What this source does not show" in text
    assert "not at all: Thinking is not in this log" in text
    assert joined(about(PEN, empty().snapshot, (80, 3), NOW, live=False)).strip() == "end of the log"
    assert "Waiting for the agent's first event." in joined(about(PEN, Snapshot(), (80, 30), NOW, live=True))
    assert "The log holds no events." in joined(about(PEN, Snapshot(), (80, 30), NOW, live=False))


def test_sample_paths_are_the_ledgers() -> None:
    """The sample's outstanding files are those its verdict names."""
    assert [entry.file for entry in trouble().snapshot.writes.entries[:2]] == [STORE, CLI]
