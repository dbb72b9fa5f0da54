"""A project folder that is no longer there."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from monitor.actions import Action, Measure
from monitor.config import state_folder
from monitor.control import NoChannel
from monitor.detectors.worktree import Worktree
from monitor.hand import Hand
from monitor.snapshot import Snapshot
from monitor.timeline.wording import word
from monitor.ui.pen import Pen
from monitor.ui.present.worktree import worktree
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder
from monitor.worktree.measurement import GONE
from monitor.worktree.measuring import Measuring

pytestmark = pytest.mark.usefixtures("private_home")


def test_of_a_folder_that_is_gone_no_file_is_called_deleted(tmp_path):
    """What differs cannot be told, of all and of one file, and that is said; once it is back it is told again."""
    folder = tmp_path / "project"
    folder.mkdir()
    file = folder / "a.txt"
    file.write_text("one\n")
    live = LiveFolder(folder, run="the run", state=state_folder())
    try:
        live.begin()
        live.reconcile(measure(folder))
        file.write_text("one\ntwo\n")
        live.settle()
        away = folder.rename(tmp_path / "away")
        for found in (live.differences(), live.differences("a.txt")):
            assert (found.files, found.why, found.known) == ((), GONE, False)
        away.rename(folder)
        assert [one.what for one in live.differences("a.txt").files] == ["modified"]
    finally:
        live.close()


@pytest.mark.parametrize("there", [True, False])
def test_measuring_a_folder_that_is_gone_fails(tmp_path, there):
    """The receipt and its row say that the folder is gone, and the measurement tells that nothing is known."""
    folder = tmp_path / "project"
    if there:
        folder.mkdir()
    measuring = Measuring(folder)
    hand = Hand(NoChannel("only read"), measuring, lambda: 1.0)
    hand.act(Action(id="1", verb="measure"))
    (receipt,) = hand.receipts(Snapshot())
    measuring.settle()
    (measured,) = measuring.results()
    measuring.close()
    assert (receipt.receipt, receipt.evidence) == (("done", "") if there else ("failed", GONE))
    assert word(receipt).text == ("measure" if there else f"measure: {GONE}")
    assert (measured.content is not None) is there


def test_that_the_repository_is_gone_stands_in_the_row_and_the_panel(project):
    """A `.git` that was removed while the run went on is named where the change is told, not in the detail alone."""
    measuring = Measuring(project.path)
    measuring.begin()
    measuring.settle()
    shutil.rmtree(project.path / ".git")
    measuring.ask(Measure("asked", 1))
    measuring.settle()
    start, after = measuring.results()
    measuring.close()
    assert ("repository" in start.kinds, "repository" in after.kinds) == (False, True)
    assert word(after).text.endswith("changed, its .git is gone")
    seen = Worktree()
    for event in (start, after):
        seen.feed(event)
    entries = worktree(Pen(), replace(Snapshot(), worktree=seen.view()), 0.0).entries
    assert (".git is gone", "warn") in [(one.text, one.level) for one in entries]
