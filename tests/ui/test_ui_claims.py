"""What the detail says of a claim once the run went on."""

from __future__ import annotations

from pathlib import Path

import logs
from ui_samples import NOWS, PEN, joined

from monitor.events import (
    Change,
    Event,
    FileOutcome,
    Prompted,
    RequestEnded,
    RunStarted,
    Said,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
)
from monitor.run.run import Run
from monitor.supervisor import Supervisor
from monitor.targets import find
from monitor.timeline.rows import Row
from monitor.ui.present.detail import detail
from monitor.ui.present.parts import laid
from monitor.ui.present.selected import Selected
from monitor.ui.selection import select

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


def test_the_words_that_were_judged_are_told_as_the_claim_that_they_are(tmp_path: Path) -> None:
    """Their row is that of the answer itself, in which no end of a request stands: the verdict stands below them."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(logs.started(), logs.prompted(), logs.edited("1"), logs.failed("1"), *logs.answered()))
    supervisor = Supervisor(find(str(log)), live=False)
    supervisor.read_all()
    rows, snapshot = supervisor.rows, supervisor.snapshot
    ref = rows.ref_of(snapshot.claims[-1].spot.seq)
    assert ref is not None
    chosen = select(snapshot, rows, ref)
    assert isinstance(chosen.event, Said)
    text = joined(laid(PEN, detail(PEN, chosen, snapshot, NOW), 80))
    supervisor.close()
    assert text.startswith("Done.\n✗ 1 write outstanding: a.py\n")
    assert "outstanding   1 write: a.py" in text


def test_a_long_claim_stands_below_what_is_to_be_said_of_it() -> None:
    """Verdict and measurement, a word on how long it is, and of its text as much as there is room for, its end first."""
    said = Said(text="\n".join(f"Point {n} is done." for n in range(50)) + "\n", cut=True)
    run = Run()
    for event in (*CLAIMED[:2], said, RequestEnded(how="answered", text=said.text)):
        run.feed(event)
    snapshot = run.snapshot()
    chosen = Selected(Row(0, 0, "claim", "words"), said, None, claim=snapshot.claims[-1])
    for height in (None, 16):
        shown = joined(laid(PEN, detail(PEN, chosen, snapshot, NOW), 80, height)).rstrip().split("\n")
        assert shown[0].startswith("• Done is claimed; nothing could be measured")
        assert "the claim" in "".join(shown)
        assert "50 lines" in "".join(shown)
        assert "Point 49 is done." in shown
        assert shown[-1] == "• The log dropped a part of this text."
        assert ("Point 0 is done." in shown) == (height is None)
