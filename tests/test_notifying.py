"""Notifications: what reaches the terminal, the desktop and Apprise, and what never does."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from monitor.errors import MonitorError
from monitor.notifying import desktop, terminal
from monitor.notifying.announcer import Announcer
from monitor.notifying.settings import Targets, load, read

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""Apprise imports it where Python still has it."""
QUIET = Targets(bell=False, terminal=False, desktop=False)
KITTY = {"TERM": "xterm-kitty"}


@pytest.fixture
def target():
    """A receiver of JSON on this machine: its address in Apprise's notation, and what it was sent."""
    got: list[dict] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"json://127.0.0.1:{server.server_port}", got
    server.shutdown()
    thread.join()
    server.server_close()


def test_apprise_takes_it(target):
    """A notification goes to the addresses of the user's config, its secrets taken out."""
    address, got = target
    announcer = Announcer(Targets(bell=False, terminal=False, desktop=False, apprise=(address,)))
    announcer.tell("claude in app", "sites at stop: https://u:hunter2pass@a.example fails\x1b[2J")
    announcer.close()
    assert [one["title"] for one in got] == ["claude in app"]
    assert "hunter2pass" not in got[0]["message"]
    assert "\x1b" not in got[0]["message"]
    assert announcer.problem == ""


def test_an_address_that_does_not_answer(target):
    """A target that is not there is told as a problem, and delays nobody."""
    address, _ = target
    dead = Announcer(Targets(bell=False, terminal=False, desktop=False, apprise=(address.replace("json", "jsons"),)))
    dead.tell("a", "b")
    dead.close()
    assert "apprise" in dead.problem


def test_an_address_apprise_does_not_know():
    """An address that names no service is said before anything runs, without printing it."""
    with pytest.raises(MonitorError, match="does not understand address 1") as caught:
        Announcer(Targets(apprise=("nosuch://secret-token",)))
    assert "secret-token" not in str(caught.value)


def test_the_terminal_gets_a_bell_and_a_note(monkeypatch):
    """A terminal that shows notifications gets one in a single sequence; no control byte of the text is in it."""
    for name in ("TMUX", "STY", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-kitty")
    rung: list[str] = []
    Announcer(Targets(desktop=False), ring=rung.append).tell("mine", "waits\x07\x1b\\\x9c for you")
    (signs,) = rung
    assert signs.startswith("\a\x1b]9;mine: waits")
    body = signs.removeprefix("\a\x1b]9;").removesuffix("\x1b\\")
    assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 for sign in body)


@pytest.mark.parametrize(
    ("environment", "shows"),
    [
        (KITTY, True),
        ({"TERM": "foot-extra"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({**KITTY, "TMUX": "/tmp/tmux,1,0"}, False),
        ({**KITTY, "STY": "1.pts"}, False),
        ({}, False),
    ],
)
def test_which_terminals_show_notes(environment, shows):
    """Only terminals known to show OSC 9 get it, and none behind a multiplexer; the others get the bell."""
    assert terminal.signs("x", Targets(), environment) == ("\a\x1b]9;x\x1b\\" if shows else "\a")
    assert terminal.signs("x", Targets(bell=False), environment) == ("\x1b]9;x\x1b\\" if shows else "")
    assert terminal.signs("x", QUIET, environment) == ""


def test_the_desktop_gets_words_not_a_shell(tmp_path, monkeypatch):
    """The desktop's program gets title and text as words of their own, whatever stands in them."""
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done > {tmp_path}/said\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("sys.platform", "linux")
    assert desktop.show("--title", "$(touch x); `y`") == ""
    assert (tmp_path / "said").read_text() == "--app-name=monitor\n--\n--title\n$(touch x); `y`\n"


def test_a_desktop_that_refuses(tmp_path, monkeypatch):
    """A desktop that takes no notification is told as a problem; without a desktop there is none."""
    program = tmp_path / "notify-send"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    assert desktop.show("a", "b") == "the desktop refused a notification (3)"
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert desktop.show("a", "b") == ""


def test_a_limit_of_an_hour():
    """No more than the limit goes out within an hour; the rest is counted, and after the hour it goes on."""
    rung: list[str] = []
    now = [0.0]
    announcer = Announcer(Targets(desktop=False, an_hour=2), ring=rung.append, clock=lambda: now[0])
    for moment in (0.0, 1.0, 2.0, 3600.5):
        now[0] = moment
        announcer.tell("a", "b")
    assert (len(rung), announcer.lost) == (3, 1)


def test_what_the_config_says(tmp_path):
    """Every key of [notify] is read, and without one the plain targets hold."""
    assert load(tmp_path) == Targets()
    (tmp_path / "config.toml").write_text(
        '[keys]\n[notify]\nbell = false\nterminal = false\ndesktop = false\napprise = ["ntfy://t"]\nan_hour = 3\n'
    )
    assert load(tmp_path) == Targets(bell=False, terminal=False, desktop=False, apprise=("ntfy://t",), an_hour=3)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "[notify] is a table"),
        ({"bel": True}, "there is no bel; known are bell,"),
        ({"bell": 1}, "bell is true or false"),
        ({"apprise": "ntfy://t"}, "apprise is a list"),
        ({"apprise": [""]}, "apprise is a list"),
        ({"an_hour": -1}, "an_hour is a number from 0"),
        ({"an_hour": True}, "an_hour is a number from 0"),
    ],
)
def test_what_is_wrong_is_named(table, said):
    """A mistake is one line that names the file and the key."""
    with pytest.raises(MonitorError) as caught:
        read(table)
    assert caught.value.text.startswith("config.toml: ")
    assert said in caught.value.text
