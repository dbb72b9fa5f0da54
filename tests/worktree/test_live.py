"""A real folder, a second writer, and the detector: the whole way from a write to the version brought back."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time

import psutil
import pytest
from msgspec.structs import replace

from monitor.config import state_folder
from monitor.detectors.outside_edits import OutsideEdits
from monitor.events import Change, RequestEnded, RunStarted, Tick, ToolCalled, ToolReturned
from monitor.worktree.copies import Copies
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder
from monitor.worktree.rescue import rescued, restore


class Run:
    """An agent's calls, told with the real time, and the folder's changes between them."""

    def __init__(self, project):
        self.project = project
        self.live = LiveFolder(project.path, run="the run", state=state_folder())
        self.detector = OutsideEdits()
        self._seq = self._calls = 0
        self.live.begin()
        self.live.settle()
        self.live.reconcile(measure(project.path))
        self.live.settle()
        self.feed(RunStarted(cwd=str(project.path), lag="event"))

    def feed(self, event):
        self.detector.feed(replace(event, seq=self._seq, at=time.time() if event.at is None else event.at))
        self._seq += 1

    def look(self):
        """Take in what changed, and keep what was overwritten."""
        self.live.settle()
        for event in self.live.changes():
            self.feed(event)
        for lost in self.detector.view().overwritten:
            self.live.rescue(lost.file, lost.digest, changed=lost.changed, overwritten=lost.at, by=lost.by)

    def call(self, kind, does=lambda: None, **more):
        self._calls += 1
        self.feed(ToolCalled(call=f"c{self._calls}", kind=kind, tool=more.pop("tool", kind), **more))
        does()
        self.feed(ToolReturned(call=f"c{self._calls}"))

    def levels(self):
        """What is found once the source had time to tell of everything."""
        self.look()
        self.detector.feed(Tick(now=time.time() + 60, alive=True))
        self.look()
        return {one.subject: one.level for one in self.detector.view().findings if one.state == "open"}

    def pass_by(self):
        """Let the time go by in which a change may still be a formatter's."""
        self.detector._calls.spans._closed.clear()


@pytest.fixture
def run(project, private_home):
    made = Run(project)
    yield made
    made.live.close()


def another(path, text):
    """A second process writes the file."""
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(path), text], check=True)
    while time.time() < path.stat().st_ctime + 0.05:  # so that what follows comes later by any clock
        time.sleep(0.005)


def test_a_second_writer_is_overwritten(run, project):
    """The agent reads a file, another process edits it, the agent writes over it: a warning, and the version is kept."""
    path = project.path / "src/app.py"
    run.call("read", paths=("src/app.py",))
    another(path, "print('by another hand')\n")
    assert run.levels() == {"src/app.py": "note"}
    change = Change("src/app.py", "write", None, "print('by the agent')\n")
    run.call("write", lambda: path.write_text("print('by the agent')\n"), tool="Write", changes=(change,))
    assert run.levels() == {"src/app.py": "warn"}
    assert run.detector.view().who("src/app.py").by == "agent"
    run.live.close()
    (one,) = rescued(state_folder("rescue"))
    assert (one.data(), one.entry.by) == (b"print('by another hand')\n", "Write")
    assert restore(one, path, state_folder("rescue"), time.time())
    assert path.read_text() == "print('by another hand')\n"


def test_bringing_back_ends_the_warning(run, project):
    """While the run goes on, the warning ends once the version stands there again."""
    path = project.path / "README.md"
    run.call("read", paths=("README.md",))
    another(path, "precious\n")
    run.look()
    run.call("write", lambda: path.write_text("mine\n"), changes=(Change("README.md", "write", None, "mine\n"),))
    assert run.levels() == {"README.md": "warn"}
    run.pass_by()
    restore(rescued(state_folder("rescue"))[0], path, state_folder("rescue"), time.time())
    assert run.levels() == {}


def test_each_hand_is_told_apart(run, project):
    """The agent's edit, a command's, and another's: each file names its author, and how many lines differ."""
    run.call("write", lambda: project.write("src/app.py", "a\nb\n"), changes=(Change("src/app.py", "edit", "x", "y"),))
    run.call("shell", lambda: another(project.path / "docs/two words.txt", "by a command\n"), command="make docs")
    run.look()
    run.pass_by()
    another(project.path / "new.txt", "by another hand\n")
    run.levels()
    view = run.detector.view()
    assert {file: (who.by, who.added, who.removed) for file, who in view.authors.items()} == {
        "src/app.py": ("agent", 2, 1), "docs/two words.txt": ("shell", 1, 1), "new.txt": ("outside", 1, 0),
    }  # fmt: skip
    assert [edit.file for edit in view.edits] == ["new.txt"]


def test_a_careful_agent(run, project):
    """An agent that reads the file again before it edits is found nothing against."""
    path = project.path / "README.md"
    run.call("read", paths=("README.md",))
    another(path, "# Another\n\nmore\n")
    run.look()
    run.call("read", paths=("README.md",))
    edit = Change("README.md", "edit", "more", "less")
    run.call("write", lambda: path.write_text("# Another\n\nless\n"), changes=(edit,))
    run.feed(RequestEnded(text="Done."))
    assert run.levels() == {}
    assert rescued(state_folder("rescue")) == []


def test_the_same_bytes_again_are_nobodys(run, project):
    """A file written with what it already holds, or only touched, is no outside edit."""
    run.call("read", paths=("README.md",))
    another(project.path / "README.md", "# Readme\n")
    (project.path / "README.md").touch()
    assert run.levels() == {}
    assert run.detector.view().edits == ()


def gits():
    """The processes of git that wait for a question of ours."""
    return [one for one in psutil.Process().children(recursive=True) if "cat-file" in one.cmdline()]


def test_no_git_waits_from_one_measurement_to_the_next(living, project):
    """What git held is asked of a process of its own, which ends with the next measurement; asked later it is begun anew."""
    live = living(project)
    project.write("README.md", "changed\n")
    live.settle()
    live.changes()
    assert gits()
    live.reconcile(measure(project.path))
    assert not gits()
    (found,) = live.differences("README.md").files
    assert (found.what, bool(found.removed)) == ("modified", True)


def test_what_git_held_where_nothing_can_be_asked(project, state):
    """A private place that is gone keeps nothing from being told: what a file held is not known, with the reason."""
    copies = Copies(project.path, state / "place")
    (state / "place").mkdir()
    copies.begin(measure(project.path))
    shutil.rmtree(state / "place")
    held = copies.at_start("README.md")
    assert (held.there, held.data) == (True, None)
    assert "No such file or directory" in held.why
    copies.close()
