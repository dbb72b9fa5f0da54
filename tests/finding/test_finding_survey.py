"""All runs of the machine: each once, and cheaply."""

from __future__ import annotations

import json
import os
from dataclasses import replace

from found_machine import OTHER, SESSION, Pretended, dirtywork, lcode, look, register, row, sleeper, transcript

from monitor.agents.listed import Listed
from monitor.finding.ends import HEAD, TAIL, FileEnds
from monitor.finding.listers import listers
from monitor.finding.survey import Survey, merged, together


def test_the_newest_first(private_home):
    """What wrote last stands first, whoever's it is."""
    for number, path in enumerate([transcript(private_home), lcode(private_home, "20261128-150000-abcdef")]):
        os.utime(path, (1000 + number, 1000 + number))
    assert [one.agent for one in look().runs] == ["lcode", "claude"]


def test_nothing_found_says_where_it_looked(private_home):
    """Every folder is named, and what came of it."""
    told = {str(one.path).removeprefix(str(private_home)): one.problem for one in look().places}
    assert told["/.claude/projects"] == told["/.dirtywork/runs"] == "not there"
    assert told["/.local/state/monitor/runs"] == "not there"


def test_the_environment_the_agents_honour(private_home, tmp_path, monkeypatch):
    """Claude Code and lcode may keep their sessions elsewhere."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("LCODE_HOME", str(tmp_path / "l"))
    folders = [one.path for one in look().places]
    assert tmp_path / "c" / "projects" in folders
    assert tmp_path / "l" / "sessions" in folders


def test_a_large_log_is_read_at_its_ends_alone(private_home):
    """Whatever its size, only head and tail are read; nothing while nobody writes to it, and else each ten seconds."""
    now = [100.0]
    ends = FileEnds(clock=lambda: now[0])
    path = transcript(private_home, SESSION, row(SESSION, "begin"), row(SESSION, "x" * 5_000_000), row(SESSION, "end"))
    survey = Survey(listers(), Pretended, ends)
    assert survey.look().runs[0].title == "begin"
    assert 0 < ends.read <= HEAD + TAIL
    before = ends.read
    assert survey.look().runs[0].title == "begin"
    assert ends.read == before
    with path.open("a") as file:
        file.write(json.dumps({"type": "custom-title", "customTitle": "named", "sessionId": SESSION}) + "\n")
    os.utime(path, (2_000_000_000, 2_000_000_000))
    found = survey.look().runs[0]
    assert (found.title, found.last, ends.read) == ("begin", 2e9, before), "when it last wrote is always new"
    now[0] += 10
    assert survey.look().runs[0].title == "named"


def test_a_thousand_sessions(private_home):
    """All are listed, and what is read grows with their number, not with their size."""
    for number in range(1_000):
        session = f"{number:08x}-1111-4222-8333-000000000001"
        transcript(private_home, session, row(session, f"prompt {number}"), project=f"-p{number % 10}")
    ends = FileEnds()
    assert len(Survey(listers(), Pretended, ends).look().runs) == 1_000
    assert ends.read < 1_000 * 1_000


def test_two_agents_in_one_folder(private_home, tmp_path):
    """They are named as such; one agent's finished session beside it is not meant."""
    transcript(private_home)
    transcript(private_home, OTHER)
    with sleeper(tmp_path / "w") as one, sleeper(tmp_path / "w") as two:
        register(private_home, one.pid, SESSION)
        assert together(look().runs) == {}
        register(private_home, two.pid, OTHER)
        shared = together(look().runs)
    assert {folder: {run.session for run in there} for folder, there in shared.items()} == {
        str(tmp_path / "w"): {SESSION, OTHER}
    }


def test_a_broken_lister_hides_no_other_run(private_home):
    """What one agent's folder throws is said where it was looked; all others are listed."""

    class Broken:
        def places(self):
            return (private_home / "plug",)

        def listed(self, machine, ends):
            raise RuntimeError("no luck")

    dirtywork(private_home, "build-1")
    found = Survey((*listers(), ("plug", Broken())), Pretended).look()
    assert [one.session for one in found.runs] == ["build-1"]
    assert found.places[-1].problem == "RuntimeError: no luck"


def test_an_unreadable_folder_is_said(private_home):
    """No permission, a file in its place: said, never raised."""
    (private_home / ".claude").mkdir()
    (private_home / ".claude" / "projects").write_text("a file")
    told = {one.agent: one.problem for one in look().places}
    assert told["claude"] == "Not a directory"


def test_what_monitor_writes_down_is_no_word_of_the_agents(tmp_path):
    """That a run was looked at just now does not make it a run that has just said something."""
    theirs = Listed("claude", "s", tmp_path / "t.jsonl", "ended", "", last=100.0)
    journal = Listed("claude", "s", tmp_path / "j.jsonl", "unknown", "", last=900.0, ours=True)
    started = Listed("claude", "s", tmp_path, "live", "", last=300.0, ours=True)
    assert [one.last for one in merged([theirs, journal])] == [100.0]
    assert [one.last for one in merged([theirs, journal, started])] == [300.0]
    assert [one.last for one in merged([replace(theirs, last=None), journal])] == [900.0]


def test_one_run_told_twice(tmp_path):
    """What is known more closely is kept: a process that waits, a session's title, the run's own folder to open."""
    ours = Listed("claude", "s", tmp_path, "live", "the mark", pid=7, title="claude -p go", ours=True)
    theirs = Listed("claude", "other", tmp_path / "t.jsonl", "waiting", "says so", pid=7, title="go", version="2")
    (found,) = merged([theirs, ours])
    assert (found.path, found.state, found.how, found.title, found.version) == (
        tmp_path,
        "waiting",
        "says so",
        "go",
        "2",
    )
