"""Hooks in the real Claude Code, in a terminal and with `-p`: what they did is proved by what the model receives next."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from claude_hooked import OnceHooked, act, receipt, running, waits, watched
from claude_sessions import session
from installed import needs
from turns import Turn
from waiting import until

from monitor.commands.hooks import install, remove
from monitor.hooks.places import mail
from monitor.hooks.refusals import WAIT

pytestmark = [
    needs("Claude Code"),
    pytest.mark.xdist_group("claude"),
]
WORDS = "The second write failed: read the file again."
SETTINGS = '{"permissions": {"allow": ["Bash(ls)"]},\n\t"env": {  },\n "hooks": {"Stop": [ ]}}'
"""Laid out as no program would."""
LINES = '<resources>\n    <string name="app_name">Hello</string>\n    <string name="a">Hello</string>\n</resources>\n'
both = pytest.mark.parametrize("interactive", [True, False], ids=["in a terminal", "with -p"])


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "repo"
    (folder / ".claude").mkdir(parents=True)
    (folder / "strings.xml").write_text(LINES)
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    (folder / ".gitignore").write_text(".claude/\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*git, *command], check=True, env={"PATH": os.environ["PATH"], "HOME": str(Path.home())})
    return folder


@pytest.fixture
def settings(repo):
    path = repo / ".claude/settings.local.json"
    path.write_text(SETTINGS)
    return path


@both
def test_feedback_reaches_a_session_that_was_running_before(repo, settings, interactive, capsys):
    """Installed into a running session, words sent while a tool runs stand in the next request; removed, not a byte is left."""
    turns = OnceHooked(Turn(calls=(waits("a"),)), Turn(calls=(waits("b"),)), Turn("Done."))
    with session(repo, turns, interactive=interactive) as started:
        running(started, 1, "a")
        with watched(started) as supervisor:
            assert "hooks are not installed" in supervisor.can("feedback")
            assert install("claude", repo, refuse="never", yes=True) == 0
            until(lambda: supervisor.can("feedback") == "", "its mailbox")
            (repo / "a").touch()
            running(started, turns.short + 2, "b")
            act(supervisor, "1", "feedback", WORDS)
            until(lambda: receipt(supervisor, "1") == "queued", "the letter in the box")
            (repo / "b").touch()
            assert WORDS in started.asked(turns.short + 3)
            assert WORDS not in started.conversations()[turns.short + 1]
            until(lambda: receipt(supervisor, "1") in ("seen", "done"), "evidence in the transcript")
            steps = next(one.steps for one in supervisor.snapshot.actions if one.id == "1")
            assert [step for step, _ in steps][:3] == ["queued", "delivered", "seen"]
        assert remove("claude", repo, yes=True) == 0
    assert settings.read_text() == SETTINGS


@both
def test_a_stop_with_a_failed_write_is_refused_once(repo, settings, interactive):
    """A failed edit and "done": the stop is refused, the model gets the closest lines, and its second edit clears it."""
    file = str(repo / "strings.xml")
    edit = {"file_path": file, "old_string": "app_name: Hello", "new_string": "app_name: Block"}
    right = {**edit, "old_string": 'name="app_name">Hello', "new_string": 'name="app_name">Block'}
    turns = [
        Turn(calls=(("Read", {"file_path": file}),)), Turn(calls=(waits("a"),)), Turn(calls=(("Edit", edit),)), Turn("Done, renamed."),
        Turn(calls=(("Edit", right),)), Turn("Done, renamed now."),
    ]  # fmt: skip
    install("claude", repo, refuse="not made", yes=True)
    with session(repo, turns, interactive=interactive) as started:
        running(started, 2, "a")
        with watched(started) as supervisor:
            until(lambda: [*mail("claude").glob("*/armed")], "the order to ask before a stop")
            (repo / "a").touch()
            told = started.asked(5)
            assert "Notice from monitor" in told
            assert "app_name" in told[told.index("Notice from monitor") :]
            assert "2 |" in told[told.index("Notice from monitor") :]
            until(lambda: len(supervisor.snapshot.claims) == 2, "the second claim")
            until(lambda: supervisor.snapshot.verdict.state == "changed", "its verdict")
            states = [claim.state for claim in supervisor.snapshot.claims]
            assert states[0] == "not made"
            assert "not made" not in (supervisor.snapshot.verdict.state, *supervisor.snapshot.verdict.also)
            refused = [one for one in supervisor.snapshot.actions if one.action == "refuse"]
            assert len(refused) == 1
            until(lambda: receipt(supervisor, refused[0].id) in ("seen", "done"), "evidence of the refusal")
            assert len(started.conversations()) == 6
    assert 'name="app_name">Block' in (repo / "strings.xml").read_text()


def test_a_claim_with_nothing_changed_is_refused(repo, settings):
    """Where a change is required, done with nothing changed since the prompt is refused once, and then let be."""
    install("claude", repo, refuse="unchanged", yes=True)
    turns = [Turn("Hello."), Turn("Done."), Turn("There was nothing to do.")]
    with session(repo, turns, prompt="Hello there", interactive=True) as started:
        until(lambda: "stop_hook_summary" in started.transcript(), "the end of the first request")
        with watched(started) as supervisor:
            until(lambda: supervisor.snapshot.worktree.measured, "the first measurement")
            until(lambda: len(supervisor.snapshot.claims) == 1, "the first claim")
            until(lambda: [*mail("claude").glob("*/armed")], "the order to ask before a stop")
            started.type("Rename the app")
            assert "nothing in the project changed" in started.asked(3)
            until(lambda: len(supervisor.snapshot.claims) == 3, "the claim after it")
            until(lambda: started.transcript().count("stop_hook_summary") == 3, "the end of the second stop")
            assert len(started.conversations()) == 3


@both
def test_abort_ends_the_run_and_leaves_the_session_open(repo, settings, interactive):
    """Aborted while a tool runs, no further request is made; in a terminal the session takes the next prompt."""
    install("claude", repo, refuse="never", yes=True)
    turns = [Turn(calls=(waits("a"),)), Turn("Here again.")]
    with session(repo, turns, interactive=interactive) as started:
        running(started, 1, "a")
        with watched(started) as supervisor:
            act(supervisor, "1", "abort")
            until(lambda: receipt(supervisor, "1") == "queued", "the letter in the box")
            (repo / "a").touch()
            if interactive:
                until(lambda: receipt(supervisor, "1") == "done", "the end of the run")
                assert len(started.conversations()) == 1
                assert supervisor.found.alive()
                started.type("Are you there")
                assert "Are you there" in started.asked(2)
                until(lambda: "Here again." in started.shown(), "an answer")
            else:
                started.process.wait(30)
                until(lambda: receipt(supervisor, "1") == "done", "the end of the run")
                assert len(started.conversations()) == 1


@both
def test_the_next_call_is_denied(repo, settings, interactive):
    """Denied, the next call is not made, and the model is told in the operator's words."""
    install("claude", repo, refuse="never", yes=True)
    makes = ("Bash", {"command": "touch made", "description": "make"})
    turns = [Turn(calls=(waits("a"),)), Turn(calls=(makes,)), Turn(calls=(makes,)), Turn("Done.")]
    with session(repo, turns, interactive=interactive) as started:
        running(started, 1, "a")
        with watched(started) as supervisor:
            act(supervisor, "1", "deny", "Not this one.")
            until(lambda: receipt(supervisor, "1") == "queued", "the letter in the box")
            (repo / "a").touch()
            assert "Not this one." in started.asked(3)
            until(lambda: receipt(supervisor, "1") == "done", "evidence of the denial")
            started.asked(4)
            assert (repo / "made").exists(), "one call was denied, not two"


