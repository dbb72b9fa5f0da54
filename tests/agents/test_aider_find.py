"""How Aider's chat history is found, and the sessions in it."""

from __future__ import annotations

import pytest

from monitor.agents.aider.find import FINDER, runs_in
from monitor.commands.report import judged
from monitor.errors import MonitorError
from monitor.several import each_run
from monitor.supervisor import Supervisor
from monitor.targets import find

SESSION = "\n# aider chat started at 2026-01-0{n} 10:00:00\n\n> Aider v0.50.0  \n\n#### task {n}  \n\nDone {n}.\n\n> Tokens: 1 sent, 2 received.  \n"
EMPTY = "\n# aider chat started at 2026-01-09 10:00:00\n\n> Aider v0.50.0  \n"


@pytest.fixture
def history(tmp_path):
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(f"#### task 0  \n\nDone 0.\n{SESSION.format(n=1)}{EMPTY}{SESSION.format(n=2)}")
    return path


def test_each_session_is_a_run(history):
    """Sessions in which something was asked are runs, named by any of their lines; their bytes are their own."""
    runs = each_run(str(history))
    assert [run.rpartition(":")[2] for run in runs] == ["1", "5", "19"]
    reports = [judged(run, None) for run in runs]
    assert [one["runs"][0]["task"] for one in reports] == ["task 0", "task 1", "task 2"]
    assert [one["verdict"]["claimed_done"] for one in reports] == [True, True, True]
    assert find(f"{history}:7").title == find(f"{history}:5").title
    with pytest.raises(MonitorError, match="no run on that line"):
        find(f"{history}:16")
    spans = [find(run).inputs()[0].span for run in runs]
    text = history.read_bytes()
    assert all(b"#### task" in text[span.offset : span.offset + span.length] for span in spans)


def test_the_file_is_its_latest_session(history, tmp_path):
    """Named alone, the file or its folder is the session that may still go on, and is followed."""
    for found in (find(str(history)), find(str(tmp_path))):
        supervisor = Supervisor(found, live=False)
        supervisor.read_all()
        run = supervisor.snapshot.run
        assert (run.task, run.requests) == ("task 2", 1)
        supervisor.close()
    supervisor = Supervisor(find(str(history)), live=True)
    while supervisor.step():
        pass
    with history.open("a") as file:
        file.write("\n#### one more  \n\nDone.\n\n> Tokens: 1 sent, 2 received.  \n")
    while supervisor.step():
        pass
    assert supervisor.snapshot.run.requests == 2
    supervisor.close()


def test_other_files_are_not_taken(tmp_path):
    """A text that only speaks of it is left alone."""
    path = tmp_path / "x.md"
    for text in ("", "# aider chat", "see `# aider chat started at 2026-01-01 10:00:00`", "#### title"):
        path.write_text(text)
        assert FINDER.open(path) is None
        assert not runs_in(path)
    assert FINDER.open(tmp_path) is None
    assert FINDER.sniff(SESSION.format(n=1).encode())
    assert not FINDER.sniff(b"text\n")
