"""What is remembered of findings that have ended."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.detectors import docket
from monitor.findings import Finding, rank

LEVELS = ("note", "warn", "stop")
STATES = ("cleared", "closed", "settled")


def ended(*stories):
    """A docket in which findings were opened and ended one after another, each told by its level and its end."""
    held = docket.Docket()
    for seq, (level, state) in enumerate(stories):
        finding = Finding("folder", f"f{seq}", level, "m", "a", opened=seq, raised=seq)
        held.put(finding)
        held.end(finding.key, state, seq, "over")
    return held


def subjects(held):
    return [one.subject for one in held.findings()]


def test_what_stood_at_its_end_outlives_what_was_mended(monkeypatch):
    """Of many that have ended those are kept longest that stood at the end of their request, the most pressing first."""
    monkeypatch.setattr(docket, "ENDED", 2)
    monkeypatch.setattr(docket, "_STOOD", 2)
    stood = [("stop", "closed"), ("note", "closed"), ("warn", "closed"), ("stop", "cleared"), ("stop", "settled")]
    assert subjects(ended(*stood, ("note", "cleared"), ("note", "cleared"))) == ["f0", "f2", "f5", "f6"]


def test_of_equals_the_oldest_is_forgotten(monkeypatch):
    """Where all were as pressing, the latest stay."""
    monkeypatch.setattr(docket, "ENDED", 1)
    monkeypatch.setattr(docket, "_STOOD", 2)
    assert subjects(ended(*[("stop", "closed")] * 5)) == ["f2", "f3", "f4"]


@given(st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(STATES)), min_size=130, max_size=170))
@settings(deadline=None, max_examples=15)
def test_the_most_pressing_that_stood_is_never_forgotten(stories):
    """However many end, the highest level that stood when a request ended is still told, and no more than a bound."""
    found = ended(*stories).findings()
    highest = max((rank(level) for level, state in stories if state == "closed"), default=-1)
    assert max((rank(one.level) for one in found if one.state == "closed"), default=-1) == highest
    assert len(found) <= docket.ENDED + docket._STOOD


def test_a_copy_forgets_by_itself():
    """What ends in a copy changes nothing of the one it was made from."""
    held = ended(*[("stop", "closed")] * (docket.ENDED + 1))
    before, other = held.findings(), held.copy()
    other.put(Finding("folder", "more", "stop", "m", "a", opened=999, raised=999))
    other.close(1_000)
    assert held.findings() == before
    assert subjects(other)[-1] == "more"
