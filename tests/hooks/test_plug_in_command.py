"""The command that installs OpenCode's plug-in."""

from __future__ import annotations

import io

import pytest

from monitor.cli import cli
from monitor.errors import MonitorError


def run(*words):
    """A command of `monitor hooks`; its exit code."""
    with pytest.raises(SystemExit) as done:
        cli.main(["hooks", *words], standalone_mode=False)
    return done.value.code


def test_the_command(tmp_path, monkeypatch, capsys):
    """The difference is shown and agreed to; status and removal name the file; the words are a plug-in's."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "project").mkdir()
    words = ["--agent", "opencode", "--project", str(tmp_path / "project")]
    with pytest.raises(MonitorError, match="nobody is there"):
        run_bare("install", *words)
    assert "+export const Monitor" in capsys.readouterr().out
    assert not (tmp_path / "project" / ".opencode").exists()
    assert run("install", *words, "--yes") == 0
    assert "OpenCode reads it when it starts" in capsys.readouterr().out
    assert run("install", *words, "--yes") == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert run("status", *words) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == ["opencode not installed", "opencode installed"]
    assert run("remove", *words, "--yes") == 0
    assert "-export const Monitor" in capsys.readouterr().out
    assert not (tmp_path / "project" / ".opencode").exists()
    with pytest.raises(MonitorError, match="asks no hook"):
        run_bare("install", *words, "--refuse", "not-made")


def run_bare(*words):
    cli.main(["hooks", *words], standalone_mode=False)
