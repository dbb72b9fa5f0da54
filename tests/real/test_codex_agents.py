"""The real Codex with sub-agents, by both of its ways to start them: they stand below the thread that started them."""

from __future__ import annotations

import subprocess

import pytest
from codex_delegating import WAYS, spawns
from codex_launched import CODEX, asked, bare, configured, patch, receipt, wait_for, working
from model import ScriptedModel
from turns import Turn

from monitor.actions import Action
from monitor.agents.codex.find import FINDER
from monitor.agents.codex.listing import LISTER
from monitor.agents.codex.process import home
from monitor.finding.ends import FileEnds
from monitor.finding.machine import look
from monitor.launch.launched import LaunchedFinder
from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import FINDERS

pytestmark = [
    pytest.mark.skipif(CODEX is None, reason="Codex is not installed: run tests/real/install.py"),
    pytest.mark.xdist_group("codex"),
]
MISSED = patch("print('nope')", "print('hi')")
REFUSED = 'echo "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn\'t connect to server"; exit 7'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def waits(file):
    return "exec_command", {"cmd": f"until [ -e {file} ]; do sleep 0.05; done; echo went", "yield_time_ms": 25_000}


def mending(way, *, forks=False):
    """The script of a root that waits for its sub-agent, and that one's: a refused connection, a failed write."""
    first = ("exec_command", {"cmd": "echo begun"})
    root = [
        Turn(calls=(first,)), Turn(calls=(spawns(way, "<<mend>> it", forks=forks),)), Turn(calls=(waits("go"),)),
        Turn("Done."),
    ]  # fmt: skip
    site = ("exec_command", {"cmd": f": curl -sS https://example.com/x; {REFUSED}"})
    return root, {"<<mend>>": [Turn(thinking=("Mine.",), calls=(site,)), Turn(calls=(MISSED,)), Turn("Mended.")]}


def told(report):
    """What every source must agree on."""
    return {
        "runs": [(one["parent"], one["turns"], one["calls"], one["status"]) for one in report["runs"]],
        "children": [one["id"] for one in report["runs"][1:]],
        "writes": [(one["outstanding"], len(one["failures"])) for one in report["failed_writes"]],
        "sites": [(one["site"], one["failed_calls"]) for one in report["sites"]],
        "requests": report["runs"][0]["requests"],
        "claims": [one["text"] for one in report["claims"]],
        "tokens": report["runs"][0]["tokens"],
        "unknown": [one["unknown_types"] for one in report["inputs"] if one["unknown_types"]],
    }


def judged(found):
    supervisor = Supervisor(found, live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    return report


def children(supervisor):
    """The sub-agents that are over."""
    return [one for one in supervisor.snapshot.actors if one.id and one.status]


@pytest.mark.parametrize("forks", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_sub_agent_stands_below_its_root(repo, way, forks):
    """Its calls, its failed write and its site are the run's, live and from the rollouts; what a fork copied is not."""
    root, agents = mending(way, forks=forks)
    with working(repo, root, agents=agents, tables=WAYS[way][1]) as (supervisor, _):
        wait_for(lambda: children(supervisor), f"the end of the sub-agent: {supervisor.snapshot.actors}")
        (repo / "go").touch()
        wait_for(lambda: supervisor.snapshot.claims, "the claim")
        wait_for(lambda: supervisor.snapshot.verdict.state == "not made", f"the verdict: {supervisor.snapshot.verdict}")
        live = build(supervisor.snapshot, supervisor.accounts())
        folder = supervisor.found.folder
    kept = judged(FINDER.open(home()))
    assert told(live) == told(kept)
    assert told(judged(LaunchedFinder(FINDERS).open(folder))) == told(kept)
    assert told(kept)["runs"] == [(None, 7, 5, None), ("", 3, 2, "completed")]
    assert told(kept)["writes"] == [(True, 1)]
    assert told(kept)["sites"] == [("example.com", 1)]
    assert told(kept)["requests"] == 1
    assert told(kept)["unknown"] == []


def test_a_sub_agent_of_a_sub_agent(repo):
    """It stands below the one that started it, and both below the root; one run is listed, and it is the root."""
    root = [Turn(calls=(spawns("v1", "<<mend>> it"),)), Turn(calls=(waits("go"),)), Turn("Done.")]
    agents = {
        "<<mend>>": [Turn(calls=(spawns("v1", "<<look>> at it"),)), Turn(calls=(waits("looked"),)), Turn("Mended.")],
        "<<look>>": [Turn(calls=(("exec_command", {"cmd": "touch looked"}),)), Turn("Looked.")],
    }
    with working(repo, root, agents=agents, tables=WAYS["v1"][1]) as (supervisor, _):
        wait_for(lambda: len(children(supervisor)) == 2, f"both ends: {supervisor.snapshot.actors}")
        (repo / "go").touch()
        wait_for(lambda: supervisor.snapshot.claims, "the claim")
        thread = supervisor.snapshot.run.session
        assert [one.session for one in LISTER.listed(look(), FileEnds())] == [thread]
    upper, lower = judged(FINDER.open(home()))["runs"][1:]
    assert (upper["parent"], lower["parent"]) == ("", upper["id"])
    assert FINDER.open(home()).session == thread


@pytest.mark.parametrize("way", WAYS)
def test_an_exec_tells_of_it_what_it_can(repo, way):
    """Piped, the first way names the sub-agent and its end, and that its doings are not seen; the second names none."""
    root, agents = mending(way)
    (repo / "go").touch()
    agents = {"<<mend>>": [Turn("Mended.")]}
    if way == "v1":
        root[2] = Turn(calls=(("exec_command", {"cmd": "sleep 1"}),))
    with ScriptedModel(root, agents=agents) as model:
        configured(model, repo, tables=WAYS[way][1])
        command = [str(CODEX), "exec", "--json", "--skip-git-repo-check", "Say hi"]
        done = subprocess.run(command, cwd=repo, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
    (repo.parent / "piped").write_bytes(done.stdout)
    report = judged(FINDER.open(repo.parent / "piped"))
    assert [one["parent"] for one in report["runs"]] == ([None, ""] if way == "v1" else [None])
    assert (report["coverage"]["sites"]["sees"] == "partial") == (way == "v1")
    if way == "v1":
        assert report["runs"][1]["task"] == "<<mend>> it"
        kept = judged(FINDER.open(home()))
        assert report["runs"][1]["id"] == kept["runs"][1]["id"]


@pytest.mark.parametrize("way", WAYS)
def test_an_abort_ends_what_the_run_started(repo, way):
    """Of a run that monitor started, the sub-agents end with its process."""
    root = [Turn(calls=(spawns(way, "<<mend>> it"),)), Turn(calls=(waits("go"),)), Turn("Never.")]
    with working(repo, root, agents={"<<mend>>": [Turn(calls=(waits("go"),))]}, tables=WAYS[way][1]) as (
        supervisor, model,
    ):  # fmt: skip
        wait_for(lambda: supervisor.snapshot.run.calls == 3, "both in their tools")
        supervisor.act(Action("1", "abort"))
        wait_for(lambda: receipt(supervisor, "1") == "done", f"its end: {supervisor.snapshot.actions}")
        wait_for(lambda: supervisor.snapshot.verdict.state == "aborted", "the verdict")
        assert len(asked(model)) == 3
