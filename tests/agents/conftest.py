"""What tests of several agents' sources begin with."""

from __future__ import annotations

import pytest
from opencode_logs import CWD, SESSION, Talk
from opencode_server import serving
from opencode_watched import Watch

from monitor.agents.opencode.live import Live
from monitor.agents.opencode.server import Server


@pytest.fixture
def talk():
    """A session that has begun."""
    made = Talk()
    made.created()
    return made


@pytest.fixture
def fake():
    """A server with one session."""
    with serving() as made:
        yield made


@pytest.fixture
def watch(fake):
    """A session at work, followed."""
    fake.talk.asked("Change it")
    fake.talk.reply()
    fake.working = True
    made = Watch(Live(Server(fake.port, ""), SESSION, CWD))
    made.until(lambda: made.run.snapshot.run.requests == 1 and fake.listeners)
    fake.told = len(fake.talk.events)
    yield made
    made.close()
