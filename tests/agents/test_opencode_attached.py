"""A session whose server tells its past when it is attached to: what changed before that is not known."""

from __future__ import annotations

import subprocess

import pytest
from opencode_logs import SESSION
from opencode_watched import done
from waiting import until

from monitor.agents.opencode.live import Live
from monitor.agents.opencode.server import Server
from monitor.events import Prompted, TreeMeasured
from monitor.opening import supervised
from monitor.replay.replay import Replay
from monitor.report.build import build
from monitor.streams.missed import Missed
from monitor.streams.record import Input
from monitor.streams.sse import SseReader
from monitor.supervisor import Supervisor


@pytest.fixture
def project(tmp_path):
    """A git folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "hello.py").write_text("print(1)\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture
def found(fake):
    """A session that has edited a file and said that it is done."""
    message = fake.talk.reply(fake.talk.asked("Change it"))
    fake.talk.edit(message, status="completed")
    done(fake)
    return Live(Server(fake.port, ""), SESSION, "")


@pytest.fixture
def attached(found, project):
    """A monitor that came after the claim."""
    made = supervised(found, project)
    made.start()
    until(lambda: made.snapshot.worktree.attached and not made.snapshot.worktree.pending)
    yield made
    made.close()


def test_what_changed_before_is_not_known(attached):
    """The claim is only a claim, and the reason is that monitor came after the prompt."""
    assert attached.snapshot.verdict.state == "claimed"
    assert "monitor was attached after the prompt" in attached.snapshot.verdict.reason
    assert attached.snapshot.worktree.changed is None


def test_nothing_is_measured_at_a_prompt_of_the_past(attached):
    """The first measurement is that of attaching, after all that was told of the past; none is called the prompt's or claim's."""
    told = [attached.rows.events(index)[0] for index in range(len(attached.rows))]
    measured = [one.when for one in told if isinstance(one, TreeMeasured)]
    assert measured[0] == "start"
    assert not {"prompt", "claim"} & set(measured)
    assert [type(one) for one in told].index(Prompted) < [type(one) for one in told].index(TreeMeasured)


def test_a_prompt_that_comes_while_attached(attached, fake, project):
    """From there on all is measured: a change is a change, and none is none."""
    prompt = fake.talk.asked("Again")
    fake.talk.tell("session.status", status={"type": "busy"})
    fake.flush()
    until(lambda: attached.snapshot.run.requests == 2 and not attached.snapshot.worktree.pending)
    (project / "hello.py").write_text("print(2)\n")
    done(fake, prompt=prompt)
    until(lambda: len(attached.snapshot.claims) == 2 and not attached.snapshot.verdict.provisional)
    assert attached.snapshot.worktree.changed is True


def test_a_report_waits_for_the_server(found):
    """It tells the whole of what the session holds."""
    supervisor = Supervisor(found, live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    assert report["runs"][0]["agent"] == "opencode"
    assert report["verdict"]["claimed_done"] is True


def test_a_replay_waits_for_the_server_too(found):
    """It is the whole session that is replayed, not the nothing that is there before the server has answered."""
    replay = Replay(found)
    replay.begin()
    until(lambda: replay.playback.read == 1.0)
    replay.seek(replay.playback.total)
    until(lambda: replay.playback.count == replay.playback.total)
    replay.close()
    assert (replay.snapshot.run.agent, replay.snapshot.verdict.claimed_done) == ("opencode", True)


def test_the_past_is_over_once_it_is_read(fake, tmp_path):
    """Until then it is still to come; nothing is waited for where the server is away."""
    server = Server(fake.port, "")
    reader = SseReader(
        Input(0, "server", "server"), tmp_path, server.events(""), headers={}, missed=lambda: Missed((b"data: 1",))
    )
    assert reader.past
    told = []
    until(lambda: (told.extend(reader.read()), not reader.past)[1])
    assert told[0].data == b"data: 1"
    reader.close()
    away = SseReader(Input(0, "server", "server"), tmp_path, "http://127.0.0.1:9/", headers={})
    until(lambda: (away.read(), not away.past)[1])
    away.close()
