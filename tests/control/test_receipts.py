"""Receipts only ever go forward, and each step is told once."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.actions import Action
from monitor.channels.receipts import Receipts

ORDER = ["queued", "delivered", "seen", "done", "failed"]
STEPS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "strange"]), st.sampled_from(ORDER), st.sampled_from(["", "x", "y\x1b[0m\n"])),
    max_size=30,
)


def clock():
    return 5.0


@settings(deadline=None, max_examples=100)
@given(STEPS)
def test_receipts_only_go_forward(steps):
    """Whatever is told in whatever order: never back, nothing twice, nothing after the end, nothing of strangers."""
    receipts = Receipts("test", clock)
    for name in ("a", "b"):
        receipts.begin(Action(name, "feedback", "text"))
    for name, receipt, evidence in steps:
        receipts.tell(name, receipt, evidence)
    told = receipts.take()
    assert receipts.take() == []
    assert {one.id for one in told} <= {"a", "b"}
    for name in ("a", "b"):
        own = [one for one in told if one.id == name]
        ranks = [ORDER.index(one.receipt) for one in own]
        assert ranks == sorted(ranks)
        assert sum(one.receipt in ("done", "failed") for one in own) <= 1
        pairs = [(one.receipt, one.evidence) for one in own]
        assert all(one != after for one, after in itertools.pairwise(pairs))
        assert all("\x1b" not in one.evidence and "\n" not in one.evidence for one in own)
        assert (own[0].receipt, own[0].at, own[0].channel, own[0].text) == ("queued", 5.0, "test", "text")


def test_only_so_many_are_remembered():
    """Old actions are forgotten; the state stays bounded."""
    receipts = Receipts("test", clock)
    for number in range(1_000):
        receipts.begin(Action(str(number), "warn"))
    receipts.take()
    receipts.tell("0", "done")
    receipts.tell("999", "done")
    assert [one.id for one in receipts.take()] == ["999"]
    assert len(receipts.open()) < 300


def test_a_countdown_is_told():
    """The time of the next step is news, and no news a second time."""
    receipts = Receipts("test", clock)
    receipts.begin(Action("a", "abort"))
    receipts.tell("a", "delivered", "SIGINT sent", 10.0)
    receipts.tell("a", "delivered", "SIGINT sent", 10.0)
    receipts.tell("a", "delivered", "SIGINT sent", 15.0)
    assert [one.until for one in receipts.take()] == [None, 10.0, 15.0]
