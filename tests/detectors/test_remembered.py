"""A memory of bounded size, of which copies share all but the latest."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.detectors import remembered
from monitor.detectors.remembered import Remembered

steps = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 9)), max_size=600)


@given(steps, st.integers(1, 120))
@settings(deadline=None, max_examples=60)
def test_the_latest_are_remembered(puts, most):
    """Each key that was put lately has the value put last, no key has one that was replaced, and the rest is bounded."""
    memory, latest = Remembered[int, int](most), dict(puts)
    for key, value in puts:
        memory.put(key, value)
        held = sum(len(page) for page in (memory._page, *memory._pages))
        assert held <= 2 * most + 2 * remembered._PAGE
    assert all(memory.get(key) == latest[key] for key, _ in puts[-most:])
    assert all(memory.get(key) in (None, value) for key, value in latest.items())
    assert memory.get(401) is None


@given(steps, steps)
@settings(deadline=None, max_examples=60)
def test_a_copy_goes_its_own_way(before, after):
    """What is put into a copy does not show in the one it was taken of, nor the other way round."""
    memory = Remembered[int, int](50)
    for key, value in before:
        memory.put(key, value)
    known = {key: memory.get(key) for key in range(401)}
    twin = memory.copy()
    for key, value in after:
        twin.put(key, value + 10)
    assert {key: memory.get(key) for key in range(401)} == known
    kept = {key: twin.get(key) for key in range(401)}
    for key, value in after:
        memory.put(key, value + 100)
    assert {key: twin.get(key) for key in range(401)} == kept


def test_a_copy_costs_a_page():
    """A copy of a large memory holds no more of its own than the page being written."""
    memory = Remembered[int, int](10_000)
    for key in range(9_999):
        memory.put(key, 1)
    twin = memory.copy()
    assert len(twin._page) < remembered._PAGE
    assert all(one is other for one, other in zip(memory._pages, twin._pages, strict=True))
    assert len(memory._pages) < 24
