from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.report.redact import Redactor
from monitor.report.redaction.token_shapes import SHAPES


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.kind} {shape.gates[0]}")
def test_whatever_has_a_shape_goes(shape):
    """Any text of an issuer's shape passes one of its gates and is taken out, its end cut off or not."""

    @settings(deadline=None, max_examples=8, database=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(re.compile(shape.pattern.pattern, re.ASCII), fullmatch=True))
    def check(token):
        found = shape.pattern.search(f" {token} ")
        assert any(gate in token for gate in shape.gates)
        assert found is not None
        secret = found["secret"] if "secret" in shape.pattern.groupindex else found.group()
        redactor = Redactor()
        assert secret not in redactor.text(f"so {token} it is")
        assert redactor.counts

    check()


def test_no_two_shapes_are_the_same():
    """Each shape is told once."""
    assert len({shape.pattern.pattern for shape in SHAPES}) == len(SHAPES)
