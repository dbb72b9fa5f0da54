"""What is said of recorded runs of real agents, from the log to the report."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find


@pytest.fixture
def judged(shared):
    """Judges a recording by its path below the captures."""

    def judge(name):
        supervisor = Supervisor(find(str(shared / "captures" / name)), live=False)
        supervisor.read_all()
        supervisor.close()
        return build(supervisor.snapshot, supervisor.accounts())

    return judge


def test_failed_edits_then_a_claim(shared):
    """Dirtywork's two refused edits under a claim of done: not made, both failures with their places, exit 1."""
    run = shared / "captures" / "dirtywork" / "06-failed-edits-then-claims-done" / "rundir"
    done = subprocess.run(
        [sys.executable, "-m", "monitor", "report", str(run), "--format", "json"], capture_output=True, check=False
    )
    report = json.loads(done.stdout)
    (entry,) = report["failed_writes"]
    transcript = [one["name"] for one in report["inputs"]].index("transcript.jsonl")
    assert done.returncode == 1
    assert (report["verdict"]["state"], report["verdict"]["claimed_done"]) == ("not made", True)
    assert (entry["file"], entry["outstanding"]) == ("app/strings.xml", True)
    assert [one["place"] for one in entry["failures"]] == [{"input": transcript, "line": line} for line in (3, 5)]


def test_mended_edits(judged):
    """Claude's two failed edits, cleared by the good one; transcript and stream tell the same."""
    reports = [judged(f"claude/{name}") for name in ("transcript_basic.jsonl", "p_stream_basic.jsonl")]
    for report in reports:
        (entry,) = report["failed_writes"]
        assert (entry["file"], entry["outstanding"], len(entry["failures"])) == ("hello.py", False, 2)
        assert report["verdict"]["state"] == "claimed"
    one, other = ([failure["failure"] for failure in report["failed_writes"][0]["failures"]] for report in reports)
    assert one == other == ["not_found", "not_found"]


def test_provisional_until_the_child_ends(shared):
    """While the sub-agent still works the verdict is provisional, and no longer at the end."""
    seen = []

    def tap(event, run):
        shown = run.snapshot()
        child = any(actor.id and actor.running for actor in shown.actors)
        seen.append(shown.verdict.provisional)
        assert seen[-1] == child

    supervisor = Supervisor(find(str(shared / "captures" / "claude" / "p_subagent.stream.jsonl")), live=False, tap=tap)
    supervisor.read_all()
    supervisor.close()
    assert True in seen
    assert seen[-1] is False


def test_refused_for_want_of_an_approver(judged):
    """A call nobody was there to approve is refused, not denied by a person."""
    report = judged("claude/p_autodeny.stream.jsonl")
    failures = [one["failure"] for entry in report["failed_writes"] for one in entry["failures"]]
    assert "denied" not in failures
    assert "refused" in failures


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("claude/p_fail400.stream.jsonl", "failed"),
        ("claude/p_rep.stream.jsonl", "claimed"),
        ("dirtywork/01-zero-change-finish/rundir", "unchanged"),
        ("dirtywork/03-stuck-same-failing-cmd/rundir", "looping"),
        ("dirtywork/04-stalled-rereads/rundir", "looping"),
        ("dirtywork/07-empty-replies/rundir", "failed"),
        ("dirtywork/09-verify-failed/rundir", "failed"),
        ("dirtywork/12-sigint-during-model-call/rundir", "aborted"),
        ("dirtywork/13a-sigterm-during-model-call/rundir", "unknown"),
        ("dirtywork/16-firewall-denial-and-bad-args/rundir", "changed"),
        ("lcode/02-unreachable-404/stdout.jsonl", "blocked"),
        ("lcode/02b-MISS-proxy-url-in-command/stdout.jsonl", "blocked"),
        ("lcode/03-unreachable-refused/stdout.jsonl", "blocked"),
        ("lcode/04-circles/stdout.jsonl", "looping"),
        ("lcode/11-failed-edits-then-claims-done/stdout.jsonl", "not made"),
        ("lcode/18-max-steps/stdout.jsonl", "stopped"),
        ("lcode/34-acp-circles/acp-wire.jsonl", "looping"),
        ("lcode/35-acp-blocked/acp-wire.jsonl", "blocked"),
    ],
)
def test_states(judged, name, state):
    """Each recorded run comes to the state that its story has."""
    assert judged(name)["verdict"]["state"] == state


def test_a_session_that_ends_with_the_guards_note_loops(judged):
    """The dropped replies are not in it: the note alone tells, and is marked as the agent's own."""
    report = judged("lcode/04-circles/state/sessions/20261130-073811-5ddcce.json")
    assert report["verdict"]["state"] == "looping"
    assert report["verdict"]["reason"] == "It ends with the agent's own note: a reply went in circles and was dropped"
    assert [one["rule"] for one in report["thinking"]["flags"]] == ["harness"]
    assert all(one["theirs"] for one in report["thinking"]["flags"])
    assert judged("lcode/04-circles/stdout.jsonl")["verdict"]["reason"].endswith(
        "; the agent's own guard ended it: loop"
    )
    answered = judged("lcode/05-circles-then-answer/state/sessions/20261130-073812-379b5f.json")
    assert answered["verdict"]["state"] != "looping", "it answered after the note"


@pytest.mark.parametrize("name", ["02-unreachable-404", "02b-MISS-proxy-url-in-command", "03-unreachable-refused"])
def test_sites_no_call_could_reach(shared, name):
    """A warning at the third different failed call to a site, a stop at the fifth."""
    levels = []

    def tap(event, run):
        found = [one for one in run.snapshot().findings if one.detector == "sites"]
        if found and (not levels or levels[-1][1] != found[0].level):
            calls = max(entry.failed_calls for entry in run.snapshot().sites.entries)
            levels.append((calls, found[0].level))

    path = shared / "captures" / "lcode" / name / "stdout.jsonl"
    supervisor = Supervisor(find(str(path)), live=False, tap=tap)
    supervisor.read_all()
    supervisor.close()
    assert levels == [(3, "warn"), (5, "stop")]


def test_a_dead_proxy_is_named(judged):
    """Where the proxy itself refuses, it is named beside the site and in the advice."""
    report = judged("lcode/03-unreachable-refused/stdout.jsonl")
    vias = {one["via"] for one in report["sites"]}
    advice = next(one["advice"] for one in report["findings"] if one["detector"] == "sites")
    assert any(via and via in advice for via in vias)


@pytest.mark.parametrize("name", ["lcode/34-acp-circles/acp-wire.jsonl", "claude/p_rep.stream.jsonl"])
def test_circling_thoughts_are_flagged(judged, name):
    """Thinking that repeats itself is flagged, with the place where it showed."""
    assert judged(name)["thinking"]["flags"]


def test_every_byte_of_every_recording(shared):
    """Bytes add up for every recording that is a run: read = decoded + unreadable + unfinished."""
    from monitor.errors import MonitorError

    counted = 0
    for path in sorted((shared / "captures").rglob("*.jsonl")):
        try:
            found = find(str(path))
        except MonitorError:
            continue
        supervisor = Supervisor(found, live=False)
        supervisor.read_all()
        for one in supervisor.accounts():
            assert one.bytes == one.decoded_bytes + one.unreadable_bytes + one.unfinished_bytes, path
            counted += one.bytes
        supervisor.close()
    assert counted > 1_000_000
