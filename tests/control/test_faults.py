"""What goes wrong around a run: its monitor is killed with -9, another holds it, the disk is full, a name is two runs'."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from kept_runs import kept, python, watched
from process_trees import alive
from waiting import until

import monitor
from monitor.actions import Action
from monitor.agents.dirtywork.control import DirtyworkChannel
from monitor.agents.dirtywork.find import RunFolder
from monitor.channels.sent import Sent
from monitor.demo.project import scratch_project
from monitor.errors import MonitorError
from monitor.launch.command import Prepared, prepare
from monitor.reaching import channel_of
from monitor.targets import find

ROOT = Path(monitor.__file__).parents[1]
SENDS = """
import sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from kept_runs import watched
from monitor.actions import Action
from monitor.launch.launched import LaunchedFinder
from monitor.reaching import channel_of
from monitor.targets import FINDERS
found = LaunchedFinder(FINDERS).open(Path(sys.argv[2]))
with watched(found, channel_of(found)) as watch:
    watch.reads(sys.argv[3])
    watch.channel.send(Action("early", "feedback", "Mend it.", when=sys.argv[4]))
    watch.until(lambda: sys.argv[5] in watch.steps("early"))
    print("sent", flush=True)
    watch.until(lambda: False)
"""
"""A monitor that sends a message and then only follows."""
ACP = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "s1"}}.get(asked.get("method"))
    if answer is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
    elif asked.get("method") == "session/prompt":
        text = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "working"}}
        told = {"method": "session/update", "params": {"sessionId": "s1", "update": text}}
        print(json.dumps({"jsonrpc": "2.0", **told}), flush=True)
"""
"""Speaks the Agent Client Protocol, and never ends a prompt."""
BUSY = """
import time
for number in range(3000):
    print('{"event": "Said", "text": "%s"}' % ("x" * 200), flush=True)
time.sleep(0.5)
"""


