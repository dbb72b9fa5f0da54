"""What tests of several agents' sources begin with."""

from __future__ import annotations

import pytest
from opencode_logs import Talk


@pytest.fixture
def talk():
    """A session that has begun."""
    made = Talk()
    made.created()
    return made
