"""Recordings of the real program, decoded: nothing is lost, nothing is misjudged."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from dirtywork_logs import all_events, file_records, of

from monitor.agents.dirtywork.find import FINDER
from monitor.events import Checked, RequestEnded, RunEnded, ToolCalled, ToolReturned, TreeMeasured, Unreadable


class Facts(NamedTuple):
    calls: int
    failed_writes: int
    claims: int
    status: str
    changed: bool | str | None = "not told"
    """dirtywork's last measurement."""


RECORDED = {
    "01-zero-change-finish": Facts(2, 0, 2, "completed", False),
    "02a-real-change": Facts(2, 0, 1, "completed", True),
    "02b-resume-feedback-noop": Facts(3, 0, 2, "unchanged", False),
    "02d-resume-feedback-applied": Facts(2, 0, 1, "completed", True),
    "03-stuck-same-failing-cmd": Facts(4, 0, 0, "stuck", False),
    "04-stalled-rereads": Facts(13, 0, 0, "stalled", False),
    "05-changed-null-broken-nested-git": Facts(2, 0, 1, "completed", None),
    "06-failed-edits-then-claims-done": Facts(3, 2, 2, "completed", False),
    "07-empty-replies": Facts(0, 0, 0, "model_error", False),
    "08-truncated-replies": Facts(0, 0, 0, "model_error", False),
    "09-verify-failed": Facts(3, 0, 2, "verify_failed", True),
    "10-ignored-file-only": Facts(3, 0, 2, "completed", False),
    "11-nested-unborn-repo": Facts(2, 0, 1, "completed", True),
    "12-sigint-during-model-call": Facts(2, 0, 0, "interrupted", None),
    "13a-sigterm-during-model-call": Facts(1, 0, 0, ""),
    "13b-resume-after-sigterm-feedback": Facts(2, 0, 1, "completed", True),
    "14-sigint-during-bash": Facts(1, 0, 0, "interrupted", None),
    "15-multi-call-turn-slow-model": Facts(5, 0, 1, "completed", True),
    "16-firewall-denial-and-bad-args": Facts(5, 0, 1, "completed", True),
    "17-bash-timeout": Facts(3, 0, 1, "completed", True),
    "20-sigterm-during-bash": Facts(0, 0, 0, ""),
    "21-sh-background-sigint-ignored": Facts(0, 0, 0, ""),
    "22-sigstop-pause": Facts(6, 0, 1, "completed", True),
    "23-proxy-injection": Facts(4, 0, 1, "completed", True),
}


TEXTS = ("text", "output", "arguments", "command", "task", "reason")


def facts(events) -> Facts:
    wrong = [one for back in of(events, ToolReturned) for one in back.files if one.outcome != "ok"]
    ends = [one.status for one in of(events, RunEnded)]
    last = [one.changed for one in of(events, TreeMeasured) if one.when == "end"]
    assert len(ends) == len(last) <= 1
    return Facts(
        calls=len({one.call for one in of(events, ToolCalled)}),
        failed_writes=len(wrong),
        claims=len([one for one in of(events, RequestEnded) if one.how == "answered"]),
        status=ends[0] if ends else "",
        changed=last[0] if last else "not told",
    )


def test_every_recording_is_in_the_table(shared):
    """No recording is left out of what the table proves."""
    folders = {path.parent.name for path in (shared / "captures/dirtywork").glob("*/rundir")}
    assert folders == set(RECORDED)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recording_is_understood(shared, name):
    """Calls, failed writes, claims, the end and the agent's own measurement come out as they were."""
    found = FINDER.open(shared / "captures/dirtywork" / name / "rundir")
    assert found is not None
    assert found.alive() is False
    assert found.project() is None
    events = all_events(found)
    assert of(events, Unreadable) == []
    assert found.decoder().unknown_types == {}
    assert facts(events) == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
def test_the_transcript_alone_tells_the_same(shared, name, tmp_path):
    """Without run.json, and under another name, a transcript tells the same calls, claims and end."""
    source = shared / "captures/dirtywork" / name / "rundir/transcript.jsonl"
    (tmp_path / "some.log").write_bytes(source.read_bytes())
    found = FINDER.open(tmp_path / "some.log")
    assert found is not None
    assert facts(all_events(found)) == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
def test_a_text_is_read_back_from_its_place(shared, name):
    """A fresh decoder, given one record, gives the same texts at the same items as one that has read all before it."""
    found = FINDER.open(shared / "captures/dirtywork" / name / "rundir")
    assert found is not None
    reader = found.decoder()
    for source in found.inputs():
        for record in file_records(source):
            again = {(type(one), one.place): one for one in found.decoder().feed(record)}
            for event in reader.feed(record):
                said = {field: getattr(event, field, "") for field in TEXTS}
                if event.place.input == source.index and any(said.values()):
                    assert said == {field: getattr(again[type(event), event.place], field, "") for field in TEXTS}


def test_the_checks_of_a_recording(shared):
    """Both runs of the verify command failed; the command itself stands in run.json."""
    found = FINDER.open(shared / "captures/dirtywork/09-verify-failed/rundir")
    assert found is not None
    assert [(one.command, one.passed, one.exit) for one in of(all_events(found), Checked)] == [
        ("test -f b.txt", False, 1)
    ] * 2