@contextmanager
def sender(folder, sign, when="next", receipt="delivered"):
    """That monitor at work; killed with -9 at the end, if not before."""
    process = subprocess.Popen(
        [sys.executable, "-c", SENDS, str(Path(__file__).parents[1]), str(folder), sign, when, receipt],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"sent\n"
        yield process
        process.send_signal(signal.SIGKILL)


def free(found):
    """Whether no other monitor is connected any more."""
    with watched(found, channel_of(found)) as watch:
        watch.step()
        return not watch.channel.can("feedback")


def test_killed_after_it_sent_a_message():
    """The monitor is killed with -9: the agent is unharmed, takes the message up, and a later monitor sees it done."""
    with scratch_project() as project:
        prepared = Prepared("native", (sys.executable, "-m", "monitor.demo.agent", str(project)), listens=True)
        with kept(prepared, project) as found:
            with sender(found.folder, "Prompted"):
                pass
            root = found.identity()
            assert root is not None
            with watched(found, channel_of(found)) as later:
                later.until(lambda: later.steps("early")[-1:] == ["seen"])
                assert later.steps("early") == ["queued", "delivered", "seen"]
            assert alive(root.pid)


def test_killed_while_it_held_a_message(tmp_path):
    """A message that waited in a monitor for the running prompt's end was never sent once that monitor is killed.

    While it lives, another monitor keeps the message as queued.
    """
    with kept(prepare([sys.executable, "-c", ACP], "acp", "Rename it"), tmp_path) as found:
        with watched(found, channel_of(found)) as first:
            first.reads("working")
        with sender(found.folder, "working", "later", "queued") as holder:
            with watched(found, channel_of(found)) as other:
                other.until(lambda: other.steps("early") == ["queued"] and other.channel.can("feedback"))
                other.reads("working")
                other.step()
                assert other.evidence("early") == "given to an earlier monitor"
            holder.send_signal(signal.SIGKILL)
            holder.wait()
            until(lambda: free(found))
            with watched(found, channel_of(found)) as later:
                later.until(lambda: later.steps("early")[-1:] == ["failed"])
                assert later.evidence("early") == "never sent: the monitor that held it is gone"
                assert found.alive()
                prompts = [one for one in later.records if b'"session/prompt"' in one.data]
                assert len(prompts) == 1, "never two prompts at once"


def test_a_prompt_that_an_earlier_monitor_sent(tmp_path):
    """A later monitor hears in the log of the wire that a message was sent, and that the agent works on it."""
    with kept(prepare([sys.executable, "-c", ACP], "acp"), tmp_path) as found:
        with watched(found, channel_of(found)) as first:
            first.channel.send(Action("1", "feedback", "Mend it."))
            first.reads("working")
        with watched(found, channel_of(found)) as later:
            later.until(lambda: later.steps("1")[-1:] == ["seen"])
            assert later.steps("1") == ["queued", "delivered", "seen"]


def ended(folder, name, **fields):
    """A dirtywork run that has ended."""
    run = folder / name
    run.mkdir()
    told = {"slug": name, "repo": "r", "worktree": "w", "branch": "b", "base_commit": "c", "status": "interrupted"}
    (run / "run.json").write_text(json.dumps({**told, **fields}))
    return RunFolder(run)


def test_feedback_that_waited_for_the_end_of_a_run(tmp_path):
    """Feedback of a monitor that is gone: seen where the run goes on with it, failed where it was not resumed."""
    sent = Sent(tmp_path / "sent")
    for name, words in (("1", "Mend it."), ("2", "And test it.")):
        sent.add(name, Action(name, "feedback", words))
    run = ended(tmp_path, "slug", resumed_by="next")
    (tmp_path / "next").mkdir()
    (tmp_path / "next" / "transcript.jsonl").write_text('{"event": "run_start", "feedback": "Mend it."}\n')
    channel = DirtyworkChannel(run, lambda *_: pytest.fail("nothing is started again"), sent=sent)
    told = {(one.id, one.receipt): one.evidence for one in channel.receipts()}
    assert "attach with: monitor next" in told["1", "seen"]
    assert "the monitor that was to do it is gone" in told["2", "failed"]


def test_feedback_that_another_monitor_holds(tmp_path):
    """As long as the monitor lives that is to resume a run, its feedback is not told as lost."""
    with subprocess.Popen(["sleep", "300"]) as holder:
        entry = Path(f"/proc/{holder.pid}/stat").read_text().rpartition(")")[2].split()
        row = {"key": "1", "id": "1", "verb": "feedback", "text": "Mend it.", "subject": "", "by": "operator"}
        (tmp_path / "sent").write_text(json.dumps({**row, "holder": [holder.pid, float(entry[19])]}) + "\n")
        channel = DirtyworkChannel(ended(tmp_path, "slug"), lambda *_: None, sent=Sent(tmp_path / "sent"))
        assert [one.receipt for one in channel.receipts()] == ["queued"]
        holder.kill()
        holder.wait()
        assert [one.receipt for one in channel.receipts()] == ["failed"]


def test_a_disk_that_is_full_while_a_message_is_sent(tmp_path):
    """What cannot be written down is sent all the same."""
    (tmp_path / "sent").symlink_to("/dev/full")
    sent = Sent(tmp_path / "sent")
    sent.add("1", Action("1", "feedback", "Mend it."))
    code = 'import sys; sys.stdin.readline(); print(\'{"event": "RunEnded"}\', flush=True)'
    with kept(python(code), tmp_path) as found:
        (found.folder / "sent.jsonl").symlink_to("/dev/full")
        with watched(found, channel_of(found)) as watch:
            watch.channel.send(Action("1", "feedback", "Mend it."))
            watch.reads("RunEnded")
            assert "delivered" in watch.steps("1")


def test_a_disk_that_is_full_while_the_agent_speaks(tmp_path):
    """The agent goes on to its end though its output finds no room: how much was lost is told, and no line is half."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with kept(python(BUSY, listens=False), tmp_path) as found:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            until(lambda: found.ended() is not None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (found.ended() or {})["code"] == 0
    assert (found.ended() or {})["lost"] > 400_000
    lines = (found.folder / "output").read_bytes().splitlines()
    assert len(lines) > 300
    assert all(json.loads(line) for line in lines[:-1])


def test_no_room_to_begin(tmp_path, monkeypatch):
    """Where a run's folder cannot be written, nothing is started, and it is said what to do."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(MonitorError, match="File too large") as told, kept(python("pass"), tmp_path):
            pytest.fail("it was started")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "Make room there" in told.value.hint


def test_a_name_that_two_runs_have(tmp_path):
    """A session id that names two runs is not taken for either: both are named, and more of it is asked for."""
    with kept(python("pass"), tmp_path) as one, kept(python("pass"), tmp_path) as two:
        with pytest.raises(MonitorError, match="2 sessions begin like this") as told:
            find(one.title[:4])
        assert one.title in told.value.hint
        assert two.title in told.value.hint
        assert find(one.title).title == one.title
