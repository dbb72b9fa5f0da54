"""A session followed and reached over its server, as somebody else started it."""

from __future__ import annotations

import pytest
from opencode_logs import CHILD, CWD, SESSION, Talk
from opencode_server import PASSWORD, serving
from waiting import until

from monitor.actions import Action
from monitor.agents.opencode.control import OpenCodeChannel
from monitor.agents.opencode.live import Live, at
from monitor.agents.opencode.server import Server, server_at
from monitor.agents.opencode.words import STANDS, UNANSWERED
from monitor.errors import MonitorError
from monitor.events import Prompted
from monitor.reaching import channel_of
from monitor.report.build import build
from monitor.streams.record import Input, Shift
from monitor.streams.sse import SseReader, events
from monitor.supervisor import Supervisor
from monitor.targets import find


@pytest.fixture
def fake():
    """A server with one session."""
    with serving() as made:
        yield made


class Watch:
    """A run as it is followed, and what became of each action."""

    def __init__(self, found, channel=None):
        self.channel = channel or OpenCodeChannel(found.server, found.session, found.folder, lambda: None, wait=0.3)
        self.acted = []
        self.run = Supervisor(found, live=True, channel=self.channel, tap=self._tap)

    def _tap(self, event, run):
        if type(event).__name__ == "Acted":
            self.acted.append(event)

    def until(self, condition):
        def stepped():
            self.run.step()
            return condition()

        return until(stepped)

    def steps(self, name):
        return [one.receipt for one in self.acted if one.id == name]

    def evidence(self, name):
        return next((one.evidence for one in reversed(self.acted) if one.id == name), "")

    def send(self, *args, **more):
        self.run.act(Action(*args, **more))

    def close(self):
        self.run.close()


@pytest.fixture
def watch(fake):
    """A session at work, followed."""
    fake.talk.asked("Change it")
    fake.talk.reply()
    fake.working = True
    made = Watch(Live(Server(fake.port, ""), SESSION, CWD))
    made.until(lambda: made.run.snapshot.run.requests == 1 and fake.listeners)
    fake.told = len(fake.talk.events)
    yield made
    made.close()


def done(fake, words="Done", prompt="", message=""):
    """The session answers, and rests."""
    message = message or fake.talk.reply(prompt)
    fake.talk.spoken(message, words, pieces=(words,))
    fake.talk.ended(message, "stop", prompt)
    fake.working = False
    fake.talk.idle()
    fake.flush()


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


def test_feedback_into_a_running_request(fake, watch):
    """Its server has it, it stands in the conversation, the next step holds it, and that request comes to its end."""
    assert watch.channel.how("feedback") == "into the running request, at its next step"
    watch.send("1", "feedback", "Use tabs")
    watch.until(lambda: watch.evidence("1") == STANDS)
    assert watch.steps("1")[-1] == "delivered"
    prompt = fake.talk.events[-1]["properties"]["part"]["messageID"]
    done(fake, prompt=prompt)
    watch.until(lambda: watch.steps("1")[-1:] == ["done"])
    assert "seen" in watch.steps("1")
    assert fake.asked == [(f"/session/{SESSION}/prompt_async", {"parts": [{"type": "text", "text": "Use tabs"}]})]


def test_a_warning_in_the_monitors_voice(fake, watch):
    """It names itself."""
    watch.send("1", "warn", "Read the file")
    watch.until(lambda: fake.asked)
    assert fake.asked[0][1]["parts"][0]["text"].startswith("Notice from monitor")


def test_feedback_between_requests(fake, watch):
    """It begins the next one."""
    done(fake)
    watch.until(lambda: watch.run.snapshot.claims)
    assert watch.channel.how("feedback") == "as its next prompt: no request is running"
    watch.send("1", "feedback", "And the tests")
    watch.until(lambda: watch.run.snapshot.run.requests == 2)


def test_feedback_for_later_waits(fake, watch):
    """It is said when the running request is over, and not before."""
    watch.send("1", "feedback", "And the tests", when="later")
    watch.until(lambda: watch.steps("1") == ["queued"])
    assert not fake.asked
    done(fake)
    watch.until(lambda: fake.asked)
    watch.until(lambda: watch.run.snapshot.run.requests == 2)


