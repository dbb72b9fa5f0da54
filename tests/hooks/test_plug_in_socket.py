"""What the plug-in itself answers, refuses and leaves alone, run by Node and by OpenCode's own runtime."""

from __future__ import annotations

import json
import shutil
import socket
import stat
import subprocess
import sys
from contextlib import contextmanager

import pytest
from installed import program
from plugged import DRIVER, asked, process_of, reached
from waiting import until

from monitor.agents.opencode import bridge as bridges
from monitor.agents.opencode.bridge import bridge, folder, release
from monitor.agents.opencode.server import ServerError
from monitor.agents.protocol import Process
from monitor.hooks.installing import carry_out, plan_install, plan_remove
from monitor.hooks.places import place_of

NODE = shutil.which("node")
BUN = program("OpenCode")
"""The program of OpenCode, which is Bun as well."""
RUNTIMES = [
    pytest.param(NODE, marks=pytest.mark.skipif(NODE is None, reason="Node is not installed"), id="node"),
    pytest.param(BUN, marks=pytest.mark.skipif(BUN is None, reason="OpenCode is not installed"), id="bun"),
]
RUNTIME = ""


@pytest.fixture(params=RUNTIMES)
def place(request, tmp_path, monkeypatch):
    """The plug-in, installed in a project, and what it is run by."""
    monkeypatch.setenv("BUN_BE_BUN", "1")
    monkeypatch.setattr(sys.modules[__name__], "RUNTIME", str(request.param))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    found = place_of("opencode", tmp_path)
    carry_out(plan_install(found))
    return found


@contextmanager
def loaded(place, config="{ fetch }"):
    """A process that has loaded it, as OpenCode does."""
    driver = place.project / "driver.mjs"
    driver.write_text(DRIVER.format(plugin=json.dumps(str(place.path)), config=config))
    with subprocess.Popen([RUNTIME, str(driver)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert json.loads(process.stdout.readline()) == {"hooks": [{}, {}]}
            yield process
        finally:
            process.kill()


def test_what_is_needed_is_handed_on(place):
    """Requests go to OpenCode's own server as they came, with the password that was sent, and the answer comes back."""
    with loaded(place) as started:
        server = reached(started)
        assert server.healthy() == "1"
        server.prompt("ses_1", "/a b", "Look again")
        server.abort("ses_1", "/a b")
        server.reply("per_1", "/a b", "reject", "No")
        heard = asked(
            started, "GET", "/session/ses_1", headers={"authorization": "Basic eA==", "cookie": "a=b"}
        ).json()["heard"]
        assert [(verb, path) for verb, path, _, _ in heard] == [
            ("GET", "/global/health"), ("GET", "/global/health"), ("POST", "/session/ses_1/prompt_async?directory=%2Fa+b"),
            ("POST", "/session/ses_1/abort?directory=%2Fa+b"), ("POST", "/permission/per_1/reply?directory=%2Fa+b"),
            ("GET", "/session/ses_1"),
        ]  # fmt: skip
        assert json.loads(heard[2][3]) == {"parts": [{"type": "text", "text": "Look again"}]}
        assert json.loads(heard[4][3]) == {"reply": "reject", "message": "No"}
        assert heard[5][2] == {"accept": "*/*", "authorization": "Basic eA=="}


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("GET", "/config"), ("POST", "/session"), ("DELETE", "/session/ses_1"), ("POST", "/session/ses_1/shell"), ("PUT", "/event"),
        ("PATCH", "/session/ses_1"), ("GET", "/session/ses_1/../../config"), ("POST", "/session/ses_1/abort/x"), ("GET", "/file?path=x"),
        ("POST", "/permission/per_1%2Freply"), ("GET", "//elsewhere/session"), ("POST", "/global/health"),
    ],
)  # fmt: skip
def test_nothing_else_is(place, verb, path):
    """Whatever is not needed is refused, and OpenCode never hears of it."""
    with loaded(place) as started:
        reached(started)
        assert asked(started, verb, path).status_code == 403
        heard = asked(started, "GET", "/session").json()["heard"]
        assert [path for _, path, _, _ in heard] == ["/global/health", "/session"]


def test_what_it_cannot_do_is_told(place):
    """A refusal of OpenCode's comes through; a fault of its server, or a request without end, harms nothing."""
    with loaded(place) as started:
        server = reached(started)
        with pytest.raises(ServerError, match="wants a password"):
            server.working("")
        with pytest.raises(ServerError, match="answers 502"):
            server.ask("GET", "/permission")
        assert asked(started, "POST", "/session/ses_1/prompt_async", content=b"x" * (1 << 20)).status_code == 200
        assert asked(started, "POST", "/session/ses_1/prompt_async", content=b"x" * ((1 << 20) + 1)).status_code == 413
        pieces = (b"x" * (1 << 16) for _ in range(17))
        assert asked(started, "POST", "/session/ses_1/prompt_async", content=pieces).status_code == 413
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(folder() / f"{started.pid}.sock"))
            other.sendall(b"\0\xff no request\r\n\r\n")
        assert server.healthy() == "1"


