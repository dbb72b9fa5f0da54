"""Recordings of the real Codex, judged from the log to the report."""

from __future__ import annotations

import pytest

from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find

BASIC = {"hello.py": (False, 2)}
"""Refused twice, then written."""


@pytest.fixture
def judged(shared):
    """Judges a recording by its name."""

    def judge(name):
        supervisor = Supervisor(find(str(shared / "captures" / "codex" / f"{name}.jsonl")), live=False)
        supervisor.read_all()
        supervisor.close()
        return build(supervisor.snapshot, supervisor.accounts())

    return judge


@pytest.mark.parametrize(
    ("name", "state", "writes", "calls"),
    [
        ("rollout_basic", "claimed", BASIC, 5),
        ("rollout_codemode", "claimed", {"hello.py": (False, 1)}, 4),
        ("rollout_denied", "claimed", {}, 1),
        ("rollout_sigint", "aborted", {}, 2),
        ("rollout_sigint_then_resume", "claimed", {}, 1),
        ("rollout_sigterm", "unknown", {}, 1),
        ("hooks_pre_deny.rollout", "claimed", BASIC, 5),
        ("hooks_stop_block.rollout", "claimed", BASIC, 5),
        ("hooks_prompt_block.rollout", "unknown", {}, 0),
        ("exec_json_basic", "claimed", {}, 3),
        ("codemode_exec", "claimed", {}, 2),
    ],
)
def test_what_is_said_of_it(judged, name, state, writes, calls):
    """State, failed writes and counts of a recording are those of what happened in it."""
    report = judged(name)
    assert report["verdict"]["state"] == state
    found = {one["file"]: (one["outstanding"], len(one["failures"])) for one in report["failed_writes"]}
    assert found == writes
    assert report["runs"][0]["calls"] == calls


def test_every_recording_is_read(shared, judged):
    """Every rollout and stream is decoded to its last byte, and no record type in it is unknown."""
    names = [one.name for one in (shared / "captures" / "codex").glob("*.jsonl")]
    kept = [one for one in names if "rollout" in one or one.endswith(".exec.jsonl") or one.startswith("exec_json")]
    assert len(kept) > 30
    for name in kept:
        for account in judged(name.removesuffix(".jsonl"))["inputs"]:
            assert account["bytes"] == account["decoded_bytes"], name
            assert account["unknown_types"] == {}, name


def test_the_stream_says_what_it_cannot_show(judged):
    """Over a stream that leaves out refused patches, nothing is said of failed writes, and the reason stands there."""
    report = judged("exec_json_basic")
    assert report["coverage"]["failed_writes"]["sees"] == "none"
    assert "rollout" in report["coverage"]["failed_writes"]["why"]
