"""`monitor runs`, and `monitor` alone."""

from __future__ import annotations

import json
import os
import sys
import time

import pytest
from click.testing import CliRunner
from found_machine import OTHER, SESSION, dirtywork, register, row, sleeper, transcript

from monitor.agents.claude.find import FINDER as CLAUDE
from monitor.cli import cli
from monitor.commands.runs import age
from monitor.config import state_folder

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process's start time so")


def said(*words):
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_table(private_home):
    """One run a line, what wrote last first, its title clean, how its state is known at the end."""
    transcript(private_home, SESSION, row(SESSION, "Add \x1b[31mthe\x07 strings"))
    dirtywork(private_home, "build-1")
    os.utime(private_home / ".claude/projects/-home-mara-src-notes" / f"{SESSION}.jsonl", (time.time(),) * 2)
    head, one, two = said("runs").splitlines()
    assert head.split() == ["STATE", "AGENT", "SESSION", "AGE", "PROJECT", "TITLE", "KNOWN", "BECAUSE"]
    assert one.split()[:3] == ["ended", "claude", SESSION[:12]]
    assert "Add ␛[31mthe␇ strings" in one
    assert two.endswith("run.json says completed")


def test_a_folder_with_an_odd_name_is_shown_harmlessly(private_home):
    """A run that monitor started stands on one line, whatever the folder is called in which that was done."""
    run = state_folder("runs") / "20261130-232400-d2b24f"
    run.mkdir(parents=True)
    told = {
        "agent": "other",
        "command": ["x\x1b[2J"],
        "cwd": "/odd\x1b]0;owned\x07\n\u202efolder",
        "mark": "M=1",
        "began": 9.0,
    }
    (run / "launch.json").write_text(json.dumps(told))
    (run / "ended.json").write_text(json.dumps({"code": 0, "ended": 10.0}))
    _, one = said("runs").splitlines()
    assert "/odd␛]0;owned␇ ⏎ \ufffdfolder" in one
    assert "x␛[2J" in one


def test_what_is_shown_of_an_id_names_the_run(private_home):
    """Twelve characters of a long id, or as many as tell it from the others."""
    far, near = "0a0b0c0d-1111-4222-8333-000000000001", SESSION[:15] + "5" + SESSION[16:]
    for session in (SESSION, far, near):
        transcript(private_home, session)
    shown = [line.split()[2] for line in said("runs").splitlines()[1:]]
    assert sorted(shown) == [far[:12], SESSION[:22], near[:22]]
    assert all(len(list(CLAUDE.named(one))) == 1 for one in shown)


def test_the_rest_is_counted(private_home):
    """Twenty that have ended are shown; --all shows every one."""
    for number in range(23):
        dirtywork(private_home, f"build-{number}")
    assert said("runs").splitlines()[-1] == "and 3 more that have ended: monitor runs --all"
    assert len(said("runs", "--all").splitlines()) == 24


@linux
def test_two_agents_in_one_folder_are_named(private_home, tmp_path):
    """In a line of its own, and in the JSON of each."""
    with sleeper(tmp_path / "w") as one, sleeper(tmp_path / "w") as two:
        for process, session in ((one, SESSION), (two, OTHER)):
            register(private_home, process.pid, session)
            transcript(private_home, session)
        assert f"2 agents work in one folder, {tmp_path / 'w'}: claude" in said("runs")
        told = json.loads(said("runs", "--json"))
    assert {tuple(one["together"]) for one in told["runs"]} == {(f"claude:{SESSION}",), (f"claude:{OTHER}",)}


def test_nothing_was_found(private_home):
    """It says where it looked, and offers the demo; in JSON the places stand beside an empty list."""
    text = said("runs")
    assert text.startswith("No run was found. monitor looked here:\n")
    assert "~/.claude/projects (claude): not there" in text
    assert "monitor demo" in text
    told = json.loads(said("runs", "--json"))
    assert told["runs"] == []
    assert {
        "agent": "dirtywork",
        "path": str(private_home / ".dirtywork/runs"),
        "found": 0,
        "problem": "not there",
    } in (told["places"])


def test_alone_without_a_terminal():
    """There is no screen to draw on: the help is printed."""
    assert said().startswith("Usage:")


def test_looks_that_are_named_before_the_target_reach_it(monkeypatch):
    """--theme and --ascii may stand on either side of a target; before a command without a screen they are refused."""
    seen = []
    monkeypatch.setattr("monitor.commands.attach.show", lambda target, **looks: seen.append((target, looks)))
    for words in (["--theme", "light", "--ascii", "a.jsonl"], ["a.jsonl", "--theme", "light", "--ascii"]):
        assert CliRunner().invoke(cli, words).exit_code == 0
    assert [(target, looks["theme"], looks["ascii_only"]) for target, looks in seen] == [("a.jsonl", "light", True)] * 2
    assert CliRunner().invoke(cli, ["--theme", "light", "a.jsonl", "--theme", "dark"]).exit_code == 0
    assert seen[-1][1]["theme"] == "dark"
    done = CliRunner().invoke(cli, ["--ascii", "runs"])
    assert done.exit_code == 2
    assert "are for a screen, and runs has none" in done.output


def test_ages():
    """In the largest unit that fills; no time is no age, a time to come is now."""
    assert [age(1000 - passed, 1000) for passed in (0, 59, 60, 7200, 200_000, -5)] == [
        "0s",
        "59s",
        "1m",
        "2h",
        "2d",
        "0s",
    ]
    assert age(None, 0) == ""
