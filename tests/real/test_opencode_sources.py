"""The real OpenCode on a script: the same is said of it live, and from each of the places where it can be read."""

from __future__ import annotations

import json

import pytest
from installed import needs
from model import ScriptedModel
from opencode_launched import bare, configured, run, serving, wait_for, working
from turns import Turn

from monitor.agents.opencode.server import Server
from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import find

pytestmark = [
    needs("OpenCode"),
    pytest.mark.xdist_group("opencode"),
    pytest.mark.timeout(400),
]
REFUSED = 'echo "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn\'t connect to server"; exit 7'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def script(repo):
    """A failed edit, a refused connection, the edit again, a good edit, Done."""
    file = str(repo / "app.py")
    missed = ("edit", {"filePath": file, "oldString": "goodbye", "newString": "hi"})
    fetch = ("bash", {"command": f": curl -sS https://example.com/x; {REFUSED}", "description": "fetch"})
    good = ("edit", {"filePath": file, "oldString": "hello", "newString": "hi"})
    return [
        Turn(thinking=("I edit.",), calls=(missed,)),
        Turn(calls=(fetch,)),
        Turn(calls=(missed,)),
        Turn(calls=(good,)),
        Turn("Done."),
    ]


def judged(target):
    """What is said of a run that is over."""
    supervisor = Supervisor(find(str(target)), live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    return report


def facts(report):
    """What every source must agree on."""
    row = report["runs"][0]
    return {
        "writes": [
            (one["outstanding"], [fail["failure"] for fail in one["failures"]]) for one in report["failed_writes"]
        ],
        "sites": [(one["site"], one["failed_calls"], one["answered"]) for one in report["sites"]],
        "claims": [one["text"] for one in report["claims"]],
        "counts": (row["requests"], row["turns"], row["calls"], row["tokens"]["input"], row["tokens"]["output"]),
        "state": report["verdict"]["state"],
        "unknown": [one["unknown_types"] for one in report["inputs"]],
        "unreadable": [one["unreadable"] for one in report["inputs"]],
    }


EXPECTED = {
    "writes": [(False, ["not_found", "not_found"])],
    "sites": [("example.com", 1, False)],
    "claims": ["Done."],
    "counts": (1, 5, 4, 500, 50),
    "state": "claimed",
    "unknown": [{}],
    "unreadable": [0],
}


def test_one_run_from_all_its_sources(repo, monkeypatch, tmp_path):
    """Printed by `opencode run`, exported, and kept in its database, it is the same run with the same verdict."""
    with ScriptedModel(script(repo)) as model:
        configured(monkeypatch, model)
        printed = run(repo, "run", "--format", "json", "--thinking", "Change the greeting")
    assert (repo / "app.py").read_text() == "print('hi')\n"
    lines = [json.loads(one) for one in printed.stdout.splitlines()]
    session = lines[0]["sessionID"]
    (tmp_path / "printed.jsonl").write_text(printed.stdout)
    (tmp_path / "export.json").write_text(run(repo, "export", session).stdout)
    for target in (tmp_path / "printed.jsonl", tmp_path / "export.json", session):
        assert facts(judged(target)) == EXPECTED, target


def test_a_run_over_its_server(repo, monkeypatch):
    """Started by somebody else on a server: read from its events as it goes, by its address."""
    with ScriptedModel(script(repo)) as model:
        configured(monkeypatch, model)
        with serving(repo, "made-up") as (port, process):
            monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", "made-up")
            server = Server(port)
            session = server.create(str(repo), "t")
            found = find(f"http://127.0.0.1:{port}/{session}")
            assert found.identity().pid == process.pid
            assert found.project() == repo
            supervisor = Supervisor(found, live=True)
            server.prompt(session, str(repo), "Change the greeting")
            _until(supervisor, lambda: supervisor.snapshot.claims)
            report = build(supervisor.snapshot, supervisor.accounts())
            supervisor.close()
            assert facts(report) == EXPECTED
            assert report["coverage"]["thinking"]["sees"] == "full"
            assert report["thinking"]["characters"] == len("I edit.")


def test_a_run_that_monitor_started(repo, monkeypatch):
    """The same once more, and again from its database when its server is gone."""
    with working(repo, monkeypatch, script(repo)) as (watch, _):
        watch.reads('"session.idle"')
        name = watch.found.title
    assert facts(judged(name)) == EXPECTED


def _until(supervisor, condition):
    wait_for(
        lambda: (supervisor.step(), condition())[1],
        "its end",
        lambda: facts(build(supervisor.snapshot, supervisor.accounts())),
    )
