"""The real Codex under the operator's hand: what reaches it is proved by what the model receives next."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from codex_launched import CODEX, WAITS, arrived, asked, bare, configured, receipt, wait_for, working
from installed import needs
from model import ScriptedModel
from turns import Turn

from monitor.actions import Action
from monitor.agents.codex.find import FINDER
from monitor.agents.codex.process import home
from monitor.opening import supervised

pytestmark = [
    needs("Codex"),
    pytest.mark.xdist_group("codex"),
]
WORDS = 'The second write failed:\nread "hello.py" again.'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def came(supervisor, action, *receipts):
    """Wait until it got so far; the steps it took."""
    wait_for(lambda: receipt(supervisor, action) in receipts, f"{receipts}: {supervisor.snapshot.actions}")
    return [step for step, _ in next(one.steps for one in supervisor.snapshot.actions if one.id == action)]


def holds(request):
    """Whether a request holds the words as one message of the user's, line for line."""
    told = [one for one in json.loads(request) if one.get("role") == "user"]
    return any(part.get("text") == WORDS for one in told for part in one["content"])


def in_tool(supervisor):
    wait_for(lambda: supervisor.snapshot.run.calls, "the call")


def test_words_reach_the_turn_that_runs(repo):
    """Sent while a tool runs, they stand in the next request, as one message with its line ends."""
    with working(repo, [Turn(calls=(WAITS,)), Turn("Read.")]) as (supervisor, model):
        in_tool(supervisor)
        wait_for(lambda: supervisor.how("feedback").startswith("into the turn"), "the way")
        supervisor.act(Action("1", "feedback", WORDS))
        wait_for(lambda: arrived(supervisor, "1"), "the answer")
        (repo / "go").touch()
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        assert holds(asked(model)[1])
        assert came(supervisor, "1", "done") == ["queued", "delivered", "seen", "done"]


def test_words_while_it_writes(repo):
    """Sent while the model writes its answer, the turn goes on with another request that holds them."""
    held = threading.Event()
    with working(repo, [Turn(begins="I am ", text="done.", until=held), Turn("Read.")]) as (supervisor, model):
        wait_for(lambda: supervisor.snapshot.run.turns, "the first words")
        wait_for(lambda: supervisor.how("feedback").startswith("into the turn"), "the way")
        supervisor.act(Action("1", "feedback", WORDS))
        wait_for(lambda: arrived(supervisor, "1"), "the answer")
        held.set()
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        assert holds(asked(model)[1])
        came(supervisor, "1", "done")


def test_words_between_turns_begin_the_next(repo):
    """Sent when nothing runs, they are the next turn."""
    with working(repo, [Turn("Done."), Turn("Read.")]) as (supervisor, model):
        wait_for(lambda: supervisor.snapshot.claims, "the end of the turn")
        wait_for(lambda: supervisor.how("feedback") == "as the next turn", "the way")
        supervisor.act(Action("1", "feedback", WORDS))
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        assert holds(asked(model)[1])
        assert came(supervisor, "1", "done")[-2:] == ["seen", "done"]
        wait_for(lambda: supervisor.snapshot.run.requests == 2, "the second request")


@pytest.mark.parametrize("moment", ["in a tool", "writing"])
def test_words_now_cut_the_turn_off(repo, moment):
    """Sent now, the turn is interrupted and the next begins with them; the interruption stands in the record."""
    held = threading.Event()
    first = Turn(calls=(WAITS,)) if moment == "in a tool" else Turn(begins="I am ", text="done.", until=held)
    with working(repo, [first, Turn("Read.")]) as (supervisor, model):
        wait_for(lambda: supervisor.how("feedback", "now").startswith("interrupts"), "the way")
        if moment == "in a tool":
            in_tool(supervisor)
        else:
            wait_for(lambda: supervisor.snapshot.run.turns, "the first words")
        supervisor.act(Action("1", "feedback", WORDS, when="now"))
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        held.set()
        assert holds(asked(model)[1])
        assert "turn_aborted" in asked(model)[1]
        came(supervisor, "1", "done")


