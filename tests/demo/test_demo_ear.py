"""The scripted agent obeys: abort, warn and feedback reach it, and it shows that they did."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from told import decoded

from monitor import events
from monitor.demo.agent import run
from monitor.demo.ear import Ear
from monitor.demo.files import FILES, SETTINGS
from monitor.demo.project import scratch_project
from monitor.demo.story import story as pauses
from monitor.demo.voice import Voice

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
CLAIMED = len(list(pauses(Voice(io.BytesIO(), Path()), Path()))) + 1
"""Steps of the story until its claim."""
WORDS = "The settings screen still asks for English texts."


class Listener:
    """Says one thing at one step of the story, and then nothing."""

    def __init__(self, step, open_for=0):
        self.left = step
        self.open_for = open_for
        self.said = False

    @property
    def open(self):
        self.open_for -= 1
        return self.open_for >= 0

    def rest(self, _):
        self.left -= 1

    def messages(self):
        if self.left > 0 or self.said:
            return []
        self.said = True
        return [WORDS]


def played(listener):
    """What is told when something is said at that step, and the screen's file afterwards."""
    out = io.BytesIO()
    with scratch_project() as project:
        assert run(project, out, listener.rest, listener) == 0
        return decoded(out.getvalue()), (project / SETTINGS).read_text()


@pytest.mark.parametrize("step", [0, 40, 90, 150])
def test_told_at_any_time_it_says_so_and_makes_the_missing_change(step):
    """Told early or late, it tells the message among its prompts, and the change is really made."""
    told, screen = played(Listener(step))
    prompts = [event for event in told if isinstance(event, events.Prompted) and event.by == "operator"]
    assert [event.text for event in prompts] == [WORDS]
    assert 'text("settings.title", self.language)' in screen
    assert 'text("settings.kept", self.language)' in screen
    claim = [event for event in told if isinstance(event, events.RequestEnded)][-1]
    last = [
        event
        for event in told
        if isinstance(event, events.ToolReturned) and event.files and event.files[0].file == SETTINGS
    ][-1]
    assert last.outcome == "ok"
    assert claim.how == "answered"


def test_told_after_its_claim_it_goes_on_and_claims_again():
    """A word after the claim begins a new request: the change is made, and done is claimed once more, truly."""
    told, screen = played(Listener(CLAIMED, open_for=8))
    claims = [event.text for event in told if isinstance(event, events.RequestEnded)]
    prompt = next(event for event in told if isinstance(event, events.Prompted) and event.by == "operator")
    assert (prompt.text, prompt.into) == (WORDS, "new")
    assert 'text("settings.title", self.language)' in screen
    assert [claim.partition(" ")[0] for claim in claims] == ["Done.", "You"]


def started(project):
    return subprocess.Popen(
        [sys.executable, "-m", "monitor.demo.agent", str(project)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_control_line_aborts_it(project):
    """Told to stop by a control line, it ends as interrupted, in whole lines and without a complaint."""
    with started(project) as process:
        try:
            head = process.stdout.readline()
            rest, errors = process.communicate(b'nonsense\n[1]\n{"control": "dance"}\n{"control": "abort"}\n', PATIENCE)
        finally:
            process.kill()
    last = decoded(head + rest)[-1]
    assert isinstance(last, events.RunEnded)
    assert (last.status, last.reason, process.returncode, errors) == (
        "interrupted", "told to stop by a control line", 130, b"",
    )  # fmt: skip


def test_a_message_in_pieces_is_heard_whole():
    """A line that comes in pieces is one message; two lines in one piece are two."""
    reads, writes = os.pipe()
    waker, _ = os.pipe()
    ear = Ear(reads)
    line = json.dumps({"control": "message", "id": "1", "text": "grüß dich"}, ensure_ascii=False).encode()
    os.write(writes, line[:30])
    ear.wait(0, waker)
    assert ear.messages() == []
    os.write(writes, line[30:] + b"\n" + line + b"\n")
    ear.wait(0, waker)
    assert ear.messages() == ["grüß dich"] * 2
    os.close(writes)
    ear.wait(0, waker)
    assert not ear.open
    os.close(reads)


def test_only_a_pipe_is_listened_to(tmp_path):
    """A file, or nothing at all, says nothing: the agent then ends after its claim."""
    with (tmp_path / "file").open("w+") as file:
        assert not Ear(file.fileno()).open
    assert not Ear(999).open
    with Path(os.devnull).open() as nothing:
        assert not Ear(nothing.fileno()).open


def test_unasked_it_leaves_the_change_out():
    """When nobody says anything the screen stays as it was."""
    told, screen = played(Listener(100_000))
    assert screen == FILES[SETTINGS]
    assert not [event for event in told if isinstance(event, events.Prompted) and event.by == "operator"]
