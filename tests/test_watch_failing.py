"""Without a screen, a monitor that fails itself says so: it gives no verdict on the run, and no code that praises it."""

from __future__ import annotations

import json

import pytest

from monitor.commands.watch import follow
from monitor.errors import INPUT, MonitorError
from monitor.sources import Sources


def broken(*_):
    raise RuntimeError("no more")


def test_it_is_said_and_the_code_tells(tmp_path, monkeypatch):
    """The command ends as one whose input cannot be read."""
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"event": "RunStarted", "agent": "tiny"}) + "\n")
    monkeypatch.setattr(Sources, "take", broken)
    with pytest.raises(MonitorError) as told:
        follow(str(path), fail_on="stop", project=None, redact=True)
    assert told.value.text == "monitor itself failed and reads no further (RuntimeError: no more)"
    assert told.value.code == INPUT
