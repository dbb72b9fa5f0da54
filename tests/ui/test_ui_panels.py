"""What the panels say of a snapshot, in any room."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from hypothesis import given, settings
from hypothesis import strategies as st
from ui_ended import empty, ended
from ui_runs import calm
from ui_samples import NOWS, PEN, joined
from ui_trouble import trouble

from monitor.detectors.worktree import NOT_SINCE
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import Coverage
from monitor.snapshot import RunFacts, Snapshot, Verdict
from monitor.ui.present.facts import facts
from monitor.ui.present.panel import Entry, Panel, drawn, sentences
from monitor.ui.present.panels import PANELS, worktree, writes
from monitor.ui.present.strip import strip

NOW = NOWS["trouble"]


def shown(view: Panel, room: int = 44, height: int = 7) -> str:
    return joined([line.content for line in drawn(PEN, view, room, height)])


def test_a_blind_source_is_said_and_never_a_zero() -> None:
    """Without results of writes the panel says so; no figure stands beside it."""
    snapshot = empty().snapshot
    panel = writes(PEN, snapshot, NOW)
    assert (panel.summary, panel.level) == ("not seen", "blind")
    assert "An outstanding write would not show here." in shown(panel, 90)
    assert ("blind", "thinking not in this log") in facts(snapshot, live=False)
    assert "no failed writes" not in {words: level for level, words in facts(snapshot, live=False)}


def test_outstanding_writes_come_with_count_cause_and_time() -> None:
    """The file, how often, why and when last; the mended one stays in sight."""
    text = shown(writes(PEN, trouble().snapshot, NOW), 50)
    assert "2 outstanding" in text
    assert "×3" in text
    assert "old text not found, last at 15:07:02" in text
    assert "failed 15:07:31, made 15:07:40" in text
    entries = writes(PEN, trouble().snapshot, NOW).entries
    assert [entry.seq for entry in entries[:2]] == [trouble().snapshot.writes.entries[0].last.spot.seq, entries[1].seq]


def test_no_write_failed_reads_as_made_writes() -> None:
    """None outstanding: how many were made, or that there was none."""
    assert "5 writes, all made" in shown(writes(PEN, calm().snapshot, NOW))
    assert "no write so far" in shown(writes(PEN, Snapshot(), NOW))
    one = replace(Snapshot(), writes=WritesView(made=1))
    assert "1 write, made" in shown(writes(PEN, one, NOW))


def test_the_worktree_says_changed_unchanged_or_why_not() -> None:
    """Three answers, and the third has its reason."""
    assert "4 changed" in shown(worktree(PEN, trouble().snapshot, NOW))
    assert "outside 15:03:20" in shown(worktree(PEN, trouble().snapshot, NOW))
    assert "since the feedback" in shown(worktree(PEN, ended().snapshot, NOW))
    assert "measured 4 times" in shown(worktree(PEN, ended().snapshot, NOW))
    assert "Start with --project DIR" in shown(worktree(PEN, empty().snapshot, NOW), 60)
    pending = replace(Snapshot(), worktree=WorktreeView(pending=True))
    assert "being measured" in shown(worktree(PEN, pending, NOW))
    agents = replace(Snapshot(), worktree=WorktreeView(changed=True, by="agent", kinds=("history",)))
    assert "as the agent measured" in shown(worktree(PEN, agents, NOW))
    assert "history differ" in shown(worktree(PEN, agents, NOW))


def test_a_partly_seen_source_says_so_beside_its_entries() -> None:
    """Partial coverage is a line of its own."""
    snapshot = replace(
        calm().snapshot, coverage=MappingProxyType({"failed_writes": Coverage("partial", "only edits are told")})
    )
    assert "– seen in part" in shown(writes(PEN, snapshot, NOW))
    assert writes(PEN, snapshot, NOW).entries[-1].why == "Only edits are told."


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 12), st.booleans())
def test_a_panel_fits_any_room(room: int, height: int, count: int, focus: bool) -> None:
    """Never more lines than given, never wider than given; what is hidden is counted."""
    entries = tuple(Entry("stop", f"日本/file{n}.py", f"×{n}", "below", path=True) for n in range(count))
    for bars in ((), (10, 90)):
        view = Panel("Name", "many of them", "stop", entries, bars)
        lines = drawn(PEN, view, room, height, focus=focus, here=max(count - 1, 0))
        assert len(lines) <= height
        assert all(line.content.cell_length <= room for line in lines)


@settings(deadline=None, max_examples=200)
@given(st.integers(2, 9), st.integers(1, 12), st.data())
def test_the_chosen_entry_is_in_sight_and_the_rest_is_counted(height: int, count: int, data: st.DataObject) -> None:
    """Wherever it stands, and also where one line is all there is, which then is the chosen one."""
    here = data.draw(st.integers(0, count - 1))
    entries = tuple(Entry("stop", f"file{n}.py", path=True) for n in range(count))
    _, *lines = drawn(PEN, Panel("N", "", "", entries), 40, height, focus=True, here=here)
    named = {line.entry for line in lines if line.entry >= 0}
    assert here in named
    words = [line.content.plain.strip() for line in lines if line.entry < 0]
    assert words == ([f"{count - len(named)} more"] if len(named) < count and height > 2 else [])
    assert len(named) == count or len(lines) == height - 1


def test_a_meter_shows_how_far_it_is() -> None:
    """`4 of 5` has its little bar where there is room, and goes without it where there is none."""
    view = Panel("Sites", "1 failing", "warn", (Entry("warn", "dl.example.org", "4 of 5", of=(4, 5)),))
    assert "■■■■□ 4 of 5" in shown(view, 44)
    assert "■" not in shown(view, 24)


def test_every_panel_stands_in_the_list() -> None:
    """Four panels, from left to right."""
    assert [name for name, _ in PANELS] == ["writes", "sites", "thinking", "worktree"]
    for _, panel in PANELS:
        assert panel(PEN, replace(Snapshot(), run=RunFacts()), NOW).name


def test_a_folder_not_compared_yet_says_when_it_will_be() -> None:
    """Measured at the prompt only: no figure, and no claim that nobody looked."""
    view = WorktreeView(reason=NOT_SINCE, by="monitor", measured=2)
    panel = worktree(PEN, replace(Snapshot(), worktree=view), NOW)
    assert (panel.summary, panel.blind) == ("not yet", "")
    assert [(one.text, one.below) for one in panel.entries] == [("compared at the claim", "m compares it now")]


def test_a_time_that_does_not_fit_goes_whole() -> None:
    """The second line of an entry loses its last clause, or its time, and is not cut within it."""
    panel = Panel("Worktree", "1 changed", "", (Entry("outside", "a.py", "", "the agent read it at 14:57:49"),))
    assert "the agent read it at 14:57:49" in shown(panel, 33)
    assert shown(panel, 26).splitlines()[2].strip() == "the agent read it"
    panel = Panel("Failed writes", "none", "", (Entry("ok", "a.py", "", "failed 14:57:49, made 15:00:01"),))
    assert shown(panel, 26).splitlines()[2].strip() == "failed 14:57:49"


def test_files_of_an_earlier_request_stand_below_what_is_awaited() -> None:
    """With a new prompt nothing is compared yet: said whole in the narrowest panel, the files known from before below."""
    files = (ChangedFile("notes/texts.py", added=4),)
    view = WorktreeView(reason=NOT_SINCE, by="monitor", measured=2, files=files)
    panel = worktree(PEN, replace(Snapshot(), worktree=view), NOW)
    assert (panel.summary, [one.text for one in panel.entries]) == (
        "not yet",
        ["compared at the claim", "notes/texts.py"],
    )
    assert "compared at the claim" in shown(panel, 78, 1)


def test_the_usual_reason_for_no_measurement_is_never_cut() -> None:
    """It fits the panel's one row at 80 columns, and the strip at 160 beside since when."""
    snapshot = replace(Snapshot(), worktree=WorktreeView())
    assert "only live, with --project DIR." in shown(worktree(PEN, snapshot, NOW), 78, 1)
    reason = f"Done is claimed; nothing could be measured: {WorktreeView().reason}"
    claimed = replace(snapshot, verdict=Verdict("claimed", reason, since=NOW, since_what="claimed done"))
    assert "--project DIR  " in strip(PEN, claimed, (), NOW, 156, live=True)[0].plain
    slim = strip(PEN, claimed, (), NOW, 78, live=True)[0].plain
    assert slim.rstrip().endswith("nothing could be measured"), "the panel below says why"


def test_a_panel_of_one_row_keeps_whole_sentences() -> None:
    """Where there is no room for why a panel shows nothing, its later sentences go before a word is cut."""
    assert sentences("No results. An outstanding write would not show here.", 30) == "No results"
    assert sentences("No results. Short.", 30) == "No results. Short."
    assert sentences("A single sentence without an end", 10) == "A single sentence without an end"
