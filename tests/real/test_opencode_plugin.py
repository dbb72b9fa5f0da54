"""The real OpenCode without a port, reached through the plug-in: proved by its model and by its own window."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

import psutil
import pytest
from model import ScriptedModel
from opencode_launched import OPENCODE, WAITS, WORDS, asked, bare, configured, run, wait_for
from opencode_panes import in_pane
from opencode_plugged import Watch, session
from turns import Turn

from monitor.actions import Action
from monitor.agents.opencode.bridge import bridge, folder
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.stored import Stored
from monitor.hooks.installing import carry_out, plan_install
from monitor.hooks.places import place_of
from monitor.reaching import channel_of
from monitor.targets import find

pytestmark = [
    pytest.mark.skipif(OPENCODE is None, reason="OpenCode is not installed: run tests/real/install.py"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.xdist_group("opencode"),
    pytest.mark.timeout(400),
]
MAKES = ("bash", {"command": "echo made > made.txt", "description": "make"})


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


@pytest.fixture
def plugged():
    """The plug-in, installed for the user."""
    return installed(place_of("opencode", None))


def installed(place):
    """A place with the plug-in in it."""
    carry_out(plan_install(place))
    return place


@pytest.fixture
def watch():
    """Watches a window, until the test is over."""
    made = []

    def begin(kind=Live):
        made.append(Watch(kind))
        return made[-1]

    yield begin
    for one in made:
        one.run.close()


def test_an_abort(repo, monkeypatch, plugged, watch):
    """While the model streams: its request ends, the window shows that and takes the next prompt."""
    held = threading.Event()
    with in_pane(repo, monkeypatch, [Turn(begins="I am ", text="done.", until=held), Turn("Here again.")]) as window:
        wait_for(lambda: asked(window.model), "the model")
        followed = watch()
        assert isinstance(followed.found, Live)
        assert window.process().ports == ()
        steps = followed.act("abort")
        assert (steps[0], steps[-1]) == ("queued", "done")
        assert followed.evidence("1") == "its session is idle"
        assert followed.channel.name == "plug-in"
        held.set()
        followed.until(lambda: followed.run.snapshot.verdict.state == "aborted", "the verdict")
        wait_for(lambda: "interrupted" in window.shown(), "its word in the window", window.shown)
        window.type("Are you there")
        wait_for(lambda: "Here again." in window.shown(), "its answer", window.shown)


@pytest.mark.parametrize("verb", ["warn", "feedback"])
def test_words_into_the_running_request(repo, monkeypatch, plugged, watch, verb):
    """Said while a call runs, the model reads them behind its result, and is seen to; the user sees them too."""
    with in_pane(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]) as window:
        followed = watch()
        followed.until(lambda: followed.run.snapshot.run.calls == 1, "its call")
        followed.run.act(Action("1", verb, WORDS))
        followed.until(lambda: "stands in the conversation" in followed.evidence("1"), "that it stands there")
        assert followed.steps("1") == ["queued", "delivered"]
        (repo / "go").touch()
        followed.until(lambda: followed.steps("1")[-1] == "done", "its end")
        assert followed.steps("1") == ["queued", "delivered", "seen", "done"]
        assert WORDS in asked(window.model)[1]
        assert ("Notice from monitor" in asked(window.model)[1]) is (verb == "warn")
        assert "The second write failed" in window.shown()


@pytest.mark.parametrize("verb", ["allow", "deny"])
def test_a_call_that_waits(repo, monkeypatch, plugged, watch, verb):
    """Allowed it is made, denied the model reads why; the question leaves the user's window."""
    turns = [Turn(calls=(MAKES,)), Turn("Done.")]
    with in_pane(repo, monkeypatch, turns, permission={"bash": "ask"}) as window:
        wait_for(lambda: "Permission required" in window.shown(), "its question", window.shown)
        followed = watch()
        steps = followed.act(verb, "Leave it" if verb == "deny" else "")
        assert (steps[0], steps[-1]) == ("queued", "done")
        wait_for(lambda: len(asked(window.model)) == 2, "the next request")
        assert (repo / "made.txt").exists() is (verb == "allow")
        assert ("Leave it" in asked(window.model)[1]) is (verb == "deny")
        wait_for(lambda: "Permission required" not in window.shown(), "that it is answered", window.shown)


def test_without_the_plug_in(repo, monkeypatch, watch):
    """It is only read, from its database, and what would help is said; installed since, it must be started again."""
    with in_pane(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]):
        followed = watch(Stored)
        followed.until(lambda: followed.run.snapshot.run.calls == 1, "its call")
        assert isinstance(followed.found, Stored)
        for verb in ("abort", "warn", "feedback", "allow", "deny"):
            assert "start that with --port" in followed.run.can(verb)
            assert "monitor hooks install --agent opencode" in followed.run.can(verb)
        installed(place_of("opencode", repo))
        assert "has not loaded the plug-in" in channel_of(find(followed.found.session)).can("abort")


