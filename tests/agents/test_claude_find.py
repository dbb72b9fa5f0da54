"""Finding Claude Code's runs: files, folders, pipes, session ids, and the process behind them."""

from __future__ import annotations

import os

import pytest
from claude_lines import OTHER, SESSION, assistant, encoded, init, prompt, row, streamed, text, write

from monitor.agents.claude.find import FINDER
from monitor.agents.claude.process import config_folder


@pytest.fixture
def projects():
    """The folder of the user's own sessions."""
    return config_folder() / "projects" / "-home-dev-app"


@pytest.mark.parametrize("name", ["a.log", "transcript.jsonl", f"{SESSION}.jsonl"])
def test_a_transcript_is_known_by_what_it_holds(tmp_path, name):
    """Whatever its name, a transcript is recognised; its session's id names it."""
    found = FINDER.open(write(tmp_path / name, {"type": "mode", "mode": "normal", "sessionId": SESSION}, prompt("go")))
    assert found.agent == "claude"
    assert found.session == SESSION
    assert [(one.index, one.role, one.shape) for one in found.inputs()] == [(0, "transcript", "lines")]


@pytest.mark.parametrize(
    "head",
    [
        [init()],
        [{"type": "system", "subtype": "hook_started", "session_id": SESSION}, init()],
        [{key: value for key, value in init().items() if key != "claude_code_version"}],
        [streamed(assistant(text("cut at the top")))],
    ],
)
def test_a_stream_is_known_by_what_it_holds(tmp_path, head):
    """A stream is recognised by its init, wherever that stands, also of a version that does not name itself."""
    path = write(tmp_path / "out.txt", *head)
    assert FINDER.open(path).inputs()[0].role == "stream"
    assert FINDER.sniff(path.read_bytes())


@pytest.mark.parametrize(
    "lines",
    [
        [b"text"],
        [b"{}"],
        [{"type": "user", "message": {"content": "no session"}}],
        [{"type": "system", "subtype": "init", "session_id": "x", "tools": ["run_shell_command"], "qwen_code_version": "0"}],
        [{"type": "system", "subtype": "init", "apiKeySource": "login", "session_id": "x", "permissionMode": "default"}],
        [{"type": "user", "sessionId": "x", "uuid": "y", "parentUuid": None, "message": {"role": "user", "parts": []}}],
        [{"type": "assistant", "session_id": "x", "parent_tool_use_id": None, "message": {"model": "qwen3", "content": []}}],
        [],
    ],
)  # fmt: skip
def test_other_logs_are_not_taken(tmp_path, lines):
    """Logs of other agents, some of which look much alike, and empty files are left to others."""
    assert FINDER.open(write(tmp_path / "x.jsonl", *lines)) is None


def test_a_first_row_that_is_longer_than_what_is_looked_at(tmp_path):
    """A transcript whose first row is megabytes long is recognised by how the row begins."""
    head = (
        b'{"parentUuid":null,"isSidechain":false,"type":"user","sessionId":"%b","message":{"content":"'
        % SESSION.encode()
    )
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(head + b"A" * 1_000_000 + b'"}}\n')
    assert FINDER.open(path).title == SESSION
    assert FINDER.open(write(tmp_path / "x.jsonl", b'{"a":"' + b"A" * 1_000_000 + b'"}')) is None


def test_sub_agents_appear_while_the_run_is_followed(tmp_path):
    """Their files become inputs when they appear; no index ever changes, and nothing else is taken in."""
    found = FINDER.open(write(tmp_path / f"{SESSION}.jsonl", prompt("go")))
    folder = tmp_path / SESSION / "subagents"
    assert len(found.inputs()) == 1
    write(folder / "agent-b2.jsonl", prompt("x", agent="b2"))
    before = found.inputs()
    write(folder / "agent-a1.jsonl", prompt("x", agent="a1"))
    write(folder / "agent-a1.meta.json", {"toolUseId": "t1"})
    write(folder / "workflows" / "wf_1" / "agent-c3.jsonl", prompt("x", agent="c3"))
    write(folder / "workflows" / "wf_1" / "journal.jsonl", {"type": "launched"})
    write(folder / "agent-d4.key", {"secret": 1})
    (folder / "agent-e5.jsonl").symlink_to(write(tmp_path / "elsewhere", prompt("x")))
    after = found.inputs()
    assert after[:2] == before
    assert [(one.index, one.name, one.role, one.actor, one.shape) for one in after[1:]] == [
        (1, "subagents/agent-b2.jsonl", "subagent", "b2", "lines"),
        (2, "subagents/agent-a1.jsonl", "subagent", "a1", "lines"),
        (3, "subagents/agent-a1.meta.json", "meta", "a1", "document"),
        (4, "subagents/workflows/wf_1/agent-c3.jsonl", "subagent", "c3", "lines"),
    ]
    assert found.inputs() == after


