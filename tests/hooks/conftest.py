"""What the tests of the hooks share."""

from __future__ import annotations

import pytest
from hook_calls import SESSION

from monitor.hooks.mailbox import Mailbox
from monitor.hooks.places import place_of


@pytest.fixture
def box():
    opened = Mailbox("claude", SESSION)
    yield opened
    opened.close()


@pytest.fixture
def place(tmp_path):
    found = place_of("claude", tmp_path / "project")
    found.path.parent.mkdir(parents=True)
    return found
