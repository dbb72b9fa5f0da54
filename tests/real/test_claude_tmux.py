"""The real Claude Code in a tmux pane: Escape and pastes, proved by its transcript and by what the model receives next."""

from __future__ import annotations

import json
import re
import shutil
import threading

import pytest
from claude_panes import in_pane
from installed import needs
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.channels.orders import ASKS
from monitor.channels.pane import Pane
from monitor.opening import supervised

pytestmark = [
    needs("Claude Code"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.xdist_group("claude"),
]
WORDS = 'The second write failed.\n\n    Read "strings.xml" again,\nall of it.'
ALLOWED = ("--allowedTools", "Bash")


def waits(name):
    """A call that runs until a file is there."""
    return ("Bash", {"command": f"until [ -e {name} ]; do sleep 0.05; done; echo went {name}", "description": "wait"})


@pytest.fixture
def repo(tmp_path):
    return tmp_path / "repo"


@pytest.fixture
def watched():
    """Watches a session as `monitor TARGET` does, until the test is over."""
    made = []

    def watch(started):
        found = started.found()
        until(found.process, "its process")
        supervisor = supervised(found, started.repo)
        made.append(supervisor)
        supervisor.start()
        until(lambda: isinstance(supervisor.terminal(), Pane), f"its pane: {supervisor.terminal()}")
        return supervisor

    yield watch
    for supervisor in made:
        supervisor.close()
        assert not supervisor.problem


def fate(supervisor, action):
    return next((one for one in supervisor.snapshot.actions if one.id == action), None)


def came(supervisor, action, *receipts):
    """Wait until it got so far; the steps it took."""
    until(lambda: (one := fate(supervisor, action)) and one.receipt in receipts, f"{receipts} of {action}")
    return [step for step, _ in fate(supervisor, action).steps]


def user_texts(request):
    """The texts of the last message that a user wrote."""
    message = [one for one in json.loads(request) if one["role"] == "user"][-1]
    content = message["content"]
    return [content] if isinstance(content, str) else [one["text"] for one in content if one["type"] == "text"]


def texts(request):
    """Every text of a conversation."""
    found = []
    for message in json.loads(request):
        content = message["content"]
        found += [content] if isinstance(content, str) else [str(one.get("text", "")) for one in content]
    return found


def test_escape_ends_the_turn_while_the_model_writes(repo, tmp_path, watched):
    """Aborted while it writes, the transcript shows the interruption, and the session takes the next prompt."""
    held = threading.Event()
    turns = [Turn(begins="I am about to\n\ndo ", text="it.", until=held), Turn("Here again.")]
    with in_pane(repo, tmp_path, turns, *ALLOWED) as started:
        until(lambda: "I am about to" in started.shown(), "the first words")
        supervisor = watched(started)
        until(lambda: supervisor.plan() and supervisor.plan().steps[0].force == "ask", "that Escape can end it")
        assert "the session stays open" in supervisor.how("abort")
        assert f"claude --resume {supervisor.found.session}" in supervisor.plan().remains
        supervisor.act(Action("1", "abort"))
        assert came(supervisor, "1", "done") == ["queued", "delivered", "seen", "done"]
        until(lambda: "[Request interrupted by user]" in started.transcript(), "the interruption in the transcript")
        until(lambda: supervisor.snapshot.verdict.state == "aborted", "the verdict")
        held.set()
        started.type("Are you there")
        assert "Are you there" in started.asked(2)
        until(lambda: "Here again." in started.shown(), "an answer")
        assert supervisor.found.alive()


def test_words_now_begin_the_next_turn(repo, tmp_path, watched):
    """Sent now while it writes: the turn is cut off, and the next request holds the words as one message, line for line."""
    held = threading.Event()
    turns = [Turn(begins="I am about to\n\ndo ", text="it.", until=held), Turn("Read.")]
    with in_pane(repo, tmp_path, turns, *ALLOWED) as started:
        until(lambda: "I am about to" in started.shown(), "the first words")
        supervisor = watched(started)
        until(lambda: supervisor.how("feedback", "now").startswith("Escape"), "the way")
        supervisor.act(Action("1", "feedback", WORDS, when="now"))
        asked = started.asked(2)
        held.set()
        assert [text for text in user_texts(asked) if WORDS in text], user_texts(asked)
        assert "[Request interrupted by user]" in asked
        assert came(supervisor, "1", "seen", "done")[:3] == ["queued", "delivered", "seen"]
        until(lambda: "Read." in started.shown(), "an answer")


def test_words_now_before_the_model_has_said_anything(repo, tmp_path, watched):
    """Cut off while it only thinks, Claude Code takes its prompt back: the words go with it, and the model gets both."""
    held = threading.Event()
    turns = [Turn(thinking=("I think.",), text="Done.", until=held), Turn("Read.")]
    with in_pane(repo, tmp_path, turns, *ALLOWED) as started:
        started.asked(1)
        supervisor = watched(started)
        supervisor.act(Action("1", "feedback", "Look again first.", when="now"))
        asked = started.asked(2)
        held.set()
        assert re.search(r"Rename the app\s+Look again first", "\n".join(user_texts(asked)))
        assert came(supervisor, "1", "seen", "done")[:3] == ["queued", "delivered", "seen"]


def test_words_while_a_tool_runs_are_queued_by_claude(repo, tmp_path, watched):
    """Pasted while a tool runs, the tool goes on, and the next request holds the words."""
    turns = [Turn(calls=(waits("a"),)), Turn("Read.")]
    with in_pane(repo, tmp_path, turns, *ALLOWED) as started:
        until(lambda: '"type":"tool_use"' in started.transcript(), "the call")
        supervisor = watched(started)
        until(lambda: supervisor.how("feedback", "later").startswith("a paste"), "the way")
        supervisor.act(Action("1", "feedback", WORDS, when="later"))
        assert came(supervisor, "1", "delivered") == ["queued", "delivered"]
        (repo / "a").touch()
        asked = started.asked(2)
        assert WORDS in "\n".join(texts(asked))
        assert "went a" in asked
        assert came(supervisor, "1", "seen", "done")[:3] == ["queued", "delivered", "seen"]


def test_escape_ends_a_call_that_hangs(repo, tmp_path, watched):
    """Aborted while a tool runs: the call is cut off, the session stays open."""
    turns = [Turn(calls=(waits("never"),)), Turn("Here again.")]
    with in_pane(repo, tmp_path, turns, *ALLOWED) as started:
        until(lambda: '"type":"tool_use"' in started.transcript(), "the call")
        supervisor = watched(started)
        until(lambda: supervisor.plan() and supervisor.plan().steps[0].force == "ask", "that Escape can end it")
        supervisor.act(Action("1", "abort"))
        assert came(supervisor, "1", "done")[:2] == ["queued", "delivered"]
        until(lambda: "[Request interrupted by user for tool use]" in started.transcript(), "the interruption")
        started.type("Are you there")
        assert "Are you there" in started.asked(2)


def test_a_question_of_its_own_gets_no_words(repo, tmp_path, watched):
    """While it asks for permission nothing is pasted, for Enter would allow it; the call is still not made then."""
    turns = [Turn(calls=(("Bash", {"command": "sh -c 'touch made'", "description": "make"}),)), Turn("Read.")]
    with in_pane(repo, tmp_path, turns) as started:
        until(lambda: "1. Yes" in started.shown(), "the question")
        supervisor = watched(started)
        until(lambda: supervisor.snapshot.waiting, "that it waits")
        supervisor.act(Action("1", "feedback", WORDS, when="later"))
        assert came(supervisor, "1", "failed")[-1] == "failed"
        assert fate(supervisor, "1").evidence == ASKS
        supervisor.act(Action("2", "feedback", WORDS, when="now"))
        asked = started.asked(2)
        assert WORDS in "\n".join(texts(asked))
        assert not (repo / "made").exists()
