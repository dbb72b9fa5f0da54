"""The files that calls wrote, told beside a folder that did not change."""

from __future__ import annotations

from msgspec.structs import replace

from monitor.detectors.worktree import Worktree
from monitor.events import (
    Change,
    FileOutcome,
    Prompted,
    RequestEnded,
    RunStarted,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)

SAME = TreeMeasured(when="claim", content="c", history="h", changed=False, since_start=False, by="agent")
DONE = RequestEnded(text="Done.")


def fold(*events):
    detector = Worktree()
    for seq, event in enumerate((RunStarted(project="/p", cwd="/p"), Prompted(text="go"), *events)):
        detector.feed(replace(event, seq=seq, request=1))
    return detector


def wrote(file, call="1", outcome="ok", kind="write", **more):
    changes = (Change(file, "write", None, "x"),) if kind == "write" else ()
    files = (FileOutcome(file, outcome),) if kind == "write" else ()
    return ToolCalled(call=call, kind=kind, changes=changes, **more), ToolReturned(
        call=call, outcome=outcome, files=files
    )


def test_the_files_are_named_with_the_claim():
    """Writes and the redirections of commands, relative to the project where they lie in it."""
    detector = fold(
        *wrote("build/a.log"), *wrote("/q/b.txt", "2"), *wrote("", "3", kind="shell", command="echo x > build/o.txt"),
        SAME, DONE,
    )  # fmt: skip
    assert detector.view().elsewhere == ("build/a.log", "/q/b.txt", "build/o.txt")
    (finding,) = detector.view().findings
    assert finding.message.endswith("ignored, outside or as it was: build/o.txt, /q/b.txt, build/a.log")


def test_what_is_no_work_is_not_named():
    """Failed writes, temporary files, reads, and what came before the latest prompt."""
    detector = fold(
        *wrote("old.log"), Prompted(text="more"), *wrote("a.log", "2", "failed"), *wrote("/tmp/x", "3"), SAME, DONE
    )
    assert detector.view().elsewhere == ()
    assert "written" not in detector.view().findings[0].message


def test_beside_a_change_nothing_is_said_of_it():
    """Where the folder changed the files stand among those that changed."""
    assert fold(*wrote("a.py"), replace(SAME, changed=True, files=("a.py",)), DONE).view().elsewhere == ()


def test_many_are_counted():
    """Three are named, the rest is counted; a hundred are remembered."""
    calls = [event for number in range(300) for event in wrote(f"build/{number}.log", str(number))]
    detector = fold(*calls, SAME, DONE)
    assert len(detector.view().elsewhere) == 100
    assert detector.view().findings[0].message.endswith("build/299.log, build/298.log, build/297.log and 97 more files")


def test_a_recorded_run_that_wrote_only_an_ignored_file(shared):
    """A recorded run of dirtywork: refused by its own guard, the file it did write is named."""
    from monitor.supervisor import Supervisor
    from monitor.targets import find

    supervisor = Supervisor(find(str(shared / "captures/dirtywork/10-ignored-file-only/rundir")), live=False)
    supervisor.read_all()
    assert supervisor.snapshot.worktree.elsewhere == ("build/o.txt",)
    supervisor.close()
