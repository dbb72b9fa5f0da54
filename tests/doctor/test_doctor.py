"""What the doctor finds, and what it says to do."""

from __future__ import annotations

import json
import os
import stat
import sys

import pytest
from found_machine import SESSION, row, transcript

from monitor.agents.catalogue import AGENTS
from monitor.agents.plugged import Plug
from monitor.commands import doctor
from monitor.commands.doctor import examine
from monitor.config import config_folder, state_folder
from monitor.doctor import agents as agents_room
from monitor.doctor.agents import agents, plug_ins
from monitor.doctor.check import Check
from monitor.doctor.drift import drift
from monitor.doctor.machine import machine
from monitor.doctor.programs import program, version
from monitor.doctor.settings import settings
from monitor.finding.listers import listers
from monitor.finding.survey import Survey


def named(checks, name, about=""):
    return next(one for one in checks if one.name == name and (not about or one.about == about))


@pytest.fixture
def path(tmp_path, monkeypatch):
    """An empty PATH with one folder on it, in which programs can be put that must never run."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder, name, where=None):
    """A program that leaves a trace when it is run."""
    target = (where or folder) / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"#!/bin/sh\ntouch {folder}/it-ran\n")
    target.chmod(target.stat().st_mode | stat.S_IXUSR)
    if where is not None:
        (folder / name).symlink_to(target)
    return target


def test_the_version_of_an_npm_program(path, tmp_path):
    """It stands in the package that the link leads to; the program is not run."""
    package = tmp_path / "lib" / "node_modules" / "@anthropic-ai" / "claude-code"
    put(path, "claude", package / "bin")
    (package / "package.json").write_text(json.dumps({"name": "@anthropic-ai/claude-code", "version": "2.1.332"}))
    assert version(program("claude"), ("@anthropic-ai/claude-code",)) == "2.1.332"
    assert version(program("claude"), ("@another/package",)) == ""
    assert not (path / "it-ran").exists()


@pytest.mark.parametrize("name", ["opencode-ai", "opencode-linux-x64", "opencode-darwin-arm64"])
def test_the_version_of_opencode(path, tmp_path, name):
    """Its program lies in the wrapper's package or in the one for its machine: the `package.json` above it tells."""
    package = tmp_path / "lib" / "node_modules" / name
    put(path, "opencode", package / "bin")
    (package / "package.json").write_text(json.dumps({"name": name, "version": "1.18.33"}))
    (known,) = [one for one in AGENTS if one.agent == "opencode"]
    assert version(program("opencode"), known.packages) == "1.18.33"


def test_the_version_of_a_python_program(path, tmp_path):
    """It stands in the name of the dist-info of the environment that the link leads into."""
    environment = tmp_path / "venv"
    put(path, "lcode", environment / "bin")
    (environment / "lib/python3.11/site-packages/lcode_cli-0.51.0.dist-info").mkdir(parents=True)
    assert version(program("lcode"), ("lcode-cli",)) == "0.51.0"


def test_whose_runs_are_not_looked_for(path):
    """Aider's histories lie with the projects: that none is listed is not said to mean that there is none."""
    told = {one.about: one.words for one in agents(look()) if one.name == "runs"}
    assert told["Claude Code"] == "none found"
    assert told["Aider"] == "not looked for: they lie with the projects, and are opened by their path"


def test_a_program_that_tells_nothing(path):
    """Nothing beside it tells its version: unknown, not guessed; what is not there is none."""
    put(path, "claude")
    assert version(program("claude"), ("@anthropic-ai/claude-code",)) == ""
    assert program("codex") is None
    assert "version unknown" in named(agents(look()), "program", "Claude Code").words


def look():
    return Survey(listers()).look()


def test_an_agents_checks(private_home, path):
    """Whether it is there, its runs, what is read of it and what reaches it, its hooks, and its newest format."""
    transcript(private_home)
    found = [one for one in agents(look()) if one.about == "Claude Code"]
    assert [one.name for one in found] == ["program", "runs", "read", "reached", "hooks", "format"]
    assert named(found, "program").words == "not on the PATH; its newest log is of 2.1.332"
    assert named(found, "runs").words == "1 run, none live"
    assert named(found, "hooks").advice == "To reach running sessions: monitor hooks install --agent claude"
    assert named(found, "format").words == "every type known in 1 record of its newest 1 log"


