"""A pane is found by the process in it, and is typed into only while the keys reach that process and no other."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panes import RECORDER, tmux_server
from waiting import until

from monitor.channels import keyboard, tmux
from monitor.channels.keyboard import ONE_LINE, UNSHOWN, escape, paste, typed
from monitor.channels.pane import BEHIND, BESIDE, COOKED, NO_PANE, NO_TERMINAL, Pane, pane_of
from monitor.channels.tmux import ABSENT, PaneRow, TmuxError
from monitor.channels.visiting import attaching, near, visit
from monitor.processes.identity import identify

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def server(tmp_path):
    with tmux_server(tmp_path) as made:
        yield made


def test_a_pane_is_found_by_its_process(server):
    """Of several panes the one is found in which the process runs; it is named as a person names it."""
    server.seat()
    second = server.seat()
    assert second.pane().name == "work:1.0"
    assert second.pane().id == "%1"


def test_words_arrive_as_one_paste_and_enter(server):
    """Several lines, blank ones and spaces too, between the marks of a paste; Enter comes apart, after it."""
    seat = server.seat()
    assert paste(seat.pane(), "First line\n  second\n\nthird\n") == ""
    assert seat.hears(b"\r") == b"\x1b[200~First line\n  second\n\nthird\x1b[201~\r"


def test_words_that_follow_a_prompt_stand_apart(server):
    """Where the prompt holds something that the agent took back, the words begin on a line of their own."""
    seat = server.seat()
    assert paste(seat.pane(), "Look.", apart=True) == ""
    assert seat.hears(b"\r") == b"\x1b[200~\nLook.\x1b[201~\r"


def test_no_control_byte_of_a_text_reaches_the_pane(server):
    """What would end the paste, press keys or paint the screen is shown, not sent."""
    seat = server.seat()
    assert paste(seat.pane(), "one\x1b[201~\rtwo\x03\x9b31m\tthree\x00\x7f\nfour") == ""
    heard = seat.hears(b"\r")
    inner = heard.removeprefix(b"\x1b[200~").removesuffix(b"\x1b[201~\r")
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", inner)
    assert inner.count(b"\n") == 1
    assert inner.endswith(b"\nfour")


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_what_is_typed_holds_no_control_but_line_ends(text):
    """Of any text, only the ends of lines are control characters; and it begins with no order to a prompt."""
    words = typed(text)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", words)
    assert not words.startswith(("/", "!", "#", "&", "@", "\\"))
    words.encode()


def test_a_long_text_arrives_whole(server):
    """A text that is longer than tmux takes on its command line, and than the screen is high."""
    seat = server.seat()
    text = "\n".join(f"line {number} " + "x" * 90 for number in range(400))
    assert paste(seat.pane(), text) == ""
    assert seat.hears(b"\r") == b"\x1b[200~" + text.encode() + b"\x1b[201~\r"


def test_escape_is_one_byte(server):
    """Escape, and nothing else; a pane that shows its history is brought back before, for there it would be no key."""
    seat = server.seat()
    server.run("copy-mode", "-t", "%0")
    assert escape(seat.pane()) == ""
    assert seat.hears(b"\x1b") == b"\x1b"
    assert not server.server().panes()[0].scrolled


def test_enter_is_not_pressed_where_the_words_do_not_show(server, monkeypatch):
    """What shows no words has not taken them: a question that came up meanwhile is not answered by Enter."""
    monkeypatch.setattr(keyboard, "_SHOWS", 0.3)
    seat = server.seat("mute")
    assert paste(seat.pane(), "Look again.") == UNSHOWN
    assert seat.hears(b"\x1b[201~") == b"\x1b[200~Look again.\x1b[201~"


def test_a_question_that_holds_the_words_is_not_answered(server, monkeypatch):
    """Short words may well stand in what came up meanwhile: only a line of their own is taken for them."""
    monkeypatch.setattr(keyboard, "_SHOWS", 0.3)
    seat = server.seat("asks")
    assert paste(seat.pane(), "continue") == UNSHOWN
    assert seat.hears(b"\x1b[201~") == b"\x1b[200~continue\x1b[201~"
    asked = server.seat()
    assert paste(asked.pane(), "continue") == ""
    assert asked.hears(b"\r") == b"\x1b[200~continue\x1b[201~\r"


@pytest.mark.parametrize(
    ("kind", "why"), [("lines", COOKED), ("editor", BESIDE), ("behind", BEHIND)], ids=["cooked", "editor", "background"]
)
def test_keys_that_another_would_read_are_not_sent(server, kind, why):
    """A program that reads no keys, one that has started an editor, one in the background: nothing is typed."""
    seat = server.seat(kind)
    pane = seat.pane()
    until(lambda: escape(pane) == why, why)
    assert paste(pane, "rm -rf .") == why
    assert seat.heard.read_bytes() == b""


def test_a_pane_that_shares_its_keys_or_takes_none_is_let_be(server):
    """Synchronised panes and those with their input off are not typed into, with the reason."""
    seat = server.seat()
    pane = seat.pane()
    server.run("set-option", "-w", "-t", "%0", "synchronize-panes", "on")
    assert "synchronised" in escape(pane)
    server.run("set-option", "-w", "-t", "%0", "synchronize-panes", "off")
    server.run("select-pane", "-d", "-t", "%0")
    assert "takes no input" in escape(pane)
    server.run("select-pane", "-e", "-t", "%0")
    assert escape(pane) == ""
    assert seat.hears(b"\x1b") == b"\x1b"


def test_a_process_that_has_ended_is_not_typed_for(server):
    """Once its process is gone, whatever runs in the pane gets nothing."""
    seat = server.seat()
    pane = seat.pane()
    other = server.seat()
    os.kill(seat.identity.pid, signal.SIGKILL)
    until(lambda: escape(pane), "its end")
    assert escape(pane) == "it is gone"
    assert other.heard.read_bytes() == b""


def test_only_the_server_above_a_process_is_asked(server, tmp_path):
    """A process that names a tmux server which did not start it, as it may of itself, is in none of its panes."""
    server.seat()
    ours, theirs = pty.openpty()
    ready = tmp_path / "forged"
    environment = {"PATH": os.environ["PATH"], "TMUX": f"{server.path},1,0", "TMUX_PANE": "%0"}
    command = ["setsid", "-c", sys.executable, "-c", RECORDER, "raw", str(tmp_path / "heard"), str(ready)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        until(ready.exists, "the recorder")
        found = identify(int(ready.read_text()))
        assert found is not None
        assert pane_of(found) == NO_PANE
        process.kill()
    os.close(ours)
    os.close(theirs)


def test_without_a_terminal_or_without_tmux_it_is_said(server, monkeypatch):
    """No terminal, tmux not installed, a server that does not answer: each in one line."""
    with subprocess.Popen(["sleep", "300"], start_new_session=True) as process:
        found = identify(process.pid)
        assert found is not None
        assert pane_of(found) == NO_TERMINAL
        process.kill()
    seat = server.seat()
    with monkeypatch.context() as changed:
        changed.setenv("PATH", "")
        assert pane_of(seat.identity) == ABSENT
    listening = int(server.run("display-message", "-p", "#{pid}"))
    pane = seat.pane()
    monkeypatch.setattr(tmux, "PATIENCE", 0.3)
    os.kill(listening, signal.SIGSTOP)
    try:
        assert escape(pane) == "its tmux server does not answer"
        assert "does not answer" in str(pane_of(seat.identity))
    finally:
        os.kill(listening, signal.SIGCONT)


def test_lines_are_not_sent_one_by_one(server, monkeypatch):
    """Where tmux tells that the program takes no pastes as such, several lines are not sent; one line is."""
    seat = server.seat()
    pane = seat.pane()
    row = PaneRow(pane.id, "", pane.name, pastes=False)
    monkeypatch.setattr(Pane, "now", lambda _: row)
    assert paste(pane, "one\ntwo") == ONE_LINE
    assert paste(pane, "one") == ""
    assert seat.hears(b"\r").count(b"one") == 1


def test_the_operator_is_taken_to_the_pane(server, monkeypatch):
    """The client that shows monitor's own pane switches to the agent's; elsewhere the command that shows it is known."""
    server.seat()
    seat = server.seat()
    pane = seat.pane()
    assert attaching(pane) == f"tmux -S {server.path} attach -t %1"
    monkeypatch.delenv("TMUX", raising=False)
    assert not near(pane)
    assert "no current client" in visit(pane)
    monkeypatch.setenv("TMUX", f"{server.path},1,0")
    monkeypatch.setenv("TMUX_PANE", "%0")
    assert near(pane)
    ours, theirs = pty.openpty()
    command = ["tmux", "-S", str(server.path), "attach", "-t", "work:0"]
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as client:
        until(lambda: server.run("list-clients"), "a client")
        assert server.run("display-message", "-p", "-t", "work", "#{pane_id}") == "%0"
        assert visit(pane) == ""
        assert server.run("display-message", "-p", "-t", "work", "#{pane_id}") == "%1"
        client.kill()
    os.close(ours)
    os.close(theirs)


def test_what_tmux_refuses_is_said(server):
    """An order that tmux does not know is told in its own words, on one line."""
    server.seat()
    with pytest.raises(TmuxError, match="tmux said: unknown command"):
        server.server().run("no-such-command")
