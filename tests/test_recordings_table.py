"""Every recorded run of dirtywork and lcode, with the state it comes to and all that is found in it."""

from __future__ import annotations

import pytest

from monitor.events import ToolReturned
from monitor.supervisor import Supervisor
from monitor.targets import find

STOPPED_WRITE, IDLE_FOLDER = "failed_writes stop", "worktree note"
DIRTYWORK = {
    "01-zero-change-finish": ("unchanged", [IDLE_FOLDER]),
    "02a-real-change": ("changed", []),
    "02b-resume-feedback-noop": ("unchanged", ["worktree stop"]),
    "02d-resume-feedback-applied": ("changed", []),
    "03-stuck-same-failing-cmd": ("looping", ["repeats stop", "repeats warn"]),
    "04-stalled-rereads": ("looping", ["repeats stop", "repeats stop"]),
    "05-changed-null-broken-nested-git": ("claimed", []),
    "06-failed-edits-then-claims-done": ("not made", [STOPPED_WRITE, IDLE_FOLDER]),
    "07-empty-replies": ("failed", ["replies stop"]),
    "08-truncated-replies": ("failed", ["repeats note", "replies stop"]),
    "09-verify-failed": ("failed", []),
    "10-ignored-file-only": ("unchanged", [IDLE_FOLDER]),
    "11-nested-unborn-repo": ("changed", []),
    "12-sigint-during-model-call": ("aborted", []),
    "13a-sigterm-during-model-call": ("unknown", []),
    "13b-resume-after-sigterm-feedback": ("changed", []),
    "14-sigint-during-bash": ("aborted", []),
    "15-multi-call-turn-slow-model": ("changed", []),
    "16-firewall-denial-and-bad-args": ("changed", []),
    "17-bash-timeout": ("changed", []),
    "20-sigterm-during-bash": ("unknown", []),
    "21-sh-background-sigint-ignored": ("unknown", []),
    "22-sigstop-pause": ("changed", []),
    "23-proxy-injection": ("changed", []),
}
LCODE = {
    "01-success-edit": ("changed", []),
    "02-unreachable-404": ("blocked", ["sites stop"]),
    "02b-MISS-proxy-url-in-command": ("blocked", ["repeats stop", "sites stop"]),
    "02c-web_fetch-404": ("blocked", ["sites stop"]),
    "03-unreachable-refused": ("blocked", ["sites stop"]),
    "04-circles": ("looping", ["replies stop"]),
    "05-circles-then-answer": ("unknown", ["(replies note)"]),
    "06-empty-replies": ("looping", ["replies stop"]),
    "07-cut-off-before-answer": ("claimed", ["(replies note)"]),
    "08-cd-out-of-project": ("claimed", ["(folder note)"]),
    "09-script-never-run": ("changed", ["scripts note"]),
    "10-same-call-repeats": ("looping", ["repeats stop"]),
    "11-failed-edits-then-claims-done": ("not made", [STOPPED_WRITE]),
    "12-sigint-during-model": ("aborted", []),
    "13-sigterm-during-model": ("unknown", []),
    "14-sigint-during-bash": ("aborted", []),
    "15-sigterm-during-bash": ("unknown", []),
    "16-permission-refused-ask-mode": ("not made", [STOPPED_WRITE]),
    "17-openai-backend": ("not made", [STOPPED_WRITE]),
    "18-max-steps": ("stopped", []),
    "19-output-json": ("claimed", []),
    "20a-first-request": ("claimed", []),
    "20b-resume-with-stream-json": ("claimed", []),
    "36-hooks-steer-live": ("not made", [STOPPED_WRITE]),
    "38-sigterm-orphan": ("unknown", []),
    "39-sigkill": ("unknown", []),
}
SESSIONS = {
    **{name: found for name, found in LCODE.items() if name != "20b-resume-with-stream-json"},
    "04-circles": ("looping", ["replies note", "thinking warn"]),
    "05-circles-then-answer": ("unknown", ["(replies note)", "thinking warn"]),
    "06-empty-replies": ("unknown", ["replies note"]),
    "18-max-steps": ("unknown", []),
    "30-acp-cancel-then-feedback": ("changed", []),
    "30b-acp-cancel-before-first-byte": ("aborted", []),
    "31-acp-cancel-during-bash": ("aborted", []),
    "32-acp-second-prompt-while-running": ("claimed", []),
    "33-acp-permission-reject": ("claimed", []),
    "34-acp-circles": ("looping", ["replies note", "thinking warn"]),
    "35-acp-blocked": ("blocked", ["sites stop"]),
    "37-pty-steer": ("aborted", [STOPPED_WRITE]),
}
"""A saved session tells neither that the step limit was reached nor that the second lost reply was the last."""
WIRES = {
    "30-acp-cancel-then-feedback": ("claimed", []),
    "30b-acp-cancel-before-first-byte": ("aborted", []),
    "31-acp-cancel-during-bash": ("aborted", []),
    "32-acp-second-prompt-while-running": ("claimed", []),
    "33-acp-permission-reject": ("claimed", []),
    "34-acp-circles": ("looping", ["thinking warn"]),
    "35-acp-blocked": ("blocked", ["sites stop"]),
}


def judged(path):
    """The state a run comes to, and what is found in it; what was cleared stands in brackets."""
    supervisor = Supervisor(find(str(path)), live=False)
    supervisor.read_all()
    supervisor.close()
    found = [(f"{one.detector} {one.level}", one.state) for one in supervisor.snapshot.findings]
    shown = sorted(words if state == "open" else f"({words})" for words, state in found)
    return supervisor.snapshot.verdict.state, shown


@pytest.mark.parametrize(
    ("pattern", "table", "several"),
    [
        ("dirtywork/*/rundir", DIRTYWORK, {}),
        ("lcode/*/stdout.jsonl", LCODE, {"20c-resume-with-text"}),
        ("lcode/*/state/sessions/*.json", SESSIONS, {"20b-resume-with-stream-json", "20c-resume-with-text"}),
        ("lcode/*/acp-wire.jsonl", WIRES, {}),
    ],
)
def test_every_recording_comes_to_its_state_with_its_findings(shared, pattern, table, several):
    """The whole table: no state is another, nothing more is found and nothing less.

    `several`: folders that hold no log of this kind, or more than one session.
    """
    root = shared / "captures"
    runs = {path.relative_to(root).parts[1]: path for path in sorted(root.glob(pattern))}
    assert set(runs) - set(several) == set(table)
    assert {name: judged(runs[name]) for name in table} == table


def outcomes(path):
    """What became of each call of a run."""
    told = []
    supervisor = Supervisor(
        find(str(path)),
        live=False,
        tap=lambda event, _: told.append(event) if isinstance(event, ToolReturned) else None,
    )
    supervisor.read_all()
    supervisor.close()
    return [one.outcome for one in told], supervisor.snapshot


def test_a_refused_permission_is_refused_and_no_persons_denial(shared):
    """Where nobody was there to ask, the call is refused; a person's no over ACP is a denial and leaves nothing."""
    refused, _ = outcomes(shared / "captures/lcode/16-permission-refused-ask-mode/stdout.jsonl")
    assert refused == ["refused", "failed"]
    denied, snapshot = outcomes(shared / "captures/lcode/33-acp-permission-reject/acp-wire.jsonl")
    assert "denied" in denied
    assert snapshot.writes.outstanding == 0
