"""The real Codex on a script: the same is said of it live and from its rollout."""

from __future__ import annotations

import subprocess
import sys

import pytest
from codex_launched import CODEX, bare, configured, patch, wait_for, working
from installed import needs
from model import ScriptedModel
from turns import Turn

from monitor.agents.codex.find import FINDER
from monitor.agents.codex.process import home
from monitor.launch.launched import LaunchedFinder
from monitor.report.build import build
from monitor.supervisor import Supervisor
from monitor.targets import FINDERS

pytestmark = [
    needs("Codex"),
    pytest.mark.xdist_group("codex"),
]
REFUSED = 'echo "curl: (7) Failed to connect to example.com port 443 after 0 ms: Couldn\'t connect to server"; exit 7'
MISSED = patch("print('nope')", "print('hi')")
SCRIPT = [
    Turn(thinking=("I edit.",), calls=(MISSED,)),
    Turn(calls=(("exec_command", {"cmd": f": curl -sS https://example.com/x; {REFUSED}"}),)),
    Turn(calls=(MISSED,)),
    Turn(calls=(patch("print('hello')", "print('hi')"),)),
    Turn("Done."),
]


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def facts(report):
    """What every source must agree on."""
    row = report["runs"][0]
    return {
        "writes": [
            (one["outstanding"], [fail["failure"] for fail in one["failures"]]) for one in report["failed_writes"]
        ],
        "sites": [(one["site"], one["failed_calls"], one["answered"], one["kinds"]) for one in report["sites"]],
        "counts": {name: row[name] for name in ("requests", "turns", "calls", "task", "session")},
        "claims": [one["text"] for one in report["claims"]],
        "claimed": report["verdict"]["claimed_done"],
        "tokens": row["tokens"],
        "thought": report["thinking"]["characters"],
        "replies": report["replies"],
        "unreadable": sum(one["unreadable"] for one in report["inputs"]),
        "unknown": [one["unknown_types"] for one in report["inputs"] if one["unknown_types"]],
    }


def judged(found):
    """What is said of a thread that is over."""
    supervisor = Supervisor(found, live=False)
    supervisor.read_all()
    report = build(supervisor.snapshot, supervisor.accounts())
    supervisor.close()
    return report


def test_the_same_is_said_live_and_from_the_rollout(repo):
    """Failed patches that the server does not tell, a refused connection, a good patch, Done: the same facts from both."""
    with working(repo, SCRIPT) as (supervisor, _):
        wait_for(lambda: supervisor.snapshot.claims, "the claim")
        wait_for(lambda: supervisor.snapshot.verdict.state == "changed", "the verdict")
        live = build(supervisor.snapshot, supervisor.accounts())
        folder = supervisor.found.folder
    kept = judged(FINDER.open(home()))
    assert facts(live) == facts(kept)
    assert facts(judged(LaunchedFinder(FINDERS).open(folder))) == facts(kept)
    assert facts(live)["thought"] == len("I edit.")
    assert facts(live)["writes"] == [(False, ["not_found", "not_found"])]
    assert facts(live)["sites"][0][:2] == ("example.com", 1)
    assert facts(live)["counts"]["turns"] == 5
    assert facts(live)["counts"]["calls"] == 4
    assert facts(live)["unknown"] == []
    assert (repo / "hello.py").read_text() == "print('hi')\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("exec", "Rename it"), 0, "Done is claimed"),
        (("exec", "-s", "no-such-sandbox", "Rename it"), 1, "The agent ended on an error: Invalid request"),
    ],
)
def test_a_run_without_a_screen(repo, words, code, said):
    """It ends with what it was asked, and its server with it; the exit code says whether it has answered."""
    with ScriptedModel([Turn("Done.")]) as model:
        configured(model, repo)
        done = subprocess.run(
            [sys.executable, "-m", "monitor", "run", "--agent", "codex", "--", str(CODEX), *words], cwd=repo,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
    assert said in " ".join(done.stdout.split())
    assert done.returncode == code
    assert "goes on" not in done.stderr
