"""What a filter leaves out, and what proves a failure of a site it asks for."""

from __future__ import annotations

import pytest
from ui_found import ROWS, found
from ui_samples import SampleRows, ran
from ui_views import HOST

from monitor.ui.query import Proofs

PROOFS: Proofs = {"dl.example.org": frozenset({1})}


@pytest.mark.parametrize(
    "term", ["kind:write", "kind:w", "readings", "file:store.py", f"site:{HOST}", "failed", '"no such"']
)
def test_what_is_left_out_is_all_that_would_be_found(term: str) -> None:
    """A minus before anything shows the other rows, and no row is both or neither; beside words that must hold too."""
    every = set(range(len(ROWS)))
    assert set(found(f"-{term}")) == every - set(found(term))
    assert set(found(f"kind:shell -{term}")) == set(found("kind:shell")) - set(found(term))
    assert found(f"{term} -{term}") == []


def test_what_proves_a_failure_of_the_site_is_found_without_its_name() -> None:
    """A build that names no address: the detector knows that it failed for the site."""
    rows = SampleRows()
    ran(rows, "12:00:00", "make all", "exit 2", output="could not fetch")
    ran(rows, "12:00:01", "make all", "exit 2", output="something else")
    assert found("site:dl.example.org", rows) == []
    assert found("site:dl.example.org", rows, PROOFS) == [1]
    assert found("-site:dl.example.org", rows, PROOFS) == [0], "nor is it shown where the site is left out"