def test_a_monitor_that_does_not_read_is_let_go_of(place):
    """What waits for it is bounded; OpenCode's stream is given up, and others are answered as before."""
    with loaded(place) as started:
        server = reached(started)
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(folder() / f"{started.pid}.sock"))
            other.sendall(b"GET /event HTTP/1.1\r\nHost: x\r\n\r\n")
            assert 100 < json.loads(started.stdout.readline())["cancelled"] < 200
            assert server.healthy() == "1"


def test_a_monitor_that_hangs_up(place):
    """Its stream is given up at once."""
    with loaded(place) as started:
        reached(started)
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(folder() / f"{started.pid}.sock"))
            other.sendall(b"GET /event HTTP/1.1\r\nHost: x\r\n\r\n")
            assert other.recv(8) == b"HTTP/1.1"
        assert json.loads(started.stdout.readline())["cancelled"] < 200


def test_its_socket_is_for_its_user_alone(place):
    """Made in a private folder, with a private mode; gone when its process ends as it should."""
    with loaded(place) as started:
        reached(started)
        path = folder() / f"{started.pid}.sock"
        until(lambda: stat.S_IMODE(path.stat().st_mode) == 0o600, "its mode")
        assert stat.S_IMODE(folder().stat().st_mode) == 0o700
        started.stdin.close()
        started.wait(30)
        assert not path.exists()


@pytest.mark.parametrize("mode", [None, 0o711, 0o770])
def test_a_folder_that_is_not_private_gets_none(place, mode):
    """Missing, or open to others: nothing is opened, and the agent is not told of any fault."""
    where = folder()
    where.rmdir() if mode is None else where.chmod(mode)
    with loaded(place):
        assert not where.exists() if mode is None else list(where.iterdir()) == []


def test_a_socket_that_cannot_be_made(place, private_home):
    """Its path is too long, as where the disk is full: that is its own affair, and the agent goes on."""
    where = private_home / ("long" * 30)
    where.mkdir(mode=0o700)
    text = place.path.read_text()
    place.path.write_text(text.replace(json.dumps(str(folder())), json.dumps(str(where))))
    with loaded(place) as started:
        started.stdin.close()
        assert started.wait(30) == 0
    assert list(where.iterdir()) == []


@pytest.mark.parametrize("config", ["{}", "{ fetch: 1 }", "undefined", "(() => { throw 1 })()"])
def test_an_opencode_of_another_make_gets_none(place, config):
    """Where its server is not where it was, nothing is opened and nothing fails."""
    with loaded(place, config):
        assert list(folder().iterdir()) == []


def test_an_opencode_with_a_port_gets_none(place):
    """What it is given to ask with goes over the network then: nothing is asked there, and nothing opened."""
    says = "setImmediate(() => process.stdout.write(`${one.url}\\n`))"
    with loaded(
        place, f"{{ fetch: (one) => globalThis.fetch(one).catch((why) => {{ {says}; throw why }}) }}"
    ) as started:
        assert started.stdout.readline() == b"opencode://inside/global/health\n"
        started.stdin.close()
        assert started.wait(30) == 0
        assert list(folder().iterdir()) == []


def test_what_killed_ones_have_left_is_removed(place):
    """A socket whose process is gone is removed by the next that starts, and by a removal; other files stay."""
    stale, other = folder() / "4194304.sock", folder() / "notes.txt"
    stale.touch()
    other.touch()
    with loaded(place) as started:
        reached(started)
        until(lambda: not stale.exists(), "its removal")
    stale.touch()
    release()
    assert list(folder().iterdir()) == [other]


def test_removed_it_lets_go(place):
    """Its file is gone: at the next word its socket is, and whoever is connected is hung up on."""
    with loaded(place) as started:
        server = reached(started)
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(folder() / f"{started.pid}.sock"))
            other.sendall(b"GET /session/ses_1 HTTP/1.1\r\nHost: x\r\n\r\n")
            assert other.recv(8) == b"HTTP/1.1"
            carry_out(plan_remove(place))
            release()
            until(lambda: list(folder().iterdir()) == [], "the end of its socket")
            while other.recv(1 << 16):
                pass
        with pytest.raises(ServerError):
            server.healthy()
        assert started.poll() is None


def test_no_other_process_is_believed(place, monkeypatch):
    """A socket that another process listens on, or one that began at another time, is nobody's."""
    with loaded(place) as started:
        known = process_of(started)
        reached(started)
        assert bridge(Process(known.pid, known.started - 5)) is None
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
            (folder() / f"{other.pid}.sock").symlink_to(folder() / f"{started.pid}.sock")
            assert bridge(process_of(other)) is None
            other.kill()
        server = reached(started)
        started.kill()
        started.wait()
        with pytest.raises(ServerError, match="nobody listens"):
            server.healthy()
    monkeypatch.setattr(bridges, "folder", lambda: place.project / "none")
    assert bridge(known) is None
