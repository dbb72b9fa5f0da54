"""What the detail says of a claim once the run went on."""

from __future__ import annotations

from ui_samples import NOWS, PEN, joined

from monitor.events import (
    Change,
    Event,
    FileOutcome,
    Prompted,
    RequestEnded,
    RunStarted,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.run.run import Run
from monitor.timeline.rows import Row
from monitor.ui.present.detail import detail
from monitor.ui.present.parts import laid
from monitor.ui.present.selected import Selected

NOW = NOWS["trouble"]
CLAIMED = (RunStarted(agent="tiny"), Prompted(text="Greet the moon"), RequestEnded(how="answered", text="Done."))
FAILS = (
    ToolCalled(call="2", tool="edit", kind="write", changes=(Change("sun.txt", "edit", "a", "b"),)),
    ToolReturned(
        call="2", outcome="failed", failure="not_found", files=(FileOutcome("sun.txt", "failed", "not_found"),)
    ),
)


def claimed(*more: Event) -> str:
    """The detail of the latest claim, after all of it."""
    run = Run()
    for event in (*CLAIMED, *more):
        run.feed(event)
    snapshot = run.snapshot()
    chosen = Selected(Row(0, 0, "claim", "Done."), CLAIMED[-1], None, claim=snapshot.claims[-1])
    return joined(laid(PEN, detail(PEN, chosen, snapshot, NOW), 80))


def test_a_claim_that_stands_has_the_verdict_and_the_measurement() -> None:
    """Nothing came after it, or only what it was measured by: what holds now is what holds of it."""
    assert "nothing could be measured" in claimed()
    text = claimed(TreeMeasured(when="claim", content="d", changed=True, since_start=True, files=("a.txt",)))
    assert "Done is claimed, nothing outstanding, 1 file changed" in text
    assert "changed since the prompt, 1 file" in text


def test_a_claim_is_not_judged_by_what_came_after_it() -> None:
    """Once the next request runs, neither its failures, nor its measurements, nor its verdict stand under the claim."""
    text = claimed(Prompted(text="Now the sun"), *FAILS)
    assert "Claimed; what happened could not be measured." in text
    for later in ("sun.txt", "outstanding", "Nothing needs you", "folder"):
        assert later not in text, later


def test_an_earlier_claim_over_which_nothing_changed_says_whose_change_is_meant() -> None:
    """Others may have changed something then: only that the agent did not is said."""
    same = TreeMeasured(when="claim", content="c", changed=False, since_start=False)
    assert "Done is claimed, and nothing changed since the prompt" in claimed(same)
    text = claimed(same, Prompted(text="Now the sun"))
    assert "Claimed, and the agent changed nothing in the project since the prompt." in text
