"""What a run claims beside what its folder shows: an agent's log, a real folder, and whoever else writes in it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import logs
import pytest
from claiming import Run
from waiting import until

from monitor.config import state_folder
from monitor.opening import supervised
from monitor.targets import find
from monitor.worktree import fingerprint
from monitor.worktree.budget import Limits
from monitor.worktree.rescue import rescued, restore


def another(path, text):
    """A second process writes a file; what follows comes later by any clock."""
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(path), text], check=True)
    until(lambda: time.time() > path.stat().st_ctime + 0.05)


@pytest.fixture
def run(tmp_path):
    made = Run(tmp_path)
    made.project.mkdir()
    (made.project / "a.py").write_text("first\n")
    yield made
    if made.supervisor is not None:
        made.supervisor.close()


def test_what_another_wrote_and_the_agent_overwrote(run):
    """The agent reads, a second process edits, the agent writes over it: a warning, its rows, and the version is kept."""
    run.begin()
    path = run.project / "a.py"
    run.call("read", paths=["a.py"])
    another(path, "somebody's\n")
    until(lambda: "a.py" in run.shown.outside.authors)
    run.write("a.py", "the agent's\n")
    run.claim()
    finding = until(lambda: (one := run.finding("outside_edits")) and one.level == "warn" and one)
    rows = run.supervisor.rows
    kinds = [rows.row(rows.ref_of(spot.seq)).kind for spot in finding.places]
    assert kinds == ["outside", "write"]
    assert run.shown.outside.who("a.py").by == "agent"
    (one,) = until(lambda: rescued(state_folder("rescue")))
    assert one.data() == b"somebody's\n"
    assert restore(one, path, state_folder("rescue"), time.time())
    assert path.read_text() == "somebody's\n"


@pytest.mark.parametrize(
    "touch", [lambda path: None, lambda path: path.write_text("first\n"), lambda path: path.touch()]
)
def test_done_over_an_untouched_folder(run, touch):
    """Done is claimed and no byte is another, whether nothing was written or the same again: unchanged, a note."""
    run.begin()
    run.call("shell", lambda: touch(run.project / "a.py"), command="true")
    verdict = run.claim()
    assert (verdict.state, run.shown.worktree.changed, run.shown.worktree.since_start) == ("unchanged", False, False)
    assert run.finding("worktree").level == "note"
    assert run.shown.worktree.by == "monitor"


def test_work_that_went_elsewhere(run):
    """What was written into ignored folders, or outside, is named beside `unchanged`: a note."""
    (run.project / ".gitignore").write_text("build/\n")
    (run.project / "build").mkdir()
    run.begin()
    run.write("build/out.log", "made\n")
    run.call("shell", lambda: (run.project / "build/o.txt").write_text("out\n"), command="echo out > build/o.txt")
    assert run.claim().state == "unchanged"
    assert run.shown.worktree.elsewhere == ("build/out.log", "build/o.txt")
    finding = run.finding("worktree")
    assert finding.level == "note"
    assert "ignored, outside or as it was: build/o.txt, build/out.log" in finding.message


def test_a_change_was_required(run):
    """Where a change was required, nothing changed is a warning at the first claim, a stop at the second."""
    run.begin(change_required=True)
    run.claim()
    until(lambda: run.finding("worktree"))
    assert run.finding("worktree").level == "warn"
    run.claim("Really done.")
    until(lambda: run.finding("worktree").level == "stop")


def test_a_folder_that_cannot_be_measured(run, monkeypatch):
    """Nothing is refused on a measurement that there is not: null, the reason, and no finding."""
    usual = fingerprint.measure.__kwdefaults__
    monkeypatch.setitem(usual, "limits", Limits(files=0))
    run.begin(change_required=True)
    verdict = run.claim()
    assert (verdict.state, run.shown.worktree.changed) == ("claimed", None)
    assert "more than 0 files" in run.shown.worktree.reason
    assert run.finding("worktree") is None
    assert "more than 0 files" in run.supervisor.no_diff


def test_a_failed_write_that_another_hand_makes(run):
    """The change the agent failed to make is made by another hand: still outstanding, lowered to a note, and it says so."""
    run.begin()
    changes = [{"file": "a.py", "op": "edit", "old": "frist", "new": "second"}]
    run.tell(
        {"event": "ToolCalled", "call": "w", "kind": "write", "tool": "edit", "changes": changes, "at": time.time()}
    )
    failure = {"failure": "not_found", "outcome": "failed", "files": [{"file": "a.py", "outcome": "failed"}]}
    run.tell({"event": "ToolReturned", "call": "w", "at": time.time(), **failure})
    finding = until(lambda: run.finding("failed_writes"))
    assert [one.text for one in run.shown.writes.entries[0].last.closest] == []
    another(run.project / "a.py", "second\n")
    until(lambda: run.shown.writes.entries[0].lowered)
    run.claim()
    assert (run.shown.writes.outstanding, run.finding("failed_writes").level) == (1, "note")
    assert "something else has since put the new text into the file" in run.finding("failed_writes").message
    assert finding.subject == run.finding("failed_writes").subject


def test_attached_to_a_run_under_way(run):
    """The start is the moment of attaching: the snapshot says so, and what differs is told since then."""
    folder = str(run.project)
    run.log.write_bytes(
        logs.lines(logs.started(project=folder, cwd=folder, lag="event", at=time.time()), logs.prompted(at=time.time()))
    )
    (run.project / "a.py").write_text("before attaching\n")
    run.supervisor = supervised(find(str(run.log)), run.project)
    run.supervisor.start()
    run.measured(1)
    assert run.shown.worktree.attached is not None
    assert run.supervisor.diff().files == ()
    run.write("b.py", "after\n")
    until(lambda: "b.py" in run.shown.outside.authors)
    assert [(one.file, one.what) for one in run.supervisor.diff().files] == [("b.py", "created")]
    assert run.shown.outside.who("b.py").by == "agent"


def test_what_differs_since_the_prompt(run):
    """The comparison tells since the start, since the prompt and of one file; a file outside the project is refused."""
    run.begin()
    run.write("a.py", "second\n")
    until(lambda: "a.py" in run.shown.outside.authors)
    until(lambda: time.time() > (run.project / "a.py").stat().st_ctime + 0.05)
    run.tell(logs.prompted("More", at=time.time()))
    until(lambda: run.shown.run.requests == 2)
    run.write("b.py", "new\n")
    since = run.shown.worktree.since
    assert [one.file for one in run.supervisor.diff().files] == ["a.py", "b.py"]
    assert [one.file for one in run.supervisor.diff(since=since).files] == ["b.py"]
    (only,) = run.supervisor.diff(str(run.project / "a.py")).files
    assert (only.what, only.added, only.removed) == ("modified", 1, 1)
    assert run.supervisor.diff("../../etc/passwd").why == "the file lies outside the project"


@pytest.mark.parametrize(
    ("name", "state", "required", "level"),
    [("01-zero-change-finish", "unchanged", False, "note"), ("02b-resume-feedback-noop", "unchanged", True, "stop")],
)
def test_recorded_by_the_agents_own_measurement(shared, name, state, required, level):
    """A recorded run of dirtywork is judged by what it measured itself, shown as the agent's."""
    from monitor.supervisor import Supervisor

    supervisor = Supervisor(find(str(shared / "captures/dirtywork" / name / "rundir")), live=False)
    supervisor.read_all()
    shown = supervisor.snapshot
    supervisor.close()
    assert (shown.verdict.state, shown.worktree.changed, shown.worktree.by) == (state, False, "agent")
    assert bool(shown.run.change_required) is required
    assert [one.level for one in shown.findings if one.detector == "worktree"][-1] == level


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_seen_before_the_first_measurement_is_in(run, monkeypatch, fails):
    """While the start takes its time, and where it fails, what the watch sees is there; then the exact answer is."""
    going = threading.Event()

    def slowly(*args, **more):
        assert going.wait(30)
        return fingerprint.measure(*args, **more, limits=Limits(files=1 if fails else 1_000))

    monkeypatch.setattr("monitor.worktree.measuring.measure", slowly)
    folder = str(run.project)
    run.log.write_bytes(logs.lines(logs.started(project=folder, cwd=folder, lag="event", at=time.time())))
    run.supervisor = supervised(find(str(run.log)), run.project)
    run.supervisor.start()
    until(lambda: run.shown.worktree.pending)
    run.tell(logs.prompted(at=time.time()))
    for number in range(310):
        (run.project / f"{number}.py").write_text("new\n")
    until(lambda: len(run.shown.worktree.live) == 310)
    assert (run.shown.worktree.changed, run.shown.worktree.pending) == (None, True)
    going.set()
    until(lambda: not run.shown.worktree.pending)
    assert run.shown.worktree.changed is None
    assert ("more than 1 files" in run.shown.worktree.reason) is fails
    assert len(run.shown.worktree.live) == 310
    (run.project / "a.py").write_text("second\n")
    run.claim()
    assert run.shown.worktree.changed is (None if fails else True)
    assert "a.py" in [one.file for one in (run.shown.worktree.live if fails else run.shown.worktree.files)]
