"""What is said of public logs, at places that were read in context."""

from __future__ import annotations

import pytest
from corpus import done_rightly, holds, labels


@pytest.fixture(scope="module")
def public(shared):
    """The folder of public logs, with their labels."""
    if not (shared / "corpus" / "labels.tsv").is_file():
        pytest.skip("the public logs are not here")
    return shared / "corpus"


def test_every_sure_label_is_right(public):
    """Each place that a reader was sure of is judged as he judged it; there are many of them."""
    sure = [label for label in labels(public) if label.sure]
    assert len(sure) > 10
    assert [label for label in sure if not holds(label, public)] == []


def test_what_was_done_rightly_is_not_stopped(public):
    """A run that claimed done, and passed a check of others from outside, is never told to stop."""
    right = done_rightly(public)
    assert len(right) > 5
    assert [label.file for label in right if not holds(label, public)] == []