def test_a_window_with_a_port(repo, monkeypatch, plugged, watch):
    """It is reached by that, as without the plug-in, which opens nothing."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with in_pane(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")], "--port", str(port)) as window:
        followed = watch()
        followed.until(lambda: followed.run.snapshot.run.calls == 1, "its call")
        assert (followed.channel.name, window.process().ports) == ("server", (port,))
        assert list(folder().iterdir()) == []


def test_a_password_locks_the_plug_in_too(repo, monkeypatch, plugged):
    """Where OpenCode was given one, a monitor that does not know it reaches nothing, and is told so."""
    monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", "made-up")
    with in_pane(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]) as window:
        name = session()
        wait_for(lambda: bridge(window.process().process), "its socket")
        wait_for(lambda: isinstance(find(name), Live), "its server")
        monkeypatch.delenv("OPENCODE_SERVER_PASSWORD")
        found = find(name)
        assert isinstance(found, Stored)
        assert "the server wants a password" in channel_of(found).can("abort")


def test_removed_it_lets_go(repo, monkeypatch, watch):
    """A project's: nothing of ours is left in the project, the window goes on, and its socket is closed at once."""
    before = sorted(repo.rglob("*"))
    place = installed(place_of("opencode", repo))
    held = threading.Event()
    with in_pane(repo, monkeypatch, [Turn(begins="I am ", text="done.", until=held), Turn("Here again.")]) as window:
        followed = watch()
        followed.until(lambda: followed.run.can("abort") == "", "that it is reached")
        done = subprocess.run(
            [sys.executable, "-m", "monitor", "hooks", "remove", "--agent", "opencode", "--project", str(repo), "--yes"],
            capture_output=True, text=True, check=False, timeout=60, cwd=repo,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        wait_for(lambda: list(folder().iterdir()) == [], "that its socket is closed")
        followed.run.act(Action("1", "feedback", WORDS))
        followed.until(lambda: followed.steps("1")[-1:] == ["failed"], "that it fails")
        assert "cannot be reached" in followed.evidence("1")
        followed.until(lambda: "lost" in followed.links, "that its stream is closed")
        held.set()
        wait_for(lambda: "I am done." in window.shown(), "its answer", window.shown)
        window.type("Are you there")
        wait_for(lambda: "Here again." in window.shown(), "its next answer", window.shown)
    assert not place.path.parent.exists()
    own = {repo / ".opencode", repo / ".opencode" / ".gitignore"}
    assert set(repo.rglob("*")) - own == set(before)


STALLS = """
import os, sys, time
from monitor.reaching import channel_of
from monitor.supervisor import Supervisor
from monitor.targets import find
run = Supervisor(find(sys.argv[1]), live=True)
while run.snapshot.run.calls == 0:
    run.step()
    time.sleep(0.05)
print("reads", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_monitor_that_dies_or_stalls(repo, monkeypatch, plugged, sign):
    """In the middle of the stream: OpenCode works on to the end of its request, and answers the next monitor."""
    with in_pane(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done."), Turn("Here again.")]) as window:
        with subprocess.Popen([sys.executable, "-c", STALLS, session()], stdout=subprocess.PIPE) as other:
            assert other.stdout.readline() == b"reads\n"
            os.kill(other.pid, sign)
            (repo / "go").touch()
            wait_for(lambda: "Done." in window.shown(), "its answer", window.shown)
            window.type("Are you there")
            wait_for(lambda: "Here again." in window.shown(), "its next answer", window.shown)
            other.kill()
        found = find(session())
        assert isinstance(found, Live)
        assert found.server.healthy()


@pytest.mark.parametrize("spoilt", ["no folder", "another's to enter", "no folder but a file"])
def test_what_fails_in_it_fails_in_silence(repo, monkeypatch, plugged, spoilt):
    """No folder for its socket, one that others may enter, or a file in its place: OpenCode works as without it."""
    where = folder()
    if spoilt == "another's to enter":
        where.chmod(0o777)
    else:
        where.rmdir()
    if spoilt == "no folder but a file":
        where.touch()
    with in_pane(repo, monkeypatch, [Turn("Done.")]) as window:
        wait_for(lambda: "Done." in window.shown(), "its answer", window.shown)
        assert window.process().ports == ()
        assert not where.is_dir() or list(where.iterdir()) == []


def test_a_run_with_it_ends_by_itself(repo, monkeypatch, plugged):
    """`opencode run` comes to its end as without it, and leaves no socket behind that the next start does not remove."""
    with ScriptedModel([Turn("Done.")]) as model:
        configured(monkeypatch, model)
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        stale = folder() / "4194304.sock"
        stale.touch()
        done = run(repo, "run", "Rename the app")
        assert done.returncode == 0, done.stderr
    assert "Done." in done.stdout
    left = [int(path.stem) for path in folder().iterdir()]
    assert not [pid for pid in left if psutil.pid_exists(pid) or pid == 4194304]