def test_feedback_at_once_ends_what_runs(fake, watch):
    """The session is stopped, and only once it rests is it told the rest: two loops never run side by side."""
    watch.send("1", "feedback", "No, that file", when="now")
    watch.until(lambda: fake.asked)
    assert fake.asked == [(f"/session/{SESSION}/abort", None)]
    aborted(fake)
    watch.until(lambda: len(fake.asked) == 2)
    assert fake.asked[1][0].endswith("prompt_async")


def aborted(fake):
    """The session obeys."""
    error = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
    message = next(one["info"]["id"] for one in reversed(fake.messages()) if one["info"]["role"] == "assistant")
    fake.talk.tell("session.error", error=error)
    fake.talk.idle()
    fake.talk.ended(message, "", error=error)
    fake.talk.idle()
    fake.working = False
    fake.flush()


def test_an_abort_is_done_when_the_session_rests(fake, watch):
    """That its server says yes proves nothing."""
    watch.send("1", "abort")
    watch.until(lambda: watch.steps("1")[-1:] == ["delivered"])
    aborted(fake)
    watch.until(lambda: watch.steps("1")[-1:] == ["done"])
    assert watch.evidence("1") == "its session is idle"
    watch.send("2", "abort")
    watch.until(lambda: watch.steps("2")[-1:] == ["failed"])
    assert "its request is over" in watch.evidence("2")


def test_an_abort_that_is_not_obeyed_fails(fake, watch):
    """After its time, where no process is known that could be signalled."""
    watch.send("1", "abort")
    watch.until(lambda: watch.steps("1")[-1:] == ["failed"])
    assert "not idle" in watch.evidence("1")


def test_words_that_an_abort_overtakes_are_told(fake, watch):
    """They stand in the conversation, and nobody will answer them."""
    watch.send("1", "feedback", "Use tabs")
    watch.until(lambda: watch.evidence("1") == STANDS)
    watch.send("2", "abort")
    watch.until(lambda: "delivered" in watch.steps("2"))
    aborted(fake)
    watch.until(lambda: watch.steps("1")[-1:] == ["failed"])
    assert watch.evidence("1") == UNANSWERED


@pytest.mark.parametrize(
    ("verb", "answer"), [("allow", {"reply": "once"}), ("deny", {"reply": "reject", "message": "no"})]
)
def test_a_question_is_answered(fake, watch, verb, answer):
    """By the call it is about; a denial has a reason, without which OpenCode would end the run."""
    message = fake.talk.reply()
    call = fake.talk.tool(message, "bash", {"command": "rm -rf build"})
    tool = {"messageID": message, "callID": "call_0"}
    fake.talk.tell("permission.asked", id="per_1", permission="bash", patterns=["rm -rf build"], metadata={}, tool=tool)
    assert watch.channel.can(verb) == "nothing waits for approval"
    fake.flush()
    watch.until(lambda: watch.channel.can(verb) == "")
    assert "rm -rf build" in str(watch.run.snapshot.waiting)
    watch.send("1", verb, "no" if verb == "deny" else "", call)
    watch.until(lambda: watch.steps("1")[-1:] == ["delivered"])
    assert fake.asked == [("/permission/per_1/reply", answer)]
    fake.talk.tell("permission.replied", requestID="per_1", reply=answer["reply"])
    fake.flush()
    watch.until(lambda: watch.steps("1")[-1:] == ["done"])
    assert watch.channel.can(verb) == "nothing waits for approval"


def test_another_process_in_its_folder_keeps_words_back(fake):
    """Words could begin a second loop in the same session, until it is seen at work on this very server."""
    found = Live(Server(fake.port, ""), SESSION, CWD)
    channel = OpenCodeChannel(found.server, SESSION, CWD, lambda: None, rival=lambda: "process 7 works there too")
    run = Supervisor(found, live=True, channel=channel)
    until(lambda: (run.step(), fake.listeners)[1])
    assert channel.can("feedback") == "process 7 works there too"
    message = fake.talk.reply(fake.talk.asked("go"))
    fake.talk.spoken(message, "ok", pieces=("ok",))
    fake.flush()
    until(lambda: (run.step(), channel.can("feedback") == "")[1])
    run.close()


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
    assert any(b'"idle"' in line for line in server.told(SESSION, CWD))
    now = next(one["info"]["time"]["created"] for one in fake.messages() if one["info"]["id"] == prompt) / 1000
    monkeypatch.setattr("monitor.agents.opencode.server.time.time", lambda: now + 1)
    assert not any(b'"idle"' in line for line in server.told(SESSION, CWD))


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
