"""Hundreds of files that somebody else changes at once are one row."""

from __future__ import annotations

import pytest
from ui_open import drawn, opened
from ui_put_in import PutIn
from ui_samples import SampleSource

from monitor.findings import Finding, Spot
from monitor.replay.playback import Playback
from monitor.replay.rows import Moment, PastRows
from monitor.snapshot import Snapshot
from monitor.timeline.places import BETWEEN
from monitor.ui.filtered import Filtered
from monitor.ui.query import parse

MANY = 300


@pytest.fixture
def story() -> PutIn:
    """Ten rows of the agent's, and between two of them many files changed by somebody else."""
    made = PutIn(10)
    for _ in range(MANY):
        made.change(5.5)
    return made


def source(story: PutIn, *findings: Finding) -> SampleSource:
    return SampleSource(Snapshot(seq=story.seq, findings=findings), story.rows)  # type: ignore[arg-type]


def test_the_row_names_their_number_and_the_first_of_them(story: PutIn) -> None:
    """It stands where they changed, and its number stays when more of them become known."""
    assert len(story.rows) == 11
    row = story.rows.row(story.rows.ref(6))
    assert (row.ref, row.kind, row.outcome, row.path) == (BETWEEN, "outside", "modified", False)
    assert row.text.startswith("300 files: f10.py, f11.py, ")
    story.change(6.9 - 1e-9)
    assert story.rows.row(BETWEEN).text.startswith("300 files"), "a row told lies between"
    story.change(5.9)
    assert story.rows.row(BETWEEN).text.startswith("301 files: f10.py, ")


def test_every_file_is_found_by_the_filter_and_any_moment_is_as_it_was(story: PutIn) -> None:
    """By its name as a word or a path, and by none that was not there; what was known later is not in it before."""

    def found(text: str) -> list[int]:
        shown = Filtered(story.rows, parse(text))
        while not shown.search({}, lambda: True):
            pass
        return [shown.ref(index) for index in range(len(shown))]

    for seq in (10, 150, 309):
        assert found(f"file:f{seq}.py") == found(f"f{seq}.py") == [BETWEEN]
    assert found("file:f310.py") == found("-kind:outside file:f150.py") == []
    then = PastRows(story.rows, Moment(Playback(count=12), Snapshot(seq=11)))
    assert then.row(BETWEEN).text == "2 files: f10.py, f11.py"
    assert [one.event.file for one in then.edits(BETWEEN)] == ["f10.py", "f11.py"]


def test_of_a_row_of_several_only_those_from_outside_are_counted(story: PutIn) -> None:
    """One that was the agent's after all is told apart; one file that changed several times is one file."""
    story.timeline.take_back(10, story.seq)
    assert story.rows.row(BETWEEN).text.startswith("299 files: f11.py, ")
    for seq in range(11, 309):
        story.timeline.take_back(seq, story.seq)
    assert story.rows.row(BETWEEN).text == "f309.py"
    story.timeline.take_back(309, story.seq)
    row = story.rows.row(BETWEEN)
    assert (row.kind, row.text[:10]) == ("changed", "300 files:")


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_the_detail_lists_them_and_a_finding_leads_to_its_own(story: PutIn, size: tuple[int, int]) -> None:
    """The finding stands before the files, and what differs is asked of its file; without one, of the folder."""
    finding = Finding("outside_edits", "f150.py", "warn", "f150.py was written over", places=(Spot(150, 0, 1),))
    run = source(story, finding)
    async with opened(run, size=size) as (screen, pilot):
        screen.timeline.go(6)
        await pilot.press("n")
        await pilot.pause()
        assert screen.timeline.here == BETWEEN
        assert screen.chosen is not None
        assert getattr(screen.chosen.event, "file", "") == "f150.py"
        await pilot.press("enter")
        await pilot.pause()
        shown = drawn(screen).rpartition("Detail")[2]
        assert shown.index("300 files, changed at once") < shown.index("f150.py was written over")
        await pilot.press("G")
        await pilot.pause()
        assert "modified      f309.py" in drawn(screen)
        await pilot.press("escape", "d")
        await screen.app.workers.wait_for_complete()
        assert run.compared == [("f150.py", None)]
    run = source(story)
    async with opened(run, size=size) as (screen, pilot):
        screen.timeline.go(6)
        await pilot.press("d")
        await screen.app.workers.wait_for_complete()
        assert run.compared == [("", None)]