def test_words_for_later_wait_for_the_end_of_the_turn(repo):
    """Sent for later, they are a turn of their own after the one that runs."""
    with working(repo, [Turn(calls=(WAITS,)), Turn("Done."), Turn("Read.")]) as (supervisor, model):
        in_tool(supervisor)
        supervisor.act(Action("1", "feedback", WORDS, when="later"))
        wait_for(lambda: receipt(supervisor, "1") == "queued", "the queue")
        (repo / "go").touch()
        wait_for(lambda: len(asked(model)) == 3, "the third request")
        assert not holds(asked(model)[1])
        assert holds(asked(model)[2])
        came(supervisor, "1", "done")


@pytest.mark.parametrize("moment", ["in a tool", "writing", "between turns"])
def test_an_abort_ends_it(repo, moment):
    """In a tool, while it writes, between turns: the turn is interrupted by protocol, and the process ends without a signal."""
    held = threading.Event()
    firsts = {
        "in a tool": Turn(calls=(WAITS,)), "writing": Turn(begins="I am ", text="done.", until=held), "between turns": Turn("Done."),
    }  # fmt: skip
    with working(repo, [firsts[moment], Turn("Never.")]) as (supervisor, model):
        if moment == "in a tool":
            in_tool(supervisor)
        elif moment == "writing":
            wait_for(lambda: supervisor.snapshot.run.turns, "the first words")
        else:
            wait_for(lambda: supervisor.snapshot.claims, "the end of the turn")
        supervisor.act(Action("1", "abort"))
        came(supervisor, "1", "done")
        evidence = next(one.evidence for one in supervisor.snapshot.actions if one.id == "1")
        assert ("asked to interrupt" in evidence) == (moment != "between turns")
        assert "SIGINT" not in evidence
        state = "unchanged" if moment == "between turns" else "aborted"
        wait_for(lambda: supervisor.snapshot.verdict.state == state, f"{state}: {supervisor.snapshot.verdict}")
        assert len(asked(model)) == 1
        held.set()


@pytest.mark.parametrize("answer", ["allow", "deny"])
def test_a_question_is_answered(repo, answer):
    """A command that wants approval waits; allowed it runs, denied it does not, and the model is told so."""
    call = (
        "exec_command",
        {"cmd": "touch made", "sandbox_permissions": "require_escalated", "justification": "need it"},
    )
    with working(repo, [Turn(calls=(call,)), Turn("Read.")], approval="on-request", sandbox="workspace-write") as (
        supervisor,
        model,
    ):
        wait_for(lambda: supervisor.snapshot.waiting, "the question")
        assert "touch made" in supervisor.snapshot.waiting
        wait_for(lambda: supervisor.can(answer) == "", "that it can be answered")
        supervisor.act(Action("1", answer, subject=supervisor.snapshot.waiting_call))
        assert came(supervisor, "1", "done")[-1] == "done"
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        wait_for(lambda: not supervisor.snapshot.waiting, "the end of the question")
        assert (repo / "made").exists() == (answer == "allow")
        assert ("rejected by user" in asked(model)[1]) == (answer == "deny")


def test_a_foreign_exec_is_stopped_and_resumed(repo):
    """A `codex exec` of somebody else's: SIGINT ends it, and the command that is shown goes on with the words."""
    with ScriptedModel([Turn(calls=(WAITS,)), Turn("Read.")]) as model:
        configured(model, repo)
        command = [str(CODEX), "exec", "--skip-git-repo-check", "Say hi"]
        environment = {name: os.environ[name] for name in os.environ}
        with subprocess.Popen(
            command, cwd=repo, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                found = wait_for(lambda: FINDER.open(home()), "the rollout")
                wait_for(found.process, "its process")
                supervisor = supervised(found, repo)
                supervisor.start()
                in_tool(supervisor)
                assert supervisor.can("feedback").startswith("it takes no words while it runs")
                supervisor.act(Action("1", "abort"))
                came(supervisor, "1", "done")
                assert process.wait(30) == 1
                wait_for(lambda: supervisor.snapshot.verdict.state == "aborted", "the verdict")
                offered = supervisor.offer(WORDS)
                supervisor.close()
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        words = shlex.split(offered)
        assert words[:3] == ["codex", "exec", "resume"]
        done = subprocess.run(
            [str(CODEX), "exec", "--skip-git-repo-check", *words[2:]], cwd=repo, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert WORDS in "\n".join(
            part.get("text", "") for one in json.loads(asked(model)[-1]) for part in one.get("content") or ()
        )
        assert Path(found.inputs()[0].path).exists()