@both
def test_words_too_late_for_a_boundary_are_heard_at_the_stop(repo, settings, interactive):
    """Sent while the model writes its last answer, words keep it from stopping, and are heard."""
    held = threading.Event()
    install("claude", repo, refuse="never", yes=True)
    turns = [Turn(thinking=("I think.",), text="Done.", until=held), Turn("Done as you said.")]
    with session(repo, turns, interactive=interactive) as started:
        assert turns[0].asked.wait(30)
        with watched(started) as supervisor:
            act(supervisor, "1", "feedback", WORDS)
            until(lambda: receipt(supervisor, "1") == "queued", "the letter in the box")
            held.set()
            assert WORDS in started.asked(2)
            until(lambda: receipt(supervisor, "1") in ("seen", "done"), "evidence in the transcript")


MONITOR = """
import sys, threading, time
from pathlib import Path
from monitor.actions import Action
from monitor.opening import opened
with opened(sys.argv[1], Path(sys.argv[2]), screen=False) as supervisor:
    if len(sys.argv) > 3:
        while supervisor.can(sys.argv[3]) or not supervisor.snapshot.run.requests:
            time.sleep(0.05)
        supervisor.act(Action("1", sys.argv[3], "A last word."))
    threading.Event().wait()
"""


@pytest.mark.parametrize("moment", ["armed", "feedback", "abort"])
@both
def test_a_killed_monitor_holds_nothing_up(repo, settings, interactive, moment):
    """Killed with -9 while words or an end wait, or a stop is to be asked about, it delays no hook beyond its start."""
    install("claude", repo, refuse="not made", yes=True)
    turns = [Turn(calls=(waits("a"),)), Turn(calls=(waits("a"),)), Turn("Done.")]
    with session(repo, turns, interactive=interactive) as started:
        running(started, 1, "a")
        target = started.found().inputs()[0].path
        orders = () if moment == "armed" else (moment,)
        with subprocess.Popen([sys.executable, "-c", MONITOR, str(target), str(repo), *orders]) as process:
            try:
                waiting = {"armed": "armed", "feedback": "*.words", "abort": "*.end"}[moment]
                until(lambda: [*mail("claude").glob(f"*/{waiting}")], "what the monitor leaves")
            finally:
                process.kill()
        (repo / "a").touch()
        if moment == "abort":
            until(lambda: "hook_stopped_continuation" in started.transcript(), "the end of the run")
        else:
            if moment == "feedback":
                assert "A last word." in started.asked(2)
            started.asked(3)
            until(lambda: "stop_hook_summary" in started.transcript(), "the stop")
            took = [int(one) for one in re.findall(r'"hookInfos":\[\{[^}]*"durationMs":(\d+)', started.transcript())]
            assert took
            assert max(took) < WAIT * 1000 / 2, "a hook waited for a monitor that was gone"
