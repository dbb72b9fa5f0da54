"""What OpenCode's server cannot tell yet when its events are first heard: it is asked once more, beside the stream."""

from __future__ import annotations

import threading
import time

from opencode_logs import CWD, SESSION
from opencode_server import serving
from opencode_watched import done, events_of
from waiting import until

from monitor.agents.opencode import held
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.server import Server, ServerError
from monitor.events import Prompted, RequestEnded, RunEnded
from monitor.streams import sse
from monitor.streams.missed import Missed
from monitor.streams.record import Input, Record
from monitor.streams.sse import SseReader


def unheard(fake):
    """The server holds the prompt; what became of it, nobody hears."""

    def prompted(words):
        fake.talk.asked(words)
        given_now(fake)
        fake.flush()
        return ...

    fake.prompted = prompted


def given_now(fake):
    """The latest prompt is not old."""
    info = next(one["properties"]["info"] for one in reversed(fake.talk.events) if one["type"] == "message.updated")
    info["time"]["created"] = int(time.time() * 1000)


def test_an_end_that_nobody_heard_is_asked_for(monkeypatch):
    """A prompt that was just given may be about to begin; once it had its time and the session rests, the run is over."""
    with serving() as fake:
        unheard(fake)
        server = Server(fake.port, "")
        server.prompt(SESSION, CWD, "Fix it")
        assert not any(b'"idle"' in line for line in server.told(SESSION, CWD).lines)
        monkeypatch.setattr(held, "_START", 0.3)
        with events_of(Live(server, SESSION, CWD, ends=True)) as tells:
            until(lambda: tells(Prompted))
            until(lambda: tells(RunEnded))
            assert [one.text for one in tells(RequestEnded)] == ["it stopped before it had answered"]
            assert len(tells(Prompted)) == 1


def test_a_request_that_began_meanwhile_is_not_over():
    """What is asked later says nothing of a session that works by then, or that has answered: its events tell its end."""
    with serving() as fake:
        unheard(fake)
        server = Server(fake.port, "")
        server.prompt(SESSION, CWD, "Fix it")
        first = server.told(SESSION, CWD)
        fake.working = True
        assert first.rest() == Missed([])
        fake.working = False
        fake.talk.ended(fake.talk.reply())
        assert first.rest() == Missed([])


def test_a_task_that_was_never_taken_up_is_told(monkeypatch):
    """A new session of a run without any message is waited for, and not for ever; the server does not say why."""
    monkeypatch.setattr(held, "_TAKEN", 0.3)
    with serving() as fake:
        server = Server(fake.port, "")
        server.create(CWD, "t")
        with events_of(Live(server, SESSION, CWD, ends=True)) as tells:
            until(lambda: tells(RunEnded))
            assert "was not taken up" in tells(RunEnded)[0].reason
            fake.taken("Fix it")
            done(fake)
            until(lambda: len(tells(RunEnded)) == 2)
            assert tells(RunEnded)[1].status == "completed"


def test_a_session_that_nobody_asked_anything_rests(monkeypatch):
    """One that somebody else has open is not over because nothing was said to it yet."""
    monkeypatch.setattr(held, "_TAKEN", 0.0)
    with serving() as fake, events_of(Live(Server(fake.port, ""), SESSION, CWD)) as tells:
        until(lambda: not tells(RequestEnded) and fake.listeners)
        fake.taken("Fix it")
        done(fake)
        until(lambda: tells(RequestEnded))
        assert [one.how for one in tells(RequestEnded)] == ["answered"]


def test_what_is_asked_later_is_not_said_when_more_came_meanwhile(fake, tmp_path, monkeypatch):
    """It may be older than that: it is asked anew. So it is where the server could not be asked."""
    monkeypatch.setattr(sse, "_PAUSES", (0.01,))
    monkeypatch.setattr(sse, "_SOON", 0.01)
    asked = []

    def rest():
        asked.append(len(fake.listeners))
        if len(asked) == 1:
            raise ServerError(0, "away")
        if len(asked) == 2:
            fake.beat()
            until(lambda: b"heartbeat" in b"".join(lines))
        return Missed((f"data: {len(asked)}".encode(),))

    lines = []

    def heard():
        lines.extend(one.data for one in reader.read() if isinstance(one, Record))
        return lines

    first = Missed((b"data: 0",), 0.01, rest)
    url = Server(fake.port, "").events("")
    reader = SseReader(Input(0, "server", "server"), tmp_path, url, headers={}, missed=lambda: first)
    until(lambda: b"data: 3" in heard())
    assert (lines[0], b"data: 2" in lines, asked) == (b"data: 0", False, [1, 1, 1])
    reader.close()


def test_nothing_is_asked_later_once_the_link_is_gone(fake, tmp_path):
    """Another link asks by itself."""
    links, askers = [], []

    def missed():
        links.append(1)
        return Missed((), 0.0, rest) if len(links) == 1 else Missed()

    def rest():
        askers.append(threading.current_thread())
        fake.hang_up()
        until(lambda: len(links) == 2)
        return Missed((b"data: late",))

    url = Server(fake.port, "").events("")
    reader = SseReader(Input(0, "server", "server"), tmp_path, url, headers={}, missed=missed)
    until(lambda: askers and not askers[0].is_alive())
    assert b"late" not in b"".join(one.data for one in reader.finish() if isinstance(one, Record))
    reader.close()
