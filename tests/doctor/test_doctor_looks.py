"""The doctor looks and makes nothing; what it cannot look into it names, and for what is not there it says what to do."""

from __future__ import annotations

import os
from pathlib import Path

from monitor.agents.catalogue import AGENTS
from monitor.commands.doctor import examine, rows
from monitor.config import state_path
from monitor.doctor.agents import agents
from monitor.doctor.check import Check
from monitor.doctor.folders import folders
from monitor.doctor.machine import machine
from monitor.finding.listers import LISTERS, listers
from monitor.finding.standing import Place
from monitor.finding.survey import Survey


def state_folder_check():
    return next(one for one in machine({"TERM": "xterm"}) if one.name == "state folder")


def test_looking_makes_no_folder(private_home, capsys):
    """After a look at everything the home is as empty as before; nor does listing the runs make one."""
    examine(as_json=False)
    Survey(listers()).look()
    assert list(private_home.iterdir()) == []
    assert "not there yet: made when a run is first followed" in capsys.readouterr().out


def test_a_state_folder_that_cannot_be(private_home, monkeypatch):
    """Where a file stands in its place, or nothing may be written, it is a lack with what to do."""
    (private_home / ".local").write_text("")
    told = state_folder_check()
    assert (told.health, told.advice) == ("lack", "Make room there, or set XDG_STATE_HOME")
    assert told.words == f"{state_path()}: {private_home}/.local is no folder"
    (private_home / ".local").unlink()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.F_OK and allowed(path, mode))
    assert state_folder_check().words.endswith("cannot be written to")


def test_every_agent_that_is_looked_for_has_a_section(private_home, monkeypatch):
    """Also OpenHands, whose program nobody looks for; and what is not on the PATH has one line on what to do."""
    monkeypatch.setenv("PATH", str(private_home))
    found = list(agents(Survey(listers()).look()))
    for name in {known.name.partition(" ")[0] for known in AGENTS if known.agent in dict(LISTERS)}:
        assert any(one.about.startswith(name) and one.name == "runs" for one in found), name
    missing = [one for one in found if one.name == "program"]
    assert missing
    assert all("install it" in one.advice and "\n" not in one.advice for one in missing)
    said = next(one.advice for one in missing if one.about == "Codex")
    assert said.startswith("To start it with monitor run: install it (package @openai/codex)")
    assert next(one.advice for one in missing if one.about == "Aider").startswith("To use it here: install it")


def test_session_folders_that_cannot_be_read_are_named(tmp_path, monkeypatch):
    """Each with the reason, a few by name and the others counted; what is not there and what can be read is not."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    (good / "project").mkdir(parents=True)
    for number in range(8):
        (bad / f"p{number}").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    scandir = os.scandir

    def closed(path):
        if Path(path).name.startswith("p") and Path(path).parent == bad:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    places = [Place("claude", good), Place("codex", tmp_path / "none", problem="not there"), Place("pi", bad)]
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", closed)
        told = list(folders([*places, Place("lcode", tmp_path / "file", problem="Not a directory")]))
    assert [one.about for one in told] == ["session folders"] * 7
    assert {one.name for one in told} == {"pi", "lcode"}
    assert all(one.health == "lack" and one.advice for one in told)
    assert told[0].words.endswith(": Permission denied")
    assert told[5].words == f"3 folders more below {bad} cannot be read"
    assert told[6].words == f"{tmp_path}/file: Not a directory"


def test_what_it_prints_is_clean():
    """A folder whose name holds control characters, such as one's own home, is shown harmlessly."""
    shown = rows([Check("machine", "state folder", "lack", "/a\x1b[2Jb", "Mend /a\x1b[2Jb")])
    assert "\x1b" not in "".join(shown)
    assert sum("/a␛[2Jb" in row for row in shown) == 2
