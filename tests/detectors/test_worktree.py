"""Claims beside what was measured of the folder."""

from __future__ import annotations

import msgspec

from monitor.actions import Measure
from monitor.detectors.worktree import Worktree
from monitor.events import Acted, Prompted, RequestEnded, RunEnded, RunStarted, Tick, TreeMeasured

START = TreeMeasured(when="start", content="c", history="h")
SAME = TreeMeasured(when="claim", content="c", history="h", changed=False, since_start=False)
CHANGED = TreeMeasured(when="claim", content="d", history="h", changed=True, since_start=True, files=("a.py",))
DONE = RequestEnded(text="Done.")


def fold(*events, detector=None):
    """The detector after these events, and all it wanted."""
    detector = detector or Worktree()
    wants = []
    for seq, event in enumerate(events):
        wants += detector.feed(msgspec.structs.replace(event, seq=seq, request=1))
    return detector, wants


def test_nothing_is_wanted_before_the_first_measurement():
    """Where the monitor does not measure, nothing is asked for."""
    assert fold(RunStarted(), Prompted(text="a"), DONE, RunEnded())[1] == []


def test_the_moments_that_count():
    """A measurement is wanted at each prompt, at each claim and at the end."""
    wants = fold(RunStarted(), START, Prompted(text="a", at=5.0), DONE, RunEnded())[1]
    assert [(want.when, want.seq) for want in wants] == [("prompt", 2), ("claim", 3), ("end", 4)]
    assert wants[0] == Measure("prompt", 2, 5.0)


def test_every_ten_turns():
    """Every tenth turn asks for one, and no other."""
    detector, _ = fold(START)
    asked = [bool(detector.turned(msgspec.structs.replace(DONE, seq=turn), turn)) for turn in range(1, 31)]
    assert [turn for turn, one in enumerate(asked, 1) if one] == [10, 20, 30]


def test_pending_until_answered():
    """A verdict is provisional until what was asked for is measured."""
    detector, _ = fold(START, Prompted(text="a"))
    assert detector.view().pending
    fold(msgspec.structs.replace(START, when="prompt", about=1), detector=detector)
    assert not detector.view().pending


def test_unchanged_without_a_duty_is_a_note():
    """A task to investigate and report may end without a change."""
    (finding,) = fold(START, Prompted(text="a"), DONE, SAME)[0].view().findings
    assert finding.level == "note"


def test_unchanged_with_a_duty():
    """Where a change is required, the first claim without one is a warning, the second a stop."""
    duty = RunStarted(change_required=True)
    (finding,) = fold(duty, START, Prompted(text="a"), DONE, SAME)[0].view().findings
    assert finding.level == "warn"
    (finding,) = fold(duty, START, Prompted(text="a"), DONE, SAME, DONE, SAME)[0].view().findings
    assert finding.level == "stop"


def test_feedback_is_a_duty():
    """After the operator's feedback a change is required."""
    (finding,) = fold(START, Prompted(text="a"), Prompted(text="b", by="operator"), DONE, SAME)[0].view().findings
    assert finding.level == "warn"
    assert "feedback" in finding.message


def test_a_change_raises_nothing():
    """A claim over a changed folder is no finding, and the files are named."""
    view = fold(START, Prompted(text="a"), DONE, CHANGED)[0].view()
    assert (view.findings, view.changed, [file.file for file in view.files]) == ((), True, ["a.py"])


def test_not_known_raises_nothing():
    """Nothing is refused on a measurement that could not be made; its reason stands."""
    view = fold(START, DONE, TreeMeasured(when="claim", reason="too large"))[0].view()
    assert (view.findings, view.changed, view.reason) == ((), None, "too large")


def test_a_new_prompt_counts_anew():
    """After a prompt, what was measured before says nothing any more."""
    view = fold(START, Prompted(text="a"), DONE, CHANGED, Prompted(text="b"))[0].view()
    assert view.changed is None


def test_the_agents_own_measurement():
    """The agent's own word is taken where there is no other, and shown as the agent's."""
    view = fold(TreeMeasured(by="agent", when="end", changed=False))[0].view()
    assert (view.changed, view.by) == (False, "agent")
    view = fold(START, DONE, CHANGED, TreeMeasured(by="agent", when="end", changed=False))[0].view()
    assert (view.changed, view.by) == (True, "monitor")


def test_no_claim_no_finding():
    """A run that ended without a claim of done is not told that done was claimed."""
    events = (
        START,
        Prompted(text="a"),
        RequestEnded(how="interrupted"),
        RunEnded(),
        msgspec.structs.replace(SAME, when="end"),
    )
    assert fold(*events)[0].view().findings == ()


