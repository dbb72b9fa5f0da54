"""A session of OpenCode's reached over its server: words, aborts and answers."""

from __future__ import annotations

import pytest
from opencode_logs import CWD, SESSION
from opencode_watched import done
from waiting import until

from monitor.agents.opencode.control import OpenCodeChannel
from monitor.agents.opencode.live import Live
from monitor.agents.opencode.server import Server
from monitor.agents.opencode.words import STANDS, UNANSWERED
from monitor.supervisor import Supervisor


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