def test_older_versions_put_sub_agents_beside_the_transcript(tmp_path):
    """There only the session that their rows name tells whose they are."""
    found = FINDER.open(write(tmp_path / f"{SESSION}.jsonl", prompt("go")))
    write(tmp_path / "agent-aa.jsonl", prompt("mine", agent="aa"))
    write(tmp_path / "agent-bb.jsonl", prompt("another's", agent="bb") | {"sessionId": OTHER})
    (tmp_path / "agent-cc.jsonl").touch()
    assert [one.name for one in found.inputs()] == [f"{SESSION}.jsonl", "agent-aa.jsonl"]
    write(tmp_path / "agent-cc.jsonl", prompt("mine, later", agent="cc"))
    assert [one.name for one in found.inputs()][2:] == ["agent-cc.jsonl"]


def test_a_sub_agents_file_opened_alone(tmp_path):
    """It is a run of its own, without its root's other files."""
    write(tmp_path / f"{SESSION}.jsonl", prompt("go"))
    path = write(tmp_path / SESSION / "subagents" / "agent-a1.jsonl", prompt("x", agent="a1"))
    found = FINDER.open(path)
    assert [one.role for one in found.inputs()] == ["alone"]
    assert (found.title, found.alive()) == ("agent-a1", None)


def test_folders(tmp_path):
    """A project's folder gives the newest session, a session's own folder that session; others give nothing."""
    first = write(tmp_path / f"{SESSION}.jsonl", prompt("old"))
    newest = write(tmp_path / f"{OTHER}.jsonl", prompt("new"))
    write(tmp_path / "notes.jsonl", prompt("named by hand"))
    write(tmp_path / "agent-x.jsonl", prompt("x", agent="x"))
    os.utime(first, (1, 1))
    assert FINDER.open(tmp_path).title == OTHER
    os.utime(newest, (0, 0))
    assert FINDER.open(tmp_path).title == SESSION
    write(tmp_path / OTHER / "subagents" / "agent-y.jsonl", prompt("x", agent="y"))
    assert FINDER.open(tmp_path / OTHER).title == OTHER
    assert FINDER.open(tmp_path / OTHER / "subagents").title == OTHER
    (tmp_path / "empty").mkdir()
    assert FINDER.open(tmp_path / "empty") is None
    write(tmp_path / "fixtures" / "sample.jsonl", prompt("a fixture of some project"))
    assert FINDER.open(tmp_path / "fixtures") is None


def test_sessions_by_their_id(projects, monkeypatch, tmp_path):
    """A session is found by its id or the beginning of it, below the user's own folder alone."""
    write(projects / f"{SESSION}.jsonl", prompt("go"))
    write(projects.parent / "-other" / f"{SESSION[:8]}-0000-4000-8000-000000000000.jsonl", prompt("go"))
    write(projects / f"{OTHER}.jsonl", b"not a transcript")
    assert [found.title for found in FINDER.named(SESSION)] == [SESSION]
    assert [found.title for found in FINDER.named(SESSION[:12].upper())] == [SESSION]
    assert len(list(FINDER.named(SESSION[:8]))) == 2
    for nothing in (OTHER, SESSION[:3], "", "../../etc", "*", "demo", "11111111"):
        assert list(FINDER.named(nothing)) == []
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert list(FINDER.named(SESSION)) == []
    write(tmp_path / "elsewhere" / "projects" / "p" / f"{SESSION}.jsonl", prompt("go"))
    assert len(list(FINDER.named(SESSION))) == 1


def test_a_pipe():
    """A stream from a pipe has one input and nothing to verify."""
    found = FINDER.pipe("the pipe")
    assert [(one.name, one.role, one.path) for one in found.inputs()] == [("the pipe", "stream", None)]
    assert (found.alive(), found.project(), found.process()) == (None, None, None)


def test_a_session_that_its_metadata_alone_shows(tmp_path):
    """A session that has only begun, without any row, is recognised."""
    for head in (
        {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION},
        row("attachment", attachment={}),
    ):
        assert FINDER.sniff(encoded(head))
    assert FINDER.sniff(encoded({"type": "summary", "summary": "x", "leafUuid": "y"}))
    assert FINDER.sniff(encoded({"type": "file-history-snapshot", "messageId": "x", "snapshot": {}}))
