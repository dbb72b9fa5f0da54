"""What OpenCode's server tells once and keeps nowhere, and what it cannot tell yet: no run waits for it for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest
from kept_runs import kept, watched
from opencode_logs import SESSION, of, records, sse, told
from opencode_server import serving
from opencode_watched import done, events_of, stand_in
from waiting import until

import monitor
from monitor.actions import Action
from monitor.agents.opencode import serving as begun
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.errors import MonitorError
from monitor.events import Prompted, RequestEnded, RunEnded
from monitor.reaching import channel_of, followed
from monitor.supervisor import Supervisor

ROOT = Path(monitor.__file__).parents[1]
REASON = "Model not found: fake/none."
UNKNOWN = {"name": "UnknownError", "data": {"message": REASON}}
TRACE = {"name": "UnknownError", "data": {"message": "ProviderModelNotFoundError\n    at getModel"}}


def no_model(fake):
    """The server holds the prompt, and tells while it is given why nothing comes of it, as OpenCode does."""

    def prompted(words):
        fake.talk.asked(words)
        fake.talk.tell("session.status", status={"type": "busy"})
        fake.talk.tell("session.error", error=UNKNOWN)
        fake.talk.idle()
        fake.talk.tell("session.error", error=TRACE)
        fake.flush()
        return ...

    fake.prompted = prompted


def no_agent(fake):
    """The server does not even keep the prompt, and says no word of its session."""

    def prompted(words):
        del words
        fake.talk.tell("session.error", error=UNKNOWN)
        fake.talk.tell("session.error", error=TRACE)
        fake.flush()
        return ...

    fake.prompted = prompted


@pytest.mark.parametrize("tells_error", [no_model, no_agent])
def test_an_error_told_once_while_the_task_is_said_ends_the_run(tmp_path, tells_error):
    """Who listens in the moment of the prompt hears it, and nobody later: the run has heard it, once, as its end."""
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        tells_error(fake)
        followed(found)
        with events_of(found) as tells:
            until(lambda: tells(RunEnded))
            (end,) = tells(RunEnded)
            assert (end.status, end.reason) == ("failed", REASON)
            assert [one.how for one in tells(RequestEnded)] == ["error"]


@pytest.mark.parametrize("tells_error", [no_model, no_agent])
def test_the_rows_of_such_an_end(tmp_path, tells_error):
    """Both say the reason, though the record with which it ended may not hold it."""
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        tells_error(fake)
        followed(found)
        run = Supervisor(found, live=True)
        until(lambda: (run.step(), run.snapshot.run.over)[1])
        rows = [(one.kind, one.text) for one in map(run.rows.row, range(len(run.rows)))]
        assert rows[-2:] == [("notice", REASON), ("ended", REASON)]
        run.close()


def test_that_a_session_rests_says_nothing_alone(talk):
    """Where nothing is known of what was before, nothing is known of an end."""
    talk.idle()
    for line in sse(*talk.events[-2:]):
        decoder = OpenCodeDecoder(SESSION, ends=True)
        told_alone = [event for record in records([line]) for event in decoder.feed(record)]
        assert of(told_alone, RequestEnded, RunEnded) == []


def test_an_abort_before_anything_is_heard_ends_the_server(tmp_path):
    """Its task was said, and no event of it came yet: what the operator is told is what is done."""
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        fake.prompted = lambda words: ...
        followed(found)
        with watched(found, channel_of(found)) as watch:
            watch.until(lambda: watch.channel.how("abort").startswith("ends its server"))
            watch.channel.send(Action("1", "abort"))
            watch.until(lambda: watch.steps("1")[-1:] == ["done"])
            until(lambda: found.ended() is not None)


def test_what_is_heard_before_anybody_reads_is_the_runs_own_once(tmp_path):
    """The whole request is over before the run is opened: each of its events is there, and none twice."""
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        done(fake)
        with events_of(found) as tells:
            until(lambda: tells(RunEnded))
            assert [one.text for one in tells(Prompted)] == ["Fix it"]
            assert [(one.how, one.text) for one in tells(RequestEnded)] == [("answered", "Done")]
            assert len(fake.listeners) == 1


def test_the_task_is_not_said_where_no_event_can_be_heard(tmp_path, monkeypatch):
    """Why is told, and nothing goes on listening."""
    monkeypatch.setattr(begun, "_PATIENCE", 1.0)
    others = threading.enumerate()
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        fake.deaf = True
        with pytest.raises(MonitorError, match="cannot be heard: the server answers 503"):
            followed(found)
        assert [path for path, _ in fake.asked] == ["/session"]
        until(lambda: not [one for one in threading.enumerate() if one.name == "events" and one not in others])


def test_a_server_that_ends_before_it_is_heard(tmp_path):
    """Its last words are told."""
    with serving() as fake, kept(stand_in(fake.port), tmp_path) as found:
        fake.deaf = True
        with pytest.raises(MonitorError, match="has ended: no room"):
            found.serving.begin(found.folder / "output", "x", {}, lambda: "no room" if fake.asked else None)


def test_an_error_before_anything_was_asked_is_an_end(talk):
    """Told twice, it is one; what comes after an end that was told is none of it."""
    talk.tell("session.error", error=UNKNOWN)
    talk.tell("session.error", error=TRACE)
    assert [(one.how, one.text) for one in of(told(talk), RequestEnded)] == [("error", REASON)]
    prompt = talk.asked()
    message = talk.reply(prompt)
    talk.spoken(message, "Done")
    talk.ended(message, "stop", prompt)
    talk.idle()
    talk.tell("session.error", error=TRACE)
    assert [one.how for one in of(told(talk), RequestEnded)] == ["error", "answered"]


def begun_without_screen(tmp_path, fake):
    """`monitor run -- opencode run TEXT`, where `opencode` says that it listens where `fake` does."""
    program = tmp_path / "bin" / "opencode"
    program.parent.mkdir()
    says = f"print('opencode server listening on http://127.0.0.1:{fake.port}', flush=True)"
    program.write_text(
        f"#!{sys.executable}\nimport os, time\nopen('pid', 'w').write(str(os.getpid()))\n{says}\ntime.sleep(300)\n"
    )
    program.chmod(0o755)
    (tmp_path / "work").mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "monitor", "run", "--", str(program), "run", "Fix it"],
        cwd=tmp_path / "work", env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def over(tmp_path, process):
    """How it ended: its exit code, what it printed, and what it said; its server is gone."""
    out, err = process.communicate(timeout=60)
    pid = int((tmp_path / "work" / "pid").read_text())
    until(lambda: not psutil.pid_exists(pid))
    return process.returncode, out, err


@pytest.mark.parametrize("tells_error", [no_model, no_agent])
def test_a_run_that_fails_at_once_ends_with_1(tmp_path, tells_error):
    """The reason stands in the report, and the server is ended."""
    with serving() as fake:
        tells_error(fake)
        code, out, err = over(tmp_path, begun_without_screen(tmp_path, fake))
    assert code == 1, err
    assert "FAILED" in out
    assert REASON in out


def test_a_run_that_somebody_stops_does_not_end_with_0(tmp_path):
    """Only one that has answered does."""

    def prompted(words):
        message = fake.talk.reply(fake.talk.asked(words))
        error = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
        fake.talk.ended(message, "", error=error)
        fake.talk.idle()
        fake.flush()
        return ...

    with serving() as fake:
        fake.prompted = prompted
        code, _, err = over(tmp_path, begun_without_screen(tmp_path, fake))
    assert code == 1, err


def test_a_server_that_takes_no_task_is_ended(tmp_path):
    """It refuses the prompt: that is told, and no server stays behind that nobody has asked anything."""
    with serving() as fake:
        fake.prompted = lambda words: None
        code, _, err = over(tmp_path, begun_without_screen(tmp_path, fake))
    assert code == 3, err
    assert "OpenCode cannot be asked: the server answers 404" in err
    assert "goes on" not in err


def test_an_interrupt_before_the_task_is_said_ends_the_server(tmp_path):
    """Nothing would be left that it works on."""
    with serving() as fake:
        fake.deaf = True
        process = begun_without_screen(tmp_path, fake)
        until(lambda: fake.asked)
        process.send_signal(signal.SIGINT)
        code, _, err = over(tmp_path, process)
        assert [path for path, _ in fake.asked] == ["/session"]
    assert code, err
    assert "goes on" not in err
