"""A project folder that is no longer there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from claiming import Run

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
from monitor.worktree.measurement import GONE, UNMOUNTED
from monitor.worktree.measuring import Measuring

pytestmark = pytest.mark.usefixtures("private_home")

_REFUSED = 77
"""With which the program below ends where it may not mount."""
_MOUNTING = f"""
import subprocess, sys
from pathlib import Path
from monitor.worktree.changes import Changes
from monitor.worktree.compare import compare
from monitor.worktree.fingerprint import measure
folder = Path(sys.argv[1])
(folder / "a.txt").write_text("under the disk")
under = measure(folder)
if subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True).returncode:
    sys.exit({_REFUSED})
changes = Changes(folder)
(folder / "a.txt").write_text("on the disk")
on = measure(folder)
changes.reconcile(on, 1.0)
(folder / "b.txt").write_text("seen")
changes.reconcile(measure(folder), 2.0)
subprocess.run(["umount", folder], check=True)
again = measure(folder)
print(changes.reconcile(again, 3.0))
for before, after in ((under, on), (under, again), (on, again)):
    found = compare(before, after)
    print(found.changed, found.reason)
"""


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
    (receipt,) = hand.receipts(Snapshot)
    measuring.settle()
    (measured,) = measuring.results()
    measuring.close()
    assert (receipt.receipt, receipt.evidence) == (("done", "") if there else ("failed", GONE))
    assert word(receipt).text == ("measure" if there else f"measure: {GONE}")
    assert (measured.content is not None) is there


def test_that_the_repository_is_gone_stands_in_the_row_and_the_panel(project):
    """A `.git` that was removed while the run went on is named in both, whether or not a file is another besides."""
    measuring = Measuring(project.path)
    measuring.begin()
    measuring.settle()
    shutil.rmtree(project.path / ".git")
    measuring.ask(Measure("asked", 1))
    measuring.settle()
    project.write("README.md", "another\n")
    measuring.ask(Measure("asked", 2))
    measuring.settle()
    start, *after = measuring.results()
    measuring.close()
    assert ["repository" in event.kinds for event in (start, *after)] == [False, True, True]
    assert [word(event).text for event in after] == ["measured, its .git is gone", "1 file changed, its .git is gone"]
    first, second = (_panel(start, event) for event in after)
    assert first.blind.startswith("The folder is no repository any more")
    assert (".git is gone", "warn") in [(one.text, one.level) for one in second.entries]


def test_a_repository_that_went_is_no_change_of_the_agents(project):
    """Of an agent that only read it is not said that it changed anything where the `.git` went: that is not known."""
    run = Run(project.room)
    run.begin()
    try:
        run.call("read", lambda: shutil.rmtree(project.path / ".git"))
        verdict = run.claim()
    finally:
        run.supervisor.close()
    assert verdict.state == "claimed"
    assert "the folder is no repository any more" in verdict.reason


def test_another_disk_tells_nothing_of_the_project(tmp_path):
    """What lay on a disk that was taken away, or lies under one that was mounted, is neither gone nor as it was; no file of it is deleted."""
    seen = subprocess.run(
        ["unshare", "-m", sys.executable, "-c", _MOUNTING, str(tmp_path)], capture_output=True, text=True, check=False
    )
    if seen.returncode == _REFUSED or "unshare" in seen.stderr:
        pytest.skip("this machine lets nobody mount a disk")
    assert seen.stderr == ""
    assert seen.stdout.splitlines() == ["[]", f"None {UNMOUNTED}", "False ", f"None {UNMOUNTED}"]


def _panel(*events):
    seen = Worktree()
    for event in events:
        seen.feed(event)
    return worktree(Pen(), replace(Snapshot(), worktree=seen.view()), 0.0)
