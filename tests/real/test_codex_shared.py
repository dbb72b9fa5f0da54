"""A thread in the real Codex's shared server, whose user is another client: monitor attaches, and the user goes on."""

from __future__ import annotations

import json
import threading

import pytest
from codex_launched import WAITS, arrived, asked, bare, patch, wait_for
from codex_shared import came, can, shared
from installed import needs
from turns import Turn

from monitor.actions import Action

pytestmark = [
    needs("Codex"),
    pytest.mark.xdist_group("codex"),
]
WORDS = 'The second write failed:\nread "hello.py" again.'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def holds(request):
    told = [one for one in json.loads(request) if one.get("role") == "user"]
    return any(part.get("text") == WORDS for one in told for part in one["content"])


def test_words_are_steered_into_the_users_turn(repo):
    """Sent while a tool runs they stand in the next request, and in the user's window; the user's turn goes on."""
    with shared(repo, [Turn(calls=(WAITS,)), Turn("Read.")]) as (supervisor, model, user):
        wait_for(lambda: supervisor.how("feedback").startswith("into the turn"), "the way")
        wait_for(lambda: supervisor.snapshot.run.calls, "the call")
        supervisor.act(Action("1", "feedback", WORDS))
        wait_for(lambda: arrived(supervisor, "1"), "its delivery")
        (repo / "go").touch()
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        assert holds(asked(model)[1])
        assert came(supervisor, "1", "done") == ["queued", "delivered", "seen", "done"]
        user.hears("turn/completed")


def test_words_for_later_wait_in_the_servers_queue(repo):
    """They are a turn of their own after the user's, though monitor is gone by then."""
    with shared(repo, [Turn(calls=(WAITS,)), Turn("Done."), Turn("Read.")]) as (supervisor, model, _):
        can(supervisor, "feedback")
        wait_for(lambda: supervisor.how("feedback", "later").startswith("into the server's queue"), "the way")
        supervisor.act(Action("1", "feedback", WORDS, when="later"))
        wait_for(lambda: arrived(supervisor, "1"), "its delivery")
        wait_for(lambda: not supervisor.snapshot.run.over and supervisor.snapshot.run.calls, "the call")
        (repo / "go").touch()
        wait_for(lambda: len(asked(model)) == 3, "the third request")
        assert not holds(asked(model)[1])
        assert holds(asked(model)[2])
        came(supervisor, "1", "seen", "done")


def test_an_abort_ends_the_users_turn_and_not_the_thread(repo):
    """The turn is interrupted, no process ends, and the user's next prompt is taken."""
    held = threading.Event()
    with shared(repo, [Turn(begins="I am ", text="done.", until=held), Turn("Here.")]) as (supervisor, model, user):
        can(supervisor, "abort")
        wait_for(lambda: len(asked(model)) == 1, "the request")
        assert supervisor.plan().processes == ()
        supervisor.act(Action("1", "abort"))
        assert came(supervisor, "1", "done")[-2:] == ["seen", "done"]
        ended = user.hears("turn/completed")
        assert ended["params"]["turn"]["status"] == "interrupted"
        held.set()
        wait_for(lambda: supervisor.snapshot.verdict.state == "aborted", "the verdict")
        wait_for(lambda: supervisor.how("feedback") == "as the next turn", "that the thread is open")
        asks = {"threadId": ended["params"]["threadId"], "input": [{"type": "text", "text": "Are you there"}]}
        user.says(json.dumps({"id": "u2", "method": "turn/start", "params": asks}))
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        assert "Are you there" in asked(model)[1]


def test_a_question_is_the_users_unless_the_operator_answers(repo):
    """It is shown and left alone; denied by the operator, the user's window has it resolved, and nothing was run."""
    call = (
        "exec_command",
        {"cmd": "touch made", "sandbox_permissions": "require_escalated", "justification": "need it"},
    )
    with shared(repo, [Turn(calls=(call,)), Turn("Read.")], approval="on-request", sandbox="workspace-write") as (
        supervisor, model, user,
    ):  # fmt: skip
        user.hears("item/commandExecution/requestApproval")
        wait_for(lambda: supervisor.snapshot.waiting, "the question")
        can(supervisor, "deny")
        assert len(asked(model)) == 1
        supervisor.act(Action("1", "deny", subject=supervisor.snapshot.waiting_call))
        came(supervisor, "1", "done")
        user.hears("serverRequest/resolved")
        wait_for(lambda: len(asked(model)) == 2, "the next request")
        wait_for(lambda: not supervisor.snapshot.waiting, "its end")
        assert not (repo / "made").exists()


def test_the_rollout_has_what_the_server_does_not_tell(repo):
    """A refused patch is known from the rollout while monitor is a client of the server."""
    missed = patch("print('nope')", "print('hi')")
    with shared(repo, [Turn(calls=(WAITS,)), Turn(calls=(missed,)), Turn("Done.")]) as (supervisor, _, _user):
        can(supervisor, "feedback")
        (repo / "go").touch()
        wait_for(lambda: supervisor.snapshot.verdict.state == "not made", f"the verdict: {supervisor.snapshot.verdict}")
        assert supervisor.can("pause").startswith("other threads live")
