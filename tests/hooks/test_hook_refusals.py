"""When a stop is refused, and when not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.actions import Action
from monitor.findings import Finding, Spot
from monitor.hooks.refusals import Refusals
from monitor.snapshot import Claim, RunFacts, Snapshot, Verdict

ADVICE = Finding("failed_writes", "a.xml", "stop", "failed", advice="The closest lines: 2 | Hello")
DONE = Claim(Spot(1, 0, 1), None, True, "Done.", "not made", 1)
RUN = RunFacts(requests=1)
LATER = Action("2", "refuse", by="policy")


def snapshot(state, *also, claim=DONE, claimed=True, **more):
    verdict = Verdict(state, "", also, claimed_done=claimed)
    return Snapshot(run=more.pop("run", RUN), verdict=verdict, claims=(claim,), findings=(ADVICE,), **more)


def refusals(shown, standing="not made"):
    made = Refusals()
    made.standing = standing
    made.know(shown)
    return made


def test_a_claim_with_a_write_outstanding_is_refused_with_its_advice():
    """The reason is the monitor's voice, and holds what the finding advises."""
    answer = refusals(snapshot("not made")).answer("Done.", late=False)
    assert answer.state == "not made"
    assert answer.reason.startswith("Notice from monitor")
    assert "2 | Hello" in answer.reason


@pytest.mark.parametrize(
    "shown",
    [
        snapshot("changed"), snapshot("claimed"), snapshot("unchanged"),
        snapshot("not made", claimed=False), snapshot("not made", claim=replace(DONE, done=False)),
    ],
)  # fmt: skip
def test_what_is_no_false_claim_is_let_be(shown):
    """A change, an unknown, an agent that says it could not: it may stop. Unchanged is refused only where that is wanted."""
    assert refusals(shown).answer("Done.", late=False).state is None


def test_unchanged_is_refused_where_a_change_is_required():
    """Only with that order, and not in a run that says it requires none; nor before the folder was measured."""
    assert refusals(snapshot("unchanged"), "unchanged").answer("Done.", late=False).state == "unchanged"
    free = RunFacts(requests=1, change_required=False)
    assert refusals(snapshot("unchanged", run=free), "unchanged").answer("Done.", late=False).state is None
    pending = snapshot("unchanged", worktree=replace(Snapshot().worktree, pending=True))
    assert refusals(pending, "unchanged").answer("Done.", late=False) is None
    assert (
        refusals(replace(pending, verdict=Verdict("claimed", "", claimed_done=True)), "unchanged")
        .answer("Done.", late=True)
        .state
        is None
    )


def test_a_claim_that_is_not_read_yet_is_waited_for():
    """The answer is to the words that the hook was given; when they are not read in time, the agent may stop."""
    for shown in (
        Snapshot(),
        snapshot("not made", claim=replace(DONE, text="Earlier.")),
        snapshot("not made", claim=replace(DONE, request=0)),
    ):
        assert refusals(shown).answer("Done.", late=False) is None
        assert refusals(shown).answer("Done.", late=True).state is None


def claimed_at(seq):
    return snapshot("not made", claim=replace(DONE, spot=Spot(seq, 0, seq)))


def test_once_in_what_a_person_asked_for():
    """The standing order refuses once until a person asks again; an order of its own refuses one more, and says that it may."""
    made = refusals(claimed_at(1))
    assert made.armed()["again"] is False
    assert made.refused() == ""
    assert made.armed() is None
    made.know(claimed_at(2))
    assert made.answer("Done.", late=False).state is None
    made.order(LATER)
    assert made.armed()["again"] is True
    made.know(claimed_at(3))
    assert made.answer("Done.", late=False).state == "not made"
    assert made.refused() == "2"
    assert made.armed() is None
    made.prompted()
    assert made.armed()["again"] is False


def test_a_claim_in_the_same_words_is_another():
    """A stop that repeats the last words is judged by its own claim once that was read, and not by the one before."""
    made = refusals(claimed_at(1))
    made.order(LATER)
    made.order(replace(LATER, id="3"))
    assert made.armed()["again"] is True
    assert made.answer("Done.", late=False).state == "not made"
    assert made.answer("Done.", late=False) is None
    assert made.answer("Done.", late=True).state is None
    made.know(claimed_at(2))
    assert made.answer("Done.", late=False).state == "not made"


def test_nothing_is_asked_without_an_order():
    """Where nobody wants a stop refused, the hook is not armed."""
    assert refusals(snapshot("not made"), "never").armed() is None
    assert refusals(snapshot("not made"), "never").answer("Done.", late=False).state is None