def test_types_it_does_not_know(private_home):
    """They are counted by name, a note; where less than half is understood, something is missing: an update."""
    known = [row(SESSION, f"prompt {number}") for number in range(9)]
    odd = [json.dumps({"type": kind, "sessionId": SESSION}) + "\n" for kind in ("moon", "moon", "star")]
    transcript(private_home, SESSION, *known, *odd)
    assert drift(look().runs).unknown == {"moon": 2, "star": 1}
    found = named(agents(look()), "format", "Claude Code")
    assert (found.health, found.words) == ("note", "not known: moon ×2, star ×1; in 12 records of its newest 1 log")
    transcript(private_home, SESSION, known[0], *odd)
    found = named(agents(look()), "format", "Claude Code")
    assert (found.health, found.advice) == ("lack", "Update monitor")
    assert "less than half of 4 records" in found.words


def test_a_broken_plug_in(monkeypatch):
    """It is named with its package and what is wrong."""
    plugs = (Plug("moon", "moon-agent 1.0", problem="ImportError: no moon"), Plug("sun", "sun 2.0", finder=object()))
    monkeypatch.setattr(agents_room, "plugged", lambda: plugs)
    broken, fine = plug_ins({})
    assert (broken.health, broken.words) == ("lack", "moon-agent 1.0: ImportError: no moon")
    assert (fine.health, fine.words) == ("ok", "sun 2.0: read; lists no runs")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these limits")
def test_the_limits_of_notices(tmp_path):
    """Enough is said with its figure; too few is a lack with the command that raises it; unreadable is said."""
    (tmp_path / "max_user_watches").write_text("8192")
    found = [one for one in machine({"TERM": "xterm"}, tmp_path) if one.name.startswith("fs.inotify")]
    assert (found[0].health, found[0].words) == ("lack", "8,192, fewer than 65,536")
    assert "sysctl fs.inotify.max_user_watches=65536" in found[0].advice
    assert found[1].words == "cannot be read"


def test_git_and_terminal(path):
    """Without git, and on a terminal that cannot draw, it says what follows and what to do."""
    found = list(machine({"TERM": "dumb"}))
    assert named(found, "git").advice == "Install git"
    assert named(found, "terminal").health == "lack"
    put(path, "git")
    assert named(machine({"TERM": "xterm-256color"}), "git").words == str(path / "git")
    assert not (path / "it-ran").exists()


def test_the_state_folder_of_monitors_at_work(private_home, monkeypatch):
    """Its size is told though files of it go while they are counted, as those of other monitors do."""
    folder = state_folder()
    (folder / "kept").write_bytes(b"x" * 200_000)
    monkeypatch.setattr(os, "walk", lambda _: iter([(str(folder), [], ["kept", "gone"])]))
    told = next(one for one in machine() if one.name == "state folder")
    assert (told.health, told.words) == ("ok", f"{folder}, 0.2 MB")


def test_the_config_in_force(private_home):
    """The folder is named; what cannot be taken from it is said, one line each, and the defaults hold."""
    assert next(settings()).words.endswith("nothing, so the defaults are in force")
    folder = config_folder()
    (folder / "themes").mkdir(parents=True)
    (folder / "themes" / "mine.toml").write_text("name = 3")
    (folder / "config.toml").write_text('[keys]\nmoon = "x"\n')
    found = list(settings())
    assert found[0].words.endswith("config.toml, 1 of your own themes")
    assert any("moon: there is no such action" in one.words for one in found[1:])
    assert any("mine.toml" in one.words for one in found[1:])
    (folder / "config.toml").write_text("[keys")
    assert any(one.health == "lack" and "config.toml" in one.words for one in settings())


def test_what_is_printed(monkeypatch, capsys):
    """By section, what is missing marked and with its advice below; the exit code says whether anything is."""
    monkeypatch.setattr(doctor, "machine", lambda: [Check("machine", "git", "lack", "not on the PATH", "Install git")])
    assert examine(as_json=False) == 1
    text = capsys.readouterr().out
    assert text.startswith("machine\n! git")
    assert "Install git" in text
    assert text.rstrip().endswith("to mend, marked with !")
    assert examine(as_json=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["checks"][0] == {
        "about": "machine", "name": "git", "health": "lack", "words": "not on the PATH", "advice": "Install git",
    }  # fmt: skip


def test_nothing_is_missing(monkeypatch, capsys, private_home):
    """Then the last line says so, and the exit code is 0; agents that are not there are no lack."""
    monkeypatch.setattr(doctor, "machine", list)
    assert examine(as_json=False) == 0
    assert capsys.readouterr().out.rstrip().endswith("Nothing is missing.")
    assert os.environ["HOME"] == str(private_home)
