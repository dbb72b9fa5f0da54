"""From bytes to a snapshot: the whole way, live and finished."""

from __future__ import annotations

import json

import logs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judged_logs import judged, shown

from monitor.actions import Action
from monitor.report.build import build
from monitor.run.run import Run
from monitor.supervisor import Supervisor
from monitor.targets import find


def followed(path, whole, pieces):
    """The report of a log that grew piece by piece while it was followed."""
    path.write_bytes(whole[: pieces[0]])
    supervisor = Supervisor(find(str(path)), live=True, clock=lambda: 10.0)
    try:
        for start, stop in zip(pieces, [*pieces[1:], len(whole)], strict=True):
            with path.open("ab") as file:
                file.write(whole[start:stop])
            supervisor.step()
        while supervisor.step():
            pass
        supervisor.finish()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()


def test_false_done(tmp_path):
    """Two failed writes and a claim of done: not made, and every byte is accounted for."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    report = judged(log)
    assert (report["verdict"]["state"], report["verdict"]["claimed_done"]) == ("not made", True)
    assert [entry["outstanding"] for entry in report["failed_writes"]] == [True]
    assert [failure["place"]["line"] for failure in report["failed_writes"][0]["failures"]] == [4, 6]
    account = report["inputs"][0]
    assert account["bytes"] == log.stat().st_size == account["decoded_bytes"]


CUTS = st.lists(st.integers(0, len(logs.lines(*logs.FALSE_DONE))), max_size=12)


@given(CUTS)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_pieces_give_the_same_report(tmp_path, cuts):
    """A log fed in one piece, or in any pieces while it grows, gives the same report."""
    whole = logs.lines(*logs.FALSE_DONE)
    log = tmp_path / "run.jsonl"
    log.write_bytes(whole)
    expected = judged(log)
    first = len(logs.lines(logs.started()))
    pieces = sorted({first, *(cut for cut in cuts if cut > first)})
    assert followed(log, whole, pieces) == expected


def test_byte_by_byte(tmp_path):
    """A log that grows byte by byte gives the same report."""
    whole = logs.lines(*logs.FALSE_DONE)
    log = tmp_path / "run.jsonl"
    log.write_bytes(whole)
    expected = judged(log)
    first = len(logs.lines(logs.started()))
    assert followed(log, whole, list(range(first, len(whole)))) == expected


RECORDINGS = [
    "claude/transcript_basic.jsonl",
    "claude/p_stream_basic.jsonl",
    "claude/p_subagent.stream.jsonl",
    "claude/p_rep.stream.jsonl",
    "claude/subagent_session",
    "dirtywork/06-failed-edits-then-claims-done/rundir",
    "dirtywork/16-firewall-denial-and-bad-args/rundir",
]


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_copy_goes_on_like_the_original(shared, name):
    """A copy of run and decoder taken anywhere, and continued, gives the same as going straight on."""
    found = find(str(shared / "captures" / name))
    events = []
    supervisor = Supervisor(found, live=False, tap=lambda event, _: events.append(event))
    supervisor.read_all()
    supervisor.close()
    for part in range(1, 8):
        cut = len(events) * part // 8
        run = Run()
        for event in events[:cut]:
            run.feed(event)
        other = run.copy()
        for event in events[cut:]:
            other.feed(event)
        run.snapshot()
        assert other.snapshot() == supervisor.snapshot


def test_rows_are_read_back(tmp_path):
    """The timeline's texts come from the log itself, and say so when it is gone."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    supervisor = Supervisor(find(str(log)), live=False)
    supervisor.read_all()
    rows = shown(supervisor.rows)
    assert [row.kind for row in rows] == ["started", "prompt", "write", "write", "claim", "ended"]
    assert [row.text for row in rows][1:5] == ["Mend it", "a.py", "a.py", "Done."]
    assert rows[2].outcome == "old text not found"
    assert [row.level for row in rows][2:4] == ["stop", "stop"]
    supervisor.close()
    other = Supervisor(find(str(log)), live=False)
    other.read_all()
    log.unlink()
    assert other.rows.row(1).text == "the text can no longer be read"
    other.close()


def test_the_operator_settles(tmp_path):
    """A settled finding is no longer outstanding, and the reason is on record."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:-1]))
    supervisor = Supervisor(find(str(log)), live=True)
    while supervisor.step():
        pass
    finding = next(one for one in supervisor.snapshot.findings if one.state == "open")
    supervisor.act(Action("a1", "settle", text="it is meant so", subject=finding.key))
    supervisor.step()
    assert supervisor.snapshot.writes.outstanding == 0
    assert "it is meant so" in supervisor.snapshot.writes.entries[0].settled_by
    assert supervisor.snapshot.actions[0].receipt == "done"
    supervisor.close()


def test_json_stays_json(tmp_path):
    """A report of hostile texts is still one JSON object."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(logs.started(task="[/foo]\x1b]52;c;x\x07\u202e\ud800"), logs.prompted("\x00[INFO]")))
    assert json.loads(json.dumps(judged(log)))["runs"][0]["task"]
