"""A run that is read from a monitor's own record."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import psutil
import pytest

from monitor.commands.runs import listed
from monitor.config import state_folder
from monitor.events import Prompted, RunStarted, SourceChanged, Thought, ToolCalled
from monitor.events.watched import WRITER_GONE, WRITER_UNKNOWN
from monitor.finding.listers import listers
from monitor.finding.survey import Survey
from monitor.journal import Header, Journal
from monitor.opening import opened, supervised
from monitor.supervisor import Supervisor
from monitor.targets import find

pytestmark = pytest.mark.usefixtures("private_home")


@pytest.fixture
def writer():
    """A process that stands for the monitor that writes a journal."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
    yield process
    process.kill()
    process.wait()


def written(*events, pid=0, started=0.0):
    """A journal of a run that has no end; the folder of journals holds it."""
    header = Header(run="agent.jsonl", agent="native", inputs=("agent.jsonl",), began=10.0, pid=pid, started=started)
    journal = Journal.open(state_folder("journals"), header)
    for event in events or (RunStarted(cwd="/srv/shop"), Prompted(text="go"), Thought(text="I look")):
        journal.append(event)
    journal.close()
    return journal.path


def by(process):
    return {"pid": process.pid, "started": psutil.Process(process.pid).create_time()}


def journals():
    return sorted(state_folder("journals").iterdir())


def until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


def test_a_journal_is_followed_while_its_monitor_lives_and_no_longer(writer):
    """It runs while the very process that writes it does; then it is unknown, for that reason, and is over."""
    path = written(**by(writer))
    with opened(path.stem, None, screen=False) as supervisor:
        until(lambda: supervisor.snapshot.run.requests == 1)
        assert (supervisor.snapshot.verdict.state, supervisor.ended) == ("running", False)
        writer.kill()
        writer.wait()
        until(lambda: supervisor.ended)
        verdict = supervisor.snapshot.verdict
        assert (verdict.state, verdict.reason) == ("unknown", WRITER_GONE[0].upper() + WRITER_GONE[1:])


def test_a_journal_is_never_journaled(writer):
    """Neither while its monitor lives nor afterwards does looking at it leave another record behind."""
    for path in (written(**by(writer)), written(pid=writer.pid, started=1.0), written()):
        supervisor = supervised(find(str(path)), None)
        assert supervisor.journal is None
        supervisor.close()
    assert len(journals()) == 3


@pytest.mark.parametrize("reused", [True, False])
def test_a_journal_whose_monitor_cannot_be_seen_is_not_followed(writer, reused):
    """A number that another process has now is no monitor's, and an older journal names none; the report says so too."""
    path = written(pid=writer.pid, started=1.0) if reused else written()
    found = find(path.stem)
    assert found.alive() is False
    supervisor = Supervisor(found, live=False)
    supervisor.read_all()
    why = WRITER_GONE if reused else WRITER_UNKNOWN
    assert supervisor.snapshot.verdict.state == "unknown"
    assert supervisor.snapshot.verdict.reason.casefold() == why.casefold()


def test_what_a_long_journal_holds_is_all_read_before_it_is_told_that_its_monitor_is_gone():
    """The end that is told stands behind the last event; one that the journal holds itself is not told again."""
    calls = [ToolCalled(call=str(number), kind="read") for number in range(5_000)]
    for last in ((), (SourceChanged(what="gone", text="the agent's process is gone"),)):
        path = written(Prompted(text="go"), *calls, *last)
        with opened(str(path), None, screen=False) as supervisor:
            until(lambda: supervisor.snapshot.run.requests == 1 and supervisor.ended)
            kinds = [supervisor.rows.row(supervisor.rows.ref(index)).kind for index in range(len(supervisor.rows))]
        assert (len(kinds), kinds.index("source")) == (5_002, 5_001)


def test_a_journal_of_a_journal_is_not_listed_and_a_run_says_its_folder(capsys):
    """What an earlier version recorded twice is one run; its folder is the one that its log names."""
    path = written()
    twice = Header(run="agent.jsonl", agent="native", inputs=(path.name,), began=20.0)
    Journal.open(state_folder("journals"), twice).close()
    (run,) = Survey(listers()).look().runs
    assert (run.session, run.folder) == (path.stem, "/srv/shop")
    assert listed(as_json=True, everything=True) == 0
    assert [one["folder"] for one in json.loads(capsys.readouterr().out)["runs"]] == ["/srv/shop"]


def test_the_list_says_whether_the_monitor_of_a_journal_lives(writer):
    """A journal without an end is unknown, and the reason tells whether it is still written to."""
    written(**by(writer))
    written(pid=writer.pid, started=1.0)
    how = sorted(run.how for run in Survey(listers()).look().runs)
    assert [one.partition("of it")[2] for one in how] == [
        ", and its monitor is gone",
        ", but the monitor that writes it still runs",
    ]
