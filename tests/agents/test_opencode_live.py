"""A session followed and reached over its server, as somebody else started it."""

from __future__ import annotations

import pytest
from opencode_logs import CHILD, CWD, SESSION, Talk
from opencode_server import PASSWORD, serving
from opencode_watched import Watch, done, events_of
from waiting import until

from monitor.agents.opencode.live import Live, at
from monitor.agents.opencode.server import Server, server_at
from monitor.agents.opencode.words import STANDS
from monitor.errors import MonitorError
from monitor.events import Prompted, Waiting
from monitor.reaching import channel_of
from monitor.report.build import build
from monitor.streams.record import Input, Shift
from monitor.streams.sse import SseReader, events
from monitor.targets import find


def test_a_run_is_followed_live(fake, watch):
    """What the session held before comes first, then what happens; at the end it is what its log would say."""
    message = fake.talk.reply()
    fake.talk.spoken(message, "I think.", "reasoning", ("I ", "think."))
    fake.talk.edit(message, status="error", error="Could not find oldString in the file.")
    fake.flush()
    watch.until(lambda: watch.run.snapshot.run.calls == 1)
    done(fake)
    watch.until(lambda: watch.run.snapshot.claims)
    report = build(watch.run.snapshot, watch.run.accounts())
    assert report["verdict"]["state"] == "not made"
    assert report["failed_writes"][0]["failures"][0]["failure"] == "not_found"
    assert report["coverage"]["thinking"]["sees"] == "full"
    assert report["inputs"][0]["bytes"] == report["inputs"][0]["decoded_bytes"]


def test_what_was_missed_is_asked_for(fake, watch):
    """The link breaks while the session goes on: that is said, and so is that it is back; nothing is told twice."""
    fake.hang_up()
    message = fake.talk.reply()
    fake.talk.bash(message, "make", 0, "made")
    fake.talk.ended(message, "tool-calls")
    fake.told = len(fake.talk.events)
    watch.until(lambda: watch.run.snapshot.run.calls == 1)
    done(fake)
    watch.until(lambda: watch.run.snapshot.claims)
    assert watch.run.snapshot.run.requests == 1
    assert watch.run.snapshot.run.calls == 1
    assert watch.run.snapshot.sources == ()


def test_an_end_that_was_missed_is_known(fake, watch):
    """The session came to rest while nobody listened: its server says so."""
    fake.hang_up()
    message = fake.talk.reply()
    fake.talk.spoken(message, "Done")
    fake.talk.ended(message)
    fake.working, fake.told = False, len(fake.talk.events)
    watch.until(lambda: watch.run.snapshot.claims)
    assert [one.text for one in watch.run.snapshot.claims] == ["Done"]


def test_an_address_is_a_target(fake, monkeypatch):
    """Its server's session, the one it works on before others; named, that one. It is reached over the server."""
    found = find(f"http://127.0.0.1:{fake.port}")
    assert (found.title, found.folder) == (SESSION, CWD)
    assert find(f"http://localhost:{fake.port}/{SESSION}").title == SESSION
    channel = channel_of(found)
    assert channel.name == "server"
    channel.close()
    for target, words in (
        (f"http://127.0.0.1:{fake.port}/ses_none", "answers 404"),
        ("http://127.0.0.1:1", "cannot be reached"),
        ("http://example.com:80", "on this machine alone"),
        ("http://127.0.0.1", "no port"),
        ("http://[", "no address"),
    ):
        with pytest.raises(MonitorError, match=words):
            find(target)
    assert at("a.log") is None
    assert server_at("https://127.0.0.1:1") == "monitor asks servers on this machine alone"


def test_a_password_comes_from_our_own_environment(monkeypatch):
    """Without it the server is locked, and that is said; with it all goes well."""
    with serving(PASSWORD) as fake:
        with pytest.raises(MonitorError, match="OPENCODE_SERVER_PASSWORD"):
            find(f"http://127.0.0.1:{fake.port}")
        monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", PASSWORD)
        watch = Watch(find(f"http://127.0.0.1:{fake.port}"))
        fake.talk.asked("hello")
        watch.until(lambda: fake.listeners)
        fake.flush()
        watch.until(lambda: watch.run.snapshot.run.requests == 1)
        watch.close()


def shifts(reader):
    return [(one.what, one.text) for one in reader.read(1 << 20) if isinstance(one, Shift)]


def test_silence_is_a_dead_link(fake, tmp_path):
    """Longer than the heartbeat allows: it is told as lost, and made again."""
    source, told = Input(0, "server", "server"), []
    reader = SseReader(source, tmp_path, Server(fake.port, "").events(CWD), headers={}, silence=0.2)
    until(lambda: (told.extend(shifts(reader)), len(told) >= 2)[1])
    reader.close()
    assert told[0] == ("lost", "no word from the server for 0 s")
    assert told[1] == ("back", "the server is there again")
    assert not list(tmp_path.iterdir())


