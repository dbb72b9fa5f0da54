"""Measurements at the moments that count, and what may be concluded from them."""

from __future__ import annotations

import threading
import time

import pytest

from monitor.actions import Measure
from monitor.detectors.worktree import Worktree
from monitor.timeline import wording
from monitor.worktree.fingerprint import measure
from monitor.worktree.measuring import Measuring


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("one\n")
    return folder


@pytest.fixture
def measuring(project):
    made = Measuring(project)
    made.begin()
    made.settle()
    made.results()
    yield made
    made.close()


def measured(measuring, when, at=None):
    """One measurement, taken now."""
    measuring.ask(Measure(when, 1, at))
    measuring.settle()
    (event,) = measuring.results()
    return event


def test_changed_since_the_prompt(measuring, project):
    """What changes after the prompt's measurement is a change, and is named."""
    assert measured(measuring, "prompt", time.time()).changed is None
    (project / "a.py").write_text("two\n")
    event = measured(measuring, "claim")
    assert (event.changed, event.since_start, event.files) == (True, True, ("a.py",))


@pytest.mark.parametrize(("assumed", "place"), [(True, "../other"), (True, "inner"), (False, "../other")])
def test_an_agent_that_works_elsewhere(measuring, project, assumed, place):
    """In a folder that was only assumed, no difference says nothing of an agent that works in another."""
    measuring.assumed = assumed
    measuring.works_in(str(project / place))
    measured(measuring, "prompt", time.time())
    event = measured(measuring, "claim")
    elsewhere = assumed and place == "../other"
    assert (event.changed is None, "other" in event.reason) == (elsewhere, elsewhere)


def test_more_files_than_are_named_are_counted(measuring, project):
    """A thousand files are named; how many more there are is told with them, up to the sentence on the screen."""
    measured(measuring, "prompt", time.time())
    for number in range(1_007):
        (project / f"{number}.txt").touch()
    event = measured(measuring, "claim")
    assert (len(event.files), event.more) == (1_000, 7)
    assert wording.measured(event) == "1,007 files changed"
    detector = Worktree()
    detector.feed(event)
    assert detector.view().count == 1_007


def test_unchanged_since_the_prompt(measuring, project):
    """What changed before the prompt counts since the start, not since the prompt."""
    (project / "a.py").write_text("two\n")
    old = time.time() + 10
    assert measured(measuring, "prompt", old).changed is None
    event = measured(measuring, "claim")
    assert (event.changed, event.since_start) == (False, True)


def test_a_measurement_that_comes_too_late(measuring, project):
    """Files that changed after the prompt, but before its measurement, count as changed since the prompt."""
    prompted = time.time() - 5
    (project / "a.py").write_text("two\n")
    measured(measuring, "prompt", prompted)
    assert measured(measuring, "claim").changed is True


@pytest.mark.parametrize("gone", [True, False])
def test_around_the_prompt(measuring, project, gone):
    """Where it cannot be told whether a change came before the prompt, no difference is no answer."""
    (project / "a.py").unlink()
    if not gone:
        (project / "a.py").write_text("two\n")
    measured(measuring, "prompt", time.time() if gone else None)
    event = measured(measuring, "claim")
    assert event.changed is None
    assert "around the prompt" in event.reason
    (project / "b.py").write_text("new\n")
    assert measured(measuring, "claim").changed is True


def test_attached_late(project):
    """Attached after the prompt, a change is a change, and no change is not known."""
    measuring = Measuring(project)
    measuring.begin(late=True)
    measuring.settle()
    measuring.results()
    event = measured(measuring, "claim")
    assert event.changed is None
    assert "attached after the prompt" in event.reason
    (project / "a.py").write_text("two\n")
    assert measured(measuring, "claim").changed is True
    measuring.close()


def test_a_prompt_of_the_past(measuring, project):
    """Told only now, but given before the start was measured: what changed since then is known, and no change is not."""
    event = measured(measuring, "prompt", time.time() - 60)
    assert (event.changed, event.late) == (None, True)
    assert wording.measured(event) == "measured when attached, after the prompt"
    event = measured(measuring, "claim")
    assert event.changed is None
    assert "attached after the prompt" in event.reason
    (project / "a.py").write_text("two\n")
    assert measured(measuring, "claim").changed is True
    assert measured(measuring, "prompt", time.time()).late is False
    assert measured(measuring, "claim").changed is False


def test_a_folder_that_is_gone(measuring, project):
    """A folder that can no longer be measured is none, with the reason."""
    project.rename(project.with_name("moved"))
    event = measured(measuring, "claim")
    assert (event.changed, event.content) == (None, None)
    assert event.reason


def test_a_fault_of_our_own_leaves_nobody_waiting(measuring, project, monkeypatch):
    """Should a measurement fail by a fault of monitor's, nothing is known and the reason is said; the next one is made."""

    def fail(*_, **__):
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr("monitor.worktree.measuring.measure", fail)
        event = measured(measuring, "claim")
    assert (event.changed, event.content) == (None, None)
    assert "monitor itself failed (RuntimeError: boom)" in event.reason
    (project / "a.py").write_text("two\n")
    assert measured(measuring, "claim").changed is True


def test_one_measurement_serves_all_that_asked(measuring):
    """Everything asked before a measurement began gets an answer of its own."""
    for seq in range(5):
        measuring.ask(Measure("turn", seq))
    measuring.settle()
    assert sorted(event.about for event in measuring.results()) == [0, 1, 2, 3, 4]


def test_a_prompt_before_the_start_was_measured(project, monkeypatch):
    """What changed while the start was still being read may be part of it: no difference is no answer then."""
    going, begun = threading.Event(), threading.Event()

    def slowly(*args, **more):
        begun.set()
        assert going.wait(20)
        return measure(*args, **more)

    monkeypatch.setattr("monitor.worktree.measuring.measure", slowly)
    measuring = Measuring(project)
    measuring.begin()
    assert begun.wait(20)
    assert measuring.starting
    measuring.ask(Measure("prompt", 1, time.time()))
    (project / "a.py").write_text("two\n")
    going.set()
    measuring.settle()
    assert not measuring.starting
    measuring.results()
    event = measured(measuring, "claim")
    assert (event.changed, "when the prompt came" in event.reason) == (None, True)
    (project / "a.py").write_text("three\n")
    assert measured(measuring, "claim").changed is True
    measuring.ask(Measure("prompt", 2, time.time() + 1))
    measuring.settle()
    measuring.results()
    assert measured(measuring, "claim").changed is False
    measuring.close()