def test_unchanged_at_the_end():
    """Where a change is required, a claim without one is a stop once the run has ended."""
    duty = RunStarted(change_required=True)
    last = msgspec.structs.replace(SAME, when="end")
    (finding,) = fold(duty, START, Prompted(text="a"), DONE, SAME, RunEnded(), last)[0].view().findings
    assert finding.level == "stop"


def test_a_late_monitor_keeps_what_the_agent_measured():
    """A first measurement of ours, which can say nothing yet, does not hide what the agent measured."""
    view = fold(DONE, TreeMeasured(by="agent", when="end", changed=False), START)[0].view()
    assert (view.changed, view.by) == (False, "agent")


def test_a_change_after_the_warning_clears_it():
    """A second claim is judged by its own measurement: what was applied in between is no longer missed."""
    duty = RunStarted(change_required=True)
    detector, _ = fold(duty, START, Prompted(text="a"), DONE, SAME, DONE)
    assert [one.level for one in detector.view().findings] == ["warn"]
    fold(CHANGED, detector=detector)
    (finding,) = detector.view().findings
    assert (finding.state, finding.why_ended) == ("cleared", "the folder changed")


def test_ten_turns_without_a_change():
    """A measurement after many turns that is as the one at their beginning is a note, until something changes."""
    turn = msgspec.structs.replace(START, when="turn")
    detector, _ = fold(START, Prompted(text="a"))
    detector.turned(DONE, 10)
    fold(turn, detector=detector)
    (finding,) = detector.view().findings
    assert (finding.level, finding.message) == ("note", "Nothing in the project changed in the last 10 turns")
    fold(msgspec.structs.replace(turn, content="d"), detector=detector)
    assert [one.state for one in detector.view().findings] == ["cleared"]


def test_ten_turns_are_counted_from_the_change():
    """A change in the fifth turn that was measured then: nothing is said in the tenth, and only the fifteenth asks."""
    turn = msgspec.structs.replace(START, when="turn", content="d")
    detector, _ = fold(START, Prompted(text="a"))
    detector.turned(DONE, 5)
    fold(turn, detector=detector)
    assert [number for number in range(6, 16) if detector.turned(DONE, number)] == [15]
    assert detector.view().findings == ()
    fold(turn, detector=detector)
    assert [one.level for one in detector.view().findings] == ["note"]


def test_ten_turns_are_counted_from_attaching():
    """Attached in the fortieth turn, the monitor says nothing of the turns before, which it did not see."""
    detector = Worktree()
    for number in range(1, 41):
        assert not detector.turned(DONE, number)
    fold(msgspec.structs.replace(START, late=True), detector=detector)
    assert [number for number in range(41, 52) if detector.turned(DONE, number)] == [50]
    fold(msgspec.structs.replace(START, when="turn"), detector=detector)
    assert len(detector.view().findings) == 1


def test_settled_and_closed():
    """The operator settles a finding of this request, and the next request closes what is open."""
    detector, _ = fold(START, Prompted(text="a"), DONE, SAME)
    fold(Acted(id="1", action="settle", receipt="done", subject="worktree::request 1", text="meant"), detector=detector)
    assert [(one.state, one.why_ended) for one in detector.view().findings] == [("settled", "meant")]
    detector, _ = fold(START, Prompted(text="a"), DONE, SAME)
    detector.feed(Prompted(text="b", request=2))
    assert [one.state for one in detector.view().findings] == ["closed"]


def test_while_the_start_is_being_measured():
    """Until the start is known nothing is, and says so; what comes meanwhile is measured after it."""
    detector, wants = fold(RunStarted(), Tick(measuring=True), Prompted(text="a", at=5.0), DONE)
    assert [want.when for want in wants] == ["prompt", "claim"]
    assert detector.view().pending
    fold(START, detector=detector)
    assert detector.view().pending
    for want in wants:
        fold(msgspec.structs.replace(SAME, when=want.when, about=want.seq), detector=detector)
    assert not detector.view().pending
    fold(Tick(measuring=True), Tick(), detector=detector)
    assert not detector.view().pending


def test_files_that_changed_too_many_at_once():
    """How many were seen and not told one by one is known until they are measured, and no longer."""
    detector, _ = fold(START, Tick(untold=99_000))
    assert detector.view().live_more == 99_000
    fold(msgspec.structs.replace(SAME, content=None, changed=None, reason="too many"), detector=detector)
    assert detector.view().live_more == 99_000
    fold(CHANGED, detector=detector)
    assert detector.view().live_more == 0