def test_a_server_that_goes_away_is_told_once(tmp_path):
    """And the reader goes on looking for it until it is closed."""
    told = []
    with serving() as fake:
        reader = SseReader(Input(0, "server", "server"), tmp_path, Server(fake.port, "").events(CWD), headers={})
        until(lambda: fake.listeners)
    until(lambda: (told.extend(shifts(reader)), len(told) >= 2)[1])
    assert [what for what, _ in told] == ["lost", "lost"]
    assert "cannot be reached" in told[1][1]
    reader.close()
    reader.close()


def test_an_event_of_several_lines_is_one():
    """Other fields and comments are left out."""
    told = ["event: x", "data: {", "data: }", "", ": heartbeat", "", "data:[1]", "", "data: unfinished"]
    assert list(events(told)) == [b"data: { }", b"data: [1]"]


def test_a_prompt_is_told_once(fake, watch):
    """What a channel says comes back as the run's own prompt."""
    watch.send("1", "feedback", "Use tabs")
    watch.until(lambda: watch.evidence("1") == STANDS)
    prompts = [
        one
        for one in (watch.run.rows.events(index)[0] for index in range(len(watch.run.rows)))
        if isinstance(one, Prompted)
    ]
    assert [one.text for one in prompts] == ["Change it", "Use tabs"]


def test_a_prompt_that_was_just_given_is_not_over(fake, monkeypatch):
    """Its session says that it works only once it does; an old one that nobody took up is at rest."""
    prompt = fake.talk.asked("Change it")
    server = Server(fake.port, "")
    assert any(b'"idle"' in line for line in server.told(SESSION, CWD).lines)
    now = next(one["info"]["time"]["created"] for one in fake.messages() if one["info"]["id"] == prompt) / 1000
    monkeypatch.setattr("monitor.agents.opencode.server.time.time", lambda: now + 1)
    assert not any(b'"idle"' in line for line in server.told(SESSION, CWD).lines)


def test_a_sub_agent_that_was_at_work_before(fake):
    """Its session is asked for with its parent's, and it is an actor of the run; its end is told as its server tells it."""
    message = fake.talk.reply(fake.talk.asked("go"))
    child = fake.child = Talk(CHILD)
    child.clock = fake.talk.clock
    child.created(parentID=SESSION)
    child.bash(child.reply(child.asked("look")), "ls", 0, "app.py")
    fake.talk.clock = child.clock
    state = {"status": "running", "input": {"prompt": "look"}, "metadata": {"sessionId": CHILD}}
    fake.talk.part("tool", message, tool="task", callID="call_0", state=state)
    fake.working = True
    watch = Watch(Live(Server(fake.port, ""), SESSION, CWD))
    watch.until(lambda: fake.listeners and watch.run.snapshot.run.calls == 2)
    report = build(watch.run.snapshot, watch.run.accounts())
    assert [one["id"] for one in report["runs"]][1:] == [CHILD]
    watch.close()


def test_what_waits_for_a_person_is_told_once(fake):
    """Asked before anybody listened it is told, and not again after the link was lost."""
    prompt = fake.talk.asked("Fix it")
    given = {"command": "rm -rf build"}
    fake.talk.tool(fake.talk.reply(prompt), "bash", given)
    fake.working, fake.told = True, len(fake.talk.events)
    tool = {"messageID": fake.talk.events[-1]["properties"]["part"]["messageID"], "callID": "call_0"}
    fake.questions.append({"id": "per_1", "sessionID": SESSION, "permission": "bash", "metadata": given, "tool": tool})
    fake.inquiries.append({"id": "que_1", "sessionID": SESSION, "questions": [{"question": "Which one?"}]})
    with events_of(Live(Server(fake.port, ""), SESSION, CWD)) as tells:
        until(lambda: len(tells(Waiting)) == 2)
        (link,) = until(lambda: fake.listeners)
        fake.hang_up()
        until(lambda: fake.listeners and fake.listeners != [link])
        fake.talk.tell("permission.replied", requestID="per_1", reply="once")
        fake.flush()
        until(lambda: any(one.over for one in tells(Waiting)))
        assert [(one.on, one.about, one.over) for one in tells(Waiting)] == [
            ("approval", "bash rm -rf build", False), ("user", "Which one?", False), ("approval", "", True),
        ]  # fmt: skip


def test_a_server_that_knows_no_questions_is_followed(fake):
    """It refuses to tell any; all else is told."""
    fake.inquiries = None
    fake.talk.asked("Fix it")
    with events_of(Live(Server(fake.port, ""), SESSION, CWD)) as tells:
        until(lambda: tells(Prompted))
