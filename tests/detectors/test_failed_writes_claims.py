"""When a failed write is worth a note, a warning, a stop: claims of done, and each way to end."""

from __future__ import annotations

import pytest
from writes_story import Story

from monitor.events import Change, Coverage, RequestEnded, RunEnded, SourceChanged, ToolCalled


def failing() -> Story:
    story = Story()
    story.prompt()
    story.fail("a.py")
    return story


def test_a_claim_warns_and_a_second_one_stops() -> None:
    """Done is claimed over a failed write: warn; claimed again in the same request: stop."""
    story = failing()
    assert story.levels == {"a.py": "note"}
    story.answer()
    assert story.levels == {"a.py": "warn"}
    story.answer()
    assert story.levels == {"a.py": "stop"}
    assert story.open[0].raised == len(story.events) - 1


def test_a_claim_of_a_new_request_is_its_first() -> None:
    """The ledger is kept over requests; each request has its own first claim."""
    story = failing()
    story.answer()
    story.prompt()
    story.answer()
    assert story.levels == {"a.py": "warn"}
    story.answer()
    assert story.levels == {"a.py": "stop"}


def test_could_not_warns_and_a_question_does_not() -> None:
    """Saying that it could not keeps the entry as a warning and claims nothing, at the end of the run too."""
    story = failing()
    story.answer("Which of the two files do you mean?")
    story.answer(how="asked")
    assert story.levels == {"a.py": "note"}
    story.answer("I could not make the change.")
    assert story.levels == {"a.py": "warn"}
    story.answer(how="refused")
    story.end()
    assert story.levels == {"a.py": "warn"}
    story = failing()
    story.answer("I could not make the change.")
    story.answer("Done.")
    story.answer("Done.")
    assert story.levels == {"a.py": "stop"}


def test_only_the_roots_claim_counts() -> None:
    """A sub-agent's answer is no claim for the run."""
    story = failing()
    story.tell(RequestEnded(actor="kid", text="Done."))
    assert story.levels == {"a.py": "note"}


def test_the_warning_is_armed_again_when_the_ledger_empties() -> None:
    """After everything was mended, the next failure begins at note, and the next claim warns."""
    story = failing()
    story.answer()
    story.edit("a.py")
    story.fail("b.py")
    assert story.levels == {"b.py": "note"}
    story.answer()
    assert story.levels == {"b.py": "warn"}


def test_a_failure_after_the_warning_begins_at_note() -> None:
    """A new entry opens at note, and the second claim takes all to stop."""
    story = failing()
    story.answer()
    story.fail("b.py")
    assert story.levels == {"a.py": "warn", "b.py": "note"}
    story.answer()
    assert story.levels == {"a.py": "stop", "b.py": "stop"}


def test_the_end_after_a_claim_stops() -> None:
    """The run ends after done was claimed over the failure: stop."""
    story = failing()
    story.answer()
    story.end()
    assert story.levels == {"a.py": "stop"}


@pytest.mark.parametrize("how", ["error", "limit", "interrupted", None])
def test_any_other_end_warns(how: str | None) -> None:
    """A run that ends without a claim shows what is outstanding: warn."""
    story = failing()
    if how:
        story.answer("", how=how)
        assert story.levels == {"a.py": "note"}
    story.end("whatever")
    assert story.levels == {"a.py": "warn"}


def test_a_claim_made_while_nothing_was_outstanding_is_no_claim_over_it() -> None:
    """An earlier, clean claim does not make the end of a later request a stop."""
    story = Story()
    story.edit("z.py")
    story.answer()
    story.prompt()
    story.fail("a.py")
    story.end("interrupted")
    assert story.levels == {"a.py": "warn"}


@pytest.mark.parametrize("what", ["gone", "end"])
def test_a_lost_process_and_the_end_of_a_log_end_the_run(what: str) -> None:
    """Where nothing says that the run ended, its process gone or its log read out ends it."""
    story = failing()
    story.tell(SourceChanged(what=what))
    assert story.levels == {"a.py": "warn"}


@pytest.mark.parametrize("by", ["prompt", "call"])
def test_an_end_is_taken_back(by: str) -> None:
    """A run that goes on after its end has the levels it had before."""
    story = failing()
    story.answer()
    story.end()
    assert story.levels == {"a.py": "stop"}
    if by == "prompt":
        story.prompt()
    else:
        story.tell(ToolCalled(call="x", kind="read"))
    assert story.levels == {"a.py": "warn"}
    story.end("interrupted")
    assert story.levels == {"a.py": "stop"}


def test_a_sub_agents_end_is_not_the_runs() -> None:
    """Levels wait for the root's end."""
    story = failing()
    story.tell(RunEnded(actor="kid"))
    assert story.levels == {"a.py": "note"}


def test_a_call_without_a_result_is_unknown_at_the_end() -> None:
    """A write without a result when the run ends opens: whether it was written is unknown."""
    story = Story()
    story.call(Change("a.py", "edit", "x", "y"), message="m")
    assert story.entries == ()
    story.end("interrupted")
    entry = story.entry("a.py")
    assert (entry.outstanding, entry.unknown, entry.last.outcome) == (True, True, "unknown")
    assert story.levels == {"a.py": "warn"}
    assert story.open[0].message == "Whether a.py was written is unknown: nothing says whether it was made"


def test_a_call_without_a_result_is_unknown_at_the_roots_claim() -> None:
    """The root cannot be done while its own write has no result; a sub-agent's may still run."""
    story = Story()
    story.call(Change("a.py", "edit", "x", "y"), message="m")
    story.call(Change("b.py", "edit", "x", "y"), message="m", actor="kid")
    story.answer()
    assert story.levels == {"a.py": "warn"}
    story.tell(RunEnded(actor="kid"))
    assert story.outstanding == ["a.py", "b.py"]


@pytest.mark.parametrize("outcome", ["ok", "failed"])
def test_a_late_result_takes_the_unknown_back(outcome: str) -> None:
    """A result that comes after all is judged in place of the unknown, without losing the level."""
    story = Story()
    call = story.call(Change("a.py", "edit", "x", "y"), message="m")
    story.answer()
    assert story.levels == {"a.py": "warn"}
    opened = story.open[0].opened
    story.result(call, outcome, "not_found" if outcome == "failed" else "")
    if outcome == "ok":
        assert story.entries == ()
        assert (story.detector.view().made, story.detector.view().failed) == (1, 0)
    else:
        assert (story.entry("a.py").count, story.entry("a.py").unknown) == (1, False)
        assert story.open[0].opened == opened
        assert story.levels == {"a.py": "warn"}
        story.answer()
        assert story.levels == {"a.py": "stop"}


def test_a_call_that_was_never_written_out_is_not_unknown() -> None:
    """A call the model was still writing when it was stopped was never made."""
    story = Story()
    story.call(Change("a.py", "edit", "x", "y"), message="m", partial=True)
    story.end("interrupted")
    assert story.entries == ()


def test_a_source_without_results_leaves_nothing_unknown() -> None:
    """Where no result of a write is ever told, a missing one says nothing."""
    story = Story(coverage={"failed_writes": Coverage("none", "no results")})
    story.edit("b.py", "failed", "not_found")
    story.call(Change("a.py", "edit", "x", "y"), message="m")
    story.end()
    assert story.outstanding == ["b.py"]


def test_a_later_write_mends_an_unknown() -> None:
    """Once the file was written for certain, the cancelled call before it is no matter."""
    story = Story()
    story.edit("a.py", "cancelled")
    assert story.entry("a.py").unknown
    story.edit("a.py")
    assert story.outstanding == []
